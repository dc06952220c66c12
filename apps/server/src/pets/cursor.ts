import { ApiError } from '../http/errors.ts';
import type { PageQuery } from './read.ts';

/** Keyset paging: a cursor is the `id` of the last pet of the page before, encoded to be opaque. */

/** @returns a cursor (base64url, RFC 4648 section 5) for the page after `id`; its `.` makes a truncated one invalid */
export function encodeCursor(id: number): string {
  return Buffer.from(`after:${id}.`).toString('base64url');
}

/**
 * The `id` after which the page starts.
 *
 * @throws ApiError 400 for anything that `encodeCursor` did not write
 */
export function decodeCursor(cursor: string): number {
  const id = Number(/^after:(-?\d+)\.$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]);
  if (!Number.isSafeInteger(id) || encodeCursor(id) !== cursor) {
    throw new ApiError(400, 'query parameter cursor is not a cursor of this API');
  }
  return id;
}

/** `Link: <…>; rel="next"` (RFC 8288) with this page's query and the next cursor; relative, so that it works behind proxies. */
export function nextPageLink(path: string, { limit, status }: Omit<PageQuery, 'after'>, lastId: number): string {
  const query = { limit: String(limit), ...(status && { status }), cursor: encodeCursor(lastId) };
  return `<${path}?${new URLSearchParams(query)}>; rel="next"`;
}
