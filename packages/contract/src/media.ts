/** The media types of bodies. */
import type { Report } from '@petstore-platform/openapi';

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

/** How the body of a media type is read and written. Undefined for one that the platform does not serve. */
export type Kind = 'json' | 'form' | 'text' | 'bytes';

export function kindOf(type: string): Kind | undefined {
  const name = bare(type);
  if (isJson(name)) return 'json';
  if (name === 'application/x-www-form-urlencoded') return 'form';
  if (!/^(?!multipart\/)[\w.+-]+\/[\w.+-]+$/.test(name) || name === 'text/event-stream') return undefined;
  return /^text\/|^application\/([\w.-]+\+)?xml$/.test(name) ? 'text' : 'bytes';
}

/** A response is no form. */
export const isServed = (type: string, isResponse: boolean) => {
  const kind = kindOf(type);
  return kind !== undefined && !(isResponse && kind === 'form');
};

/**
 * Leaves one media type to the content of a body: that of JSON or, without one, the first that is served. A type of any is JSON.
 *
 * @param holder - a request body or a response
 */
// biome-ignore lint/suspicious/noExplicitAny: the document is as its author wrote it.
export function chooseMedia(holder: any, isResponse: boolean, report: Report): void {
  const all = Object.entries(Object(holder?.content)).map(
    ([type, media]) => [type === '*/*' ? 'application/json' : type, media] as const,
  );
  const served = all.filter(([type]) => isServed(type, isResponse));
  const [type, media] = served.find(([each]) => isJson(each)) ?? served[0] ?? [];
  if (type === undefined) return;
  const others = all.filter((each) => each[1] !== media && bare(each[0]) !== bare(type)).map(([each]) => each);
  if (others.length > 0)
    report(
      'warning',
      'media',
      holder,
      `It is ${isResponse ? 'sent' : 'read'} as \`${bare(type)}\`, and not as ${others.join(', ')}.`,
      'content',
    );
  holder.content = { [bare(type)]: media };
}
