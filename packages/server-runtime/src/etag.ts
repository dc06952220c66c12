import { ApiError } from './errors.ts';

/** The entity tag of a version, such as a number or a time: strong (RFC 9110, section 8.8.3). */
export const etag = (version: string | number | bigint | Date): string =>
  `"${encodeURIComponent(version instanceof Date ? version.toISOString() : `${version}`.toWellFormed())}"`;

/**
 * Refuses a change of another version than the client has seen (RFC 9110, section 13.1.1).
 *
 * @param header - the `If-Match` of the request: tags, or `*` for any version
 * @param current - the tag of what is stored
 * @throws ApiError 412 for another version, 428 without the header
 */
export function requireMatch(header: string | undefined, current: string): void {
  if (header === undefined) throw new ApiError(428, 'Send the ETag that you have seen as If-Match');
  if (header.trim() !== '*' && !tagsIn(header).includes(current))
    throw new ApiError(412, 'It has changed since: get it again');
}

/** Whether a client has the current version already (RFC 9110, section 13.1.2), by its `If-None-Match`. Then 304 is the response. */
export function isUnchanged(header: string | undefined, current: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || tagsIn(header.replace(/W\/(?=")/g, '')).includes(current.replace(/^W\//, ''));
}

/** The tags of a list. A comma may be within one. */
const tagsIn = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
