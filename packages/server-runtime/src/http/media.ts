import type { Media } from '../contract.ts';
import { ApiError } from '../errors.ts';

const JSON_MEDIA = 'application/json';

/** The media of a body for which the contract's table names none. */
export const JSON_BODY: Media = { type: JSON_MEDIA, kind: 'json' };

/**
 * The fields of a form as texts, and as a list if a name is repeated.
 *
 * @throws ApiError 400 for an invalid percent-encoding
 */
export function formOf(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  try {
    decodeURIComponent(text);
  } catch {
    const message = 'has an invalid percent-encoding';
    throw new ApiError(400, `body ${message}`, { errors: [{ pointer: '/body', message }] });
  }
  for (const [name, value] of new URLSearchParams(text)) {
    const known = fields.get(name);
    // A copy of the list for each value would take seconds for a form of 64 KiB.
    if (Array.isArray(known)) known.push(value);
    else fields.set(name, known === undefined ? value : [known, value]);
  }
  // A field may be named `__proto__`.
  return Object.fromEntries(fields);
}

/** Headers of a response that is not JSON: a browser that shows it runs nothing in it. */
export const PASSIVE = { 'Content-Security-Policy': "default-src 'none'; sandbox" };
