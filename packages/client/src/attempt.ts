import type { Outgoing } from './arguments.ts';
import type { PageResult } from './call.ts';
import { type ErrorCode, PetstoreError, parseJson, reasonOf } from './error.ts';
import { linkTarget, metadata, parseDeprecation } from './headers.ts';
import { Lost, throughMiddleware, withText } from './middleware.ts';

/** Bytes. Far more than any response of the API; a larger one may be an attack, such as gigabytes in a small gzip body. */
const LARGEST_BODY = 10_000_000;

/** Milliseconds. A longer timer fires at once (HTML standard, timers). */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Sends a call once and reads the whole response. Returns a failure that may be retried, and throws any other one. */
export async function attempt(
  call: Outgoing,
  attempts: number,
  /** The API keys of the call, for redaction. */
  keys: Set<string>,
  deadline: { ms: number; message: string },
): Promise<PageResult<unknown> | PetstoreError> {
  const { name: operation, method, body, middleware, onDeprecation, announced } = call;
  let { url } = call;
  let response: Response | undefined;
  let text = '';
  const failed = (code?: ErrorCode, detail?: string, cause?: unknown) => {
    const error = new PetstoreError({ operation, method, url, attempts, response, text, keys, code, detail, cause });
    // The stack trace keeps this scope until it is read.
    text = '';
    return error;
  };
  const refused = (detail: string) => failed('unexpected_response', detail);

  try {
    response = await withDeadline({ ...deadline, signal: call.signal }, async (signal) => {
      /** Calls the caller's `fetch`, which may ignore the signal, and reads the body, so that all limits include it. */
      const send = async (target: string, init: Parameters<typeof call.fetch>[1]) => {
        signal.throwIfAborted();
        url = Object.assign(new URL(target), { username: '', password: '' }).href;
        try {
          response = (await call.fetch(target, init)) as Response;
          await readBody(response, signal, (part) => {
            text += part;
            return text.length > LARGEST_BODY;
          });
          if (text.length > LARGEST_BODY) throw refused(`body longer than ${LARGEST_BODY} characters`);
        } catch (cause) {
          throw new Lost('', { cause });
        }
        if (middleware.length > 0 && /^[2-5]..$/.test(`${response.status}`)) response = withText(response, text, url);
        return response;
      };
      const apiKey = await call.apiKey();
      keys.add(apiKey);
      const headers = { ...Object.fromEntries(call.headers), authorization: `Bearer ${apiKey}` };
      const init = { method, headers, redirect: 'manual' as const, signal, ...(body !== undefined && { body }) };
      const answer = await (middleware.length > 0 ? throughMiddleware(call, init, send) : send(url, init));
      // A middleware may have answered instead.
      if (answer !== response) text = await answer.text();
      else if (middleware.length > 0) await answer.body?.cancel().catch(() => {});
      return answer;
    });
  } catch (error) {
    call.signal?.throwIfAborted();
    if (!(error instanceof Lost)) throw error;
    const { cause } = error;
    if (cause instanceof PetstoreError) throw cause;
    return failed(Object(cause).name === 'TimeoutError' ? 'timeout' : 'network_error', reasonOf(cause), cause);
  }

  const { headers, status } = response;
  const ok = status >= 200 && status < 300;
  const location = headers.get('Location')?.replace(/(^|\/)[^/]*@/, '$1');
  const notice = onDeprecation && !announced.has(operation) && parseDeprecation(operation, headers, url);
  if (notice) {
    announced.add(operation);
    new Promise((done) => done(onDeprecation(notice))).catch(() => {});
  }
  // The API does not redirect. Following could turn a POST into a GET, or leak the key.
  if (response.type === 'opaqueredirect' || /^30[12378]$/.test(String(status))) {
    throw refused(`redirect ${location ? `to ${location} ` : ''}refused`);
  }
  const data = call.result && parseJson(text);
  const type = Array.isArray(data) ? 'array' : data && typeof data;
  const promised = call.result === 'any' ? data !== undefined || text === '' : type === call.result;
  if (!ok || !promised) return failed(ok ? 'unexpected_response' : undefined);
  // The API key is sent only to this API.
  const nextCursor = (call.pages && linkTarget(headers, 'next', url)?.searchParams.get('cursor')) || undefined;
  if (nextCursor && [call.params.query.cursor, call.landmark].includes(nextCursor))
    throw refused('the next page was requested before');
  const { requestId, rateLimit } = metadata(headers);
  return { data, response, requestId, rateLimit, attempts, nextCursor };
}

/** Reads a body as text, in chunks, until `take` returns true. Cancels it on abort, which not every `fetch` does. */
async function readBody(response: Response, signal: AbortSignal, take: (part: string) => boolean): Promise<void> {
  const { body } = response;
  // node-fetch has a Node.js stream, React Native none.
  const { from } = Object(globalThis.ReadableStream) as { from?: (source: unknown) => ReadableStream };
  const reader = body && ('getReader' in body ? body : from?.(body))?.getReader();
  if (!reader) return void take(await response.text());
  const cancel = () => reader.cancel(signal.reason).catch(() => {});
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  for (let enough = false; !enough; ) {
    const { done, value } = await reader.read();
    enough = take(decoder.decode(value, { stream: !done })) || done;
  }
  // Node.js keeps the signal of a request, and all that its listeners hold, until a full garbage collection.
  signal.removeEventListener('abort', cancel);
  cancel();
}

/**
 * Runs a task until a signal aborts, or until a time limit in milliseconds (`TimeoutError`). Settles at once even if the task
 * ignores its signal, and leaves no timer or listener behind.
 */
export async function withDeadline<T>(
  { signal, ms, message }: { signal: AbortSignal | null | undefined; ms: number; message: string },
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let stop = (_cause: unknown) => {};
  const forward = () => stop(signal?.reason);
  const expire = () => stop(new DOMException(message, 'TimeoutError'));
  const timer = ms <= LONGEST_TIMER ? setTimeout(expire, ms) : undefined;
  signal?.addEventListener('abort', forward);
  try {
    return await new Promise<T>((resolve, reject) => {
      stop = (cause) => {
        controller.abort(cause);
        reject(new Lost('', { cause }));
      };
      task(controller.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}
