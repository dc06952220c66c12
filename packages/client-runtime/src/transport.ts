import type { Middleware, MiddlewareCall } from './middleware.ts';

/** The URL of a call, its values encoded. A list in the query is repeated. */
export function callUrl(
  address: string,
  inPath: { readonly [name: string]: unknown } = {},
  query: { readonly [name: string]: unknown } = {},
): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((item) => [name, item].map(encodeURIComponent as (part: unknown) => string).join('=')),
  );
  const url = address.replace(/\{([^{}]*)\}/g, (_, name) => encodeURIComponent(`${inPath[name]}`));
  return pairs.length > 0 ? `${url}?${pairs.join('&')}` : url;
}

/** Headers merged without regard to case: later ones win, `null` removes one. */
export function mergeHeaders(...lists: Iterable<[string, string | null]>[]): Headers {
  const merged = new Headers();
  for (const [name, value] of lists.flatMap((list) => [...list]))
    value === null ? merged.delete(name) : merged.set(name, value);
  return merged;
}

/** Sends a request through middleware: `onRequest` in order, `onResponse` and `onError` in the reverse, as openapi-fetch does. */
export async function throughMiddleware(
  middleware: readonly Middleware[],
  call: MiddlewareCall,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  let { request } = call;
  for (const each of middleware) {
    const result = await each.onRequest?.({ ...call, request });
    if (result instanceof Response) return result;
    request = result ?? request;
  }
  const reversed = [...middleware].reverse();
  let response = await send(request).catch(async (failure: unknown) => {
    let error = failure;
    for (const each of reversed) {
      const result = await each.onError?.({ ...call, request, error });
      if (result instanceof Response) return result;
      error = result ?? error;
    }
    throw error;
  });
  for (const each of reversed) response = (await each.onResponse?.({ ...call, request, response })) ?? response;
  return response;
}
