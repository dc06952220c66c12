/**
 * The seconds in a `Retry-After` header (RFC 9110, section 10.2.3), given as such or as an HTTP date.
 *
 * @param now milliseconds since the epoch by the clock of who set the date
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // Date.parse takes almost anything ("-1", "1.5") for a date; an HTTP date ends in GMT.
  const date = value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
