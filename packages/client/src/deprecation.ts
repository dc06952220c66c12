import { linkTarget } from './internal/link.ts';

/** What the responses of a deprecated operation say about its removal. What they leave out is undefined. */
export interface DeprecationNotice {
  /** The operationId. */
  readonly operation: string;
  /** Since when it is deprecated (`Deprecation`, RFC 9745). */
  readonly since: Date | undefined;
  /** When it will be removed (`Sunset`, RFC 8594). */
  readonly sunset: Date | undefined;
  /** URL of what replaces it (`Link` with `rel="successor-version"`, RFC 5829). */
  readonly replacement: string | undefined;
}

/** The notice in a response's headers; undefined when the operation is neither deprecated nor to be removed. */
export function parseDeprecation(operation: string, headers: Headers, url: string): DeprecationNotice | undefined {
  const since = headers.get('Deprecation');
  const sunset = headers.get('Sunset');
  if (since === null && sunset === null) return undefined;
  return {
    operation,
    since: dateOf(/^@-?\d+$/.test(since ?? '') ? Number(since?.slice(1)) * 1000 : Number.NaN),
    sunset: dateOf(Date.parse(sunset ?? '')),
    replacement: linkTarget(headers, 'successor-version', url)?.href,
  };
}

function dateOf(time: number): Date | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
