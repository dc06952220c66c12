import { type Outgoing, serializers } from './arguments.ts';
import { nextCursor, type PageResult } from './call.ts';
import { withDeadline } from './deadline.ts';
import { type ErrorCode, failure, type PetstoreError, parseJson, reasonOf } from './error.ts';
import { metadata, parseDeprecation } from './headers.ts';
import { throughMiddleware, withText } from './middleware.ts';
import type { Fetch } from './options.ts';
import type { Settings } from './settings.ts';

/** What the calls of a client share. */
export interface Context {
  readonly settings: Settings;
  readonly fetch: Fetch;
  /** Operations whose deprecation was announced. */
  readonly announced: Set<string>;
}

/** Far more than any answer of the API. More is a fault or an attack, such as a small body that unpacks to gigabytes. */
const LARGEST_BODY = 10_000_000;

/**
 * Sends a call once and reads the whole answer.
 *
 * @param attempts - how many there are with this one
 * @returns a PetstoreError for a failure that another attempt may mend
 * @throws for an answer that none can mend, the caller's abort, and a fault of the caller's own code
 */
export async function attempt(
  call: Outgoing,
  { settings, fetch, announced }: Context,
  attempts: number,
  deadline: { ms: number; message: string },
): Promise<PageResult<unknown> | PetstoreError> {
  const { name: operation, method, path, params, body } = call;
  const { baseUrl, middleware, onDeprecation } = settings;
  let { url } = call;
  let apiKey = '';
  let response: Response | undefined;
  let text = '';
  /** Whose fault an exception is: the network's, or that of the caller's key function or middleware. */
  let fetching = false;
  const failed = (problem?: [ErrorCode, string], cause?: unknown) =>
    failure({ operation, method, url, attempts, response, text }, apiKey, problem, cause);

  /** The caller's `fetch`, with the body read, so that the limits hold for it, too. */
  const send = async (...[target, init]: Parameters<Fetch>): Promise<Response> => {
    url = Object.assign(new URL(target), { username: '', password: '' }).href;
    fetching = true;
    response = (await fetch(target, init)) as Response;
    for await (const part of partsOf(response, init.signal)) {
      text += part;
      if (text.length > LARGEST_BODY) break;
    }
    fetching = false;
    return response;
  };

  let answer: Response;
  try {
    answer = await withDeadline({ ...deadline, signal: call.signal }, async (signal) => {
      apiKey = await settings.apiKey();
      const headers = { ...Object.fromEntries(call.headers), authorization: `Bearer ${apiKey}` };
      const init = { method, headers, redirect: 'manual' as const, signal, ...(body !== undefined && { body }) };
      if (middleware.length === 0) return send(url, init);
      const options = { ...serializers, baseUrl, bodySerializer: JSON.stringify, parseAs: 'json' as const };
      const info = {
        schemaPath: path,
        params,
        id: String(Math.random()),
        options: { ...options, fetch: send as never },
      };
      const answer = await throughMiddleware(middleware, new Request(url, init), info, async (...args) => {
        const answer = await send(...args);
        if (answer.status > 0) response = withText(answer, text, url);
        return response as Response;
      });
      // Unless a middleware has answered.
      if (answer !== response) text = await answer.text();
      return answer;
    });
  } catch (cause) {
    call.signal?.throwIfAborted();
    if (Object(cause).name === 'TimeoutError') return failed(['timeout', (cause as Error).message], cause);
    if (fetching) return failed(['network_error', reasonOf(cause)], cause);
    throw cause;
  }

  response = answer;
  const { headers, status, ok, type } = answer;
  const notice = onDeprecation && !announced.has(operation) && parseDeprecation(operation, headers, url);
  if (notice) {
    announced.add(operation);
    tell(onDeprecation, notice);
  }
  if (type === 'opaqueredirect' || /^30[12378]$/.test(String(status))) {
    // The API does not redirect; following one could turn a POST into a GET, or give the key away.
    const location = headers.get('Location');
    throw failed(['unexpected_response', `redirect ${location ? `to ${location} ` : ''}refused`]);
  }
  if (text.length > LARGEST_BODY) {
    throw failed(['unexpected_response', `the body is longer than ${LARGEST_BODY} characters`]);
  }
  const result = ok && decode(text, call.result);
  if (!result) return failed();
  const next = call.pages ? nextCursor(headers, url) : undefined;
  if (next !== undefined && next === params.query.cursor) {
    throw failed(['unexpected_response', 'the next page is the one that was asked for']);
  }
  const { requestId, rateLimit } = metadata(headers);
  return { ...result, response: answer, requestId, rateLimit, attempts, nextCursor: next };
}

/** The body of a response as text, in parts. What another `fetch` than the runtime's gives may know nothing of the signal. */
async function* partsOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  const { body } = response;
  // That of node-fetch is a stream of Node.js; React Native has none.
  const { from } = Object(globalThis.ReadableStream) as { from?: (source: unknown) => ReadableStream };
  const stream = body && ('getReader' in body ? body : from?.(body));
  if (!stream) {
    yield await response.text();
    return;
  }
  const reader = stream.getReader();
  const cancel = () => reader.cancel(signal.reason).catch(() => {});
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      yield decoder.decode(value, { stream: !done });
      if (done) return;
    }
  } finally {
    cancel();
  }
}

/** The body of a success, in an object to tell "none is promised" from "another one came", which is undefined. */
function decode(text: string, result: Outgoing['result']): { data: unknown } | undefined {
  if (!result || (result === 'any' && text === '')) return { data: undefined };
  const data = parseJson(text);
  const type = Array.isArray(data) ? 'array' : data && typeof data;
  return type === result || (result === 'any' && data !== undefined) ? { data } : undefined;
}

/** Calls an observer, which cannot break what it observes. */
export function tell<T>(observer: ((event: T) => void) | undefined, event: T): void {
  try {
    observer?.(event);
  } catch {}
}
