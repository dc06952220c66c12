import { type Outgoing, serializers } from './arguments.ts';
import type { Fetch } from './options.ts';

type Init = Parameters<Fetch>[1];

/** A lost connection or a missed deadline, its `cause`. Any other exception comes from the caller's code. */
export class Lost extends Error {}

/**
 * Sends a request through middleware as openapi-fetch does: `onRequest` in order, each of which may replace the request
 * or answer it, then `send`, then `onError` or `onResponse` in the reverse order. With openapi-fetch's own client, this
 * package would have 1.4 kB more (bound: 7), and a call would take 2.8 times as long as in openapi-fetch alone (bound: 2).
 */
export async function throughMiddleware(
  { middleware, url, path, params, baseUrl }: Outgoing,
  init: Init,
  send: (url: string, init: Init) => Promise<Response>,
): Promise<Response> {
  const options = { ...serializers, baseUrl, fetch: send, bodySerializer: JSON.stringify, parseAs: 'json' as const };
  const info = { schemaPath: path, params, id: String(Math.random()), options };
  let request = new Request(url, init);
  for (const { onRequest } of middleware) {
    const result = await onRequest?.({ ...info, request });
    if (result instanceof Response) return result;
    request = result || request;
  }

  const reversed = [...middleware].reverse();
  const rescue = async (lost: unknown): Promise<Response> => {
    if (!(lost instanceof Lost)) throw lost;
    let error = lost.cause;
    for (const { onError } of reversed) {
      const result = await onError?.({ ...info, request, error });
      if (result instanceof Response) return result;
      error = result || error;
    }
    throw new Lost('', { cause: error });
  };
  const sent = initOf(request).then((init) => send(request.url, init));
  let response = await sent.catch(rescue);
  for (const { onResponse } of reversed) response = (await onResponse?.({ ...info, request, response })) || response;
  return response;
}

/** Copies a response whose body has been read. Its status must be from 200 to 599, as Response requires. */
export function withText({ status, statusText, headers }: Response, text: string, url: string): Response {
  // Bytes, because Response adds a Content-Type to a string.
  const body = text === '' ? null : new TextEncoder().encode(text);
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url });
}

/** The request as a plain object, which every `fetch` accepts. */
async function initOf(request: Request): Promise<Init> {
  const { method, headers, signal } = request;
  const init: Init = { method, headers: Object.fromEntries(headers), redirect: 'manual', signal };
  const body = await (headers.has('Content-Encoding') ? request.arrayBuffer() : request.text());
  const empty = body === '' || (body as ArrayBuffer).byteLength === 0;
  return empty ? init : { ...init, body: body as string };
}
