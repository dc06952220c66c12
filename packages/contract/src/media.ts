/** The media types of bodies. */
import { isDeepStrictEqual } from 'node:util';
import type { Report } from '@petstore-platform/openapi';

export const JSON_MEDIA = 'application/json';

/** Matches the media types of JSON (RFC 6839, section 3.1). */
const JSON_TYPE = /^application\/([\w.!#$&^-]+\+)?json$/;

/** A media type without its parameters. */
export const bare = (type: string) => (type.split(';', 1)[0] as string).trim().toLowerCase();

export const isJson = (type: string) => JSON_TYPE.test(bare(type));

/** The media type with which a body is sent, of those that are described: the first of JSON or, without one, the first. */
export function mediaOf<Media>(content: Record<string, Media> = {}): [type: string, media: Media] | [] {
  const all = Object.entries(content);
  return all.find(([type]) => isJson(type)) ?? all[0] ?? [];
}

/** How the body of a media type is read and written. Generated tables have it, so that only this file knows media types. */
export type Kind = 'json' | 'form' | 'parts' | 'text' | 'bytes' | 'events';

/** The kinds of media types that are not known by their pattern. */
const KINDS: Record<string, Kind> = {
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'parts',
  'text/event-stream': 'events',
};

/** Undefined for a media type that the platform does not serve. */
export function kindOf(type: string): Kind | undefined {
  const name = bare(type);
  if (isJson(name)) return 'json';
  if (KINDS[name]) return KINDS[name];
  if (!/^(?!multipart\/)[\w.+-]+\/[\w.+-]+$/.test(name)) return undefined;
  return /^text\/|^application\/([\w.-]+\+)?xml$/.test(name) ? 'text' : 'bytes';
}

/** A response is no form, and a request no stream of events. */
export const isServed = (type: string, isResponse: boolean) => {
  const kind = kindOf(type);
  return kind !== undefined && !(isResponse ? ['form', 'parts'] : ['events']).includes(kind);
};

const BYTES = 'application/octet-stream';

const isRange = (type: string) => /^[^*]+\/\*$/.test(type);

/**
 * Leaves to a body the media types that are served. A type of any is JSON, and one of a range, such as any image, is bytes. A request keeps one: that of JSON or, without one, the first.
 * A response keeps further ones, for which clients ask by `Accept`, unless they would be other names of the first, or are events.
 *
 * @param holder - a request body or a response
 */
// biome-ignore lint/suspicious/noExplicitAny: the document is as its author wrote it.
export function chooseMedia(holder: any, isResponse: boolean, report: Report): void {
  const all = Object.entries(Object(holder?.content)).map(
    ([name, media]) => [name === '*/*' ? JSON_MEDIA : isRange(name) ? BYTES : name, media, name] as const,
  );
  const served = all.filter(([type]) => isServed(type, isResponse));
  const lasting = served.filter(([type]) => kindOf(type) !== 'events');
  const first = served.find(([type]) => isJson(type)) ?? lasting[0] ?? served[0];
  if (!first) return;
  const schemaOf = (media: unknown) => Object(media).schema;
  const isFurther = ([type, media]: (typeof all)[0]) =>
    !isJson(type) && !(isJson(first[0]) && isDeepStrictEqual(schemaOf(media), schemaOf(first[1])));
  const kept = new Map(
    [first, ...(isResponse ? lasting.filter(isFurther) : [])].map(([type, media]) => [bare(type), media]),
  );
  const others = all.flatMap(([type, , name]) =>
    !kept.has(bare(type)) || (type === BYTES && isRange(name)) ? name : [],
  );
  const types = [...kept.keys()].map((type) => `\`${type}\``).join(' or ');
  const message = `It is ${isResponse ? 'sent' : 'read'} as ${types}, and not as ${others.join(', ')}.`;
  if (others.length > 0) report('warning', 'media', holder, message, 'content');
  holder.content = Object.fromEntries(kept);
}
