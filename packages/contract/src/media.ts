/** The media types of bodies. */

/** Matches the media types of JSON (RFC 6839, section 3.1). */
const JSON_TYPE = /^application\/([\w.!#$&^-]+\+)?json$/;

/** A media type without its parameters. */
export const bare = (type: string) => type.replace(/\s*;.*$/s, '').toLowerCase();

export const isJson = (type: string) => JSON_TYPE.test(bare(type));

/** The media type with which a body is sent, of those that are described: the first of JSON or, without one, the first. */
export function mediaOf<Media>(content: Record<string, Media> = {}): [type: string, media: Media] | [] {
  const all = Object.entries(content);
  return all.find(([type]) => isJson(type)) ?? all[0] ?? [];
}
