import { keyOf } from '@petstore-platform/openapi-validation';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { JSON_BODY, type Media, type Operation } from '../contract.ts';
import { ApiError } from '../errors.ts';
import type { HandlerResult } from './handler.ts';
import { QueryResponse } from './query-response.ts';
import type { Run } from './read.ts';

/** The media types between which clients choose by `Accept` (RFC 9110, section 12.5.1). Undefined without a choice. */
export const acceptedOf = ({ response: { media = {} } }: Operation): string[] | undefined =>
  Object.values(media)
    .find(({ length }) => length > 1)
    ?.map(({ type }) => type);

/** The headers that a handler gets: those of the contract, and the media type that the client accepts. */
export const headersOf = (operation: Operation): string[] => [
  ...operation.parameters.filter((one) => one.in === 'header' || one.in === 'cookie').map(keyOf),
  ...(acceptedOf(operation) ? ['accept'] : []),
];

/** Puts the first type that the client prefers in place of `Accept`. @throws ApiError 406 if it accepts none */
export function negotiate(request: FastifyRequest, types: string[]): void {
  const type = new Negotiator(request.raw).mediaType(types);
  if (type === undefined) throw new ApiError(406, `Accept ${types.join(' or ')}`);
  request.headers.accept = type;
}

/** The media of an answer: that which it names, or the first of its status. Undefined for `application/json` alone. */
export function mediaIn({ media }: Operation['response'], { status, type, headers }: HandlerResult): Media | undefined {
  const all = media?.[status];
  const name = type ?? headers?.['Content-Type'];
  const found = name === undefined ? all?.[0] : all?.find((each) => each.type === name);
  if (name !== undefined && !found) throw new Error(`The contract has no ${name} for the status ${status}`);
  return found;
}

/**
 * A handler whose bodies are JSON, as responses are stored: a text in quotes, and bytes in Base64. A header has the media type, if it is
 * not the first.
 *
 * @param isStored - whether they are stored. Otherwise bytes stay as they are
 */
export function withBodies(run: Run, response: Operation['response'], isStored: boolean): Run {
  if (!response.media && !response.texts) return run;
  return async (...args) => {
    const result: QueryResponse | HandlerResult = await run(...args);
    return result instanceof QueryResponse ? result : encoded(result, response, isStored);
  };
}

/** An answer as `withBodies` gives it. */
export function encoded(result: HandlerResult, response: Operation['response'], isStored: boolean): HandlerResult {
  const media = mediaIn(response, result) ?? JSON_BODY;
  const isQuoted = media.kind === 'json' && typeof result.body === 'string' && response.texts?.includes(result.status);
  if (isQuoted) return { ...result, body: JSON.stringify(result.body) };
  if (media === JSON_BODY) return result;
  const { type, body, headers, ...others } = result;
  const isFirst = media === response.media?.[others.status]?.[0];
  const named = isFirst ? headers : { ...headers, 'Content-Type': media.type };
  const whole = { ...others, ...(named && { headers: named }) };
  if (media.kind === 'json') return { ...whole, body };
  const isText = media.kind === 'text';
  const isRight = isText ? typeof body === 'string' : body instanceof Uint8Array;
  if (!isRight) throw new Error(`The body of a response as ${media.type} is a ${isText ? 'string' : 'Uint8Array'}`);
  if (body instanceof Uint8Array && !isStored) return { ...whole, body };
  return { ...whole, body: JSON.stringify(isText ? body : Buffer.from(body as Uint8Array).toString('base64')) };
}

/** Bytes or texts, as they come: a stream of Node.js or of the web, or a generator. */
export type ByteStream = AsyncIterable<Uint8Array | string>;

export const isStream = (body: unknown): body is ByteStream =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
