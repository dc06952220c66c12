import { LARGEST_BODY } from './constants.ts';
import { throwIfAborted, withDeadline } from './deadline.ts';
import { type CallError, type Evidence, type OwnCode, UNEXPECTED } from './error.ts';
import { createGate, type Gate, type Passage } from './gate.ts';
import { originOf } from './headers.ts';
import type { Settings } from './settings.ts';

/** One call of openapi-fetch, with all of its attempts. */
export interface PendingCall extends Settings, Omit<Evidence, 'sdk'> {
  /** Members of `RequestInit` and its extensions that the caller gave, such as `cache`, or `next` of Next.js. */
  readonly extras: object;
  /** Whether only this package sees the request and the response, so that plain objects can stand for them. */
  readonly isUnseen: boolean;
  /** The body to send; undefined for one that is read into memory. */
  bodyOf?: (request: Request) => unknown;
  /** The end of `totalTimeout`, by the clock of `now()`. */
  readonly end: number;
  /** The latest attempt; the call itself before the first one. */
  latest: Attempt;
}

/** The state of one attempt. The next attempt gets a new one, because an abandoned attempt may still write to its own. */
export interface Attempt extends Evidence {
  failure?: CallError;
  /** The body of a response that is not read as text. */
  data?: Blob | ReadableStream | string | undefined;
  /** Why the response is refused, whatever its status. Its body need not be read. */
  refusal?: string;
  /** Ends the reading of the body. */
  cancel?: () => void;
  /** The response as openapi-fetch gets it, its body in memory. */
  buffered?: Response;
  /** The gate of the server and credential. Absent before the key is known. */
  gate?: Gate;
  /** How the gate let it pass, or why nothing was sent. */
  passage?: Passage;
}

export type PlainInit = Awaited<ReturnType<typeof plainInit>>;

/** A request as the options of any `fetch`, repeatedly. */
export async function plainInit(request: Request, call: PendingCall) {
  const { url, method } = request;
  const headers: Record<string, string> = { ...Object.fromEntries(request.headers), ...call.sdk.headers };
  // A middleware may have changed them.
  Object.assign(call, { url, method });
  // Text is read as text: React Native reads bytes as Latin-1.
  const isText = !headers['content-encoding'] && /^[^;]*(json|text)/.test(headers['content-type'] ?? '');
  // Firefox has no `Request.body` to ask.
  const mayFill = !/^(GET|HEAD)$/.test(method);
  const body = mayFill && (call.bodyOf?.(request) ?? (isText ? await request.text() : await request.arrayBuffer()));
  const filled = (Object(body).byteLength ?? body) ? { body: body as string } : {};
  return { ...call.extras, method, headers, redirect: 'manual' as const, ...filled };
}

/** Sends a request once and reads the whole response. Rejects with a failure that must not be repeated. */
export async function attempt(call: PendingCall, init: PlainInit, signals: (AbortSignal | null)[]): Promise<Attempt> {
  const { sdk, keys, url } = call;
  const { attempts } = call.latest;
  const latest: Attempt = { ...call, attempts: attempts + 1 };
  call.latest = latest;
  const fail = (code?: OwnCode, reason?: unknown) => {
    latest.failure = new sdk.Error(latest, code, reason);
    return latest.failure;
  };
  const send = async (signal: AbortSignal) => {
    const headers = { ...init.headers };
    const origin = originOf(url);
    // A middleware may have chosen another server, or a credential of its own.
    const mayHaveKey = headers.authorization === undefined && origin === originOf(call.baseUrl);
    const apiKey = mayHaveKey && (await call.apiKey());
    if (apiKey) {
      keys.add(apiKey);
      headers.authorization = `Bearer ${apiKey}`;
    }
    const { gates } = call;
    const server = `${origin} ${headers.authorization}`;
    const gate = gates.get(server) ?? createGate();
    // Open gates are removed when there are many, because keys may rotate.
    if (gates.size > 100) for (const [other, { closedFor }] of gates) if (closedFor() === 0) gates.delete(other);
    gates.set(server, gate);
    throwIfAborted(signal);
    const passage = gate.enter(latest);
    Object.assign(latest, { gate, passage });
    const isSent = passage === 'sent';
    if (!isSent) latest.attempts = attempts;
    if (passage === 'queued') return undefined;
    try {
      // A `fetch` may ignore its signal, and so may its body: the deadline includes both.
      const answer = isSent ? await call.fetch(url, { ...init, headers, signal }) : gate.refusal(sdk.failures);
      latest.response = answer as Response;
      if (!latest.data && !latest.refusal) await readBody(latest, signal);
      return latest.response;
    } catch (cause) {
      throwIfAborted(signal);
      throw fail('network_error', cause);
    }
  };
  let response: Response | undefined;
  try {
    response = await withDeadline(signals, call.timeout, (cause) => fail('timeout', cause), send);
  } catch (error) {
    latest.cancel?.();
    // The error is the reason of a signal, or an exception of `apiKey`.
    if (!error || error !== latest.failure) throw error;
  }
  if (!response) return latest;

  const { statusText, headers, type } = response;
  // The API does not redirect. Following could turn a POST into a GET, or leak the key.
  // A redirection that is expected has data.
  const status = latest.data ? Math.min(response.status, 299) : response.status;
  if (latest.text.length > LARGEST_BODY) latest.refusal = `body longer than ${LARGEST_BODY} characters`;
  else if (type === 'opaqueredirect' || /^30[12378]$/.test(`${status}`)) {
    const location = headers.get('Location')?.replace(/(^|\/)[^/]*@/, '$1');
    latest.refusal = `redirect ${location ? `to ${location} ` : ''}refused`;
  } else if (!/^[2-5]..$/.test(`${status}`)) latest.refusal = 'unexpected status';
  if (latest.refusal) throw fail(UNEXPECTED, latest.refusal);
  // The body is a string, because React Native's Response reads bytes as Latin-1.
  const body = /^(20[45]|304)$/.test(`${status}`) ? null : latest.data || latest.text || null;
  const ok = status < 300;
  latest.buffered = call.isUnseen
    ? ({ ok, status, headers, text: async () => latest.text } as object as Response)
    : Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url });
  if (!ok) fail();
  return latest;
}

/** Calls a function of the caller, whose exceptions are ignored. */
export function tell<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  if (listener) new Promise((done) => done(listener(event))).catch(() => {});
}

/** Reads a body as text, in chunks, until it is too long. Cancels it on abort, which not every `fetch` does. */
async function readBody(latest: Attempt, signal: AbortSignal): Promise<void> {
  const { body } = latest.response as Response;
  // The body is a Node.js stream in node-fetch, and absent in React Native.
  const { from } = Object(globalThis.ReadableStream) as { from?: (source: unknown) => ReadableStream };
  const reader = body && ('getReader' in body ? body : from?.(body))?.getReader();
  if (!reader) {
    latest.text = await (latest.response as Response).text();
    return;
  }
  latest.cancel = () => void reader.cancel(signal.reason).catch(() => {});
  // The caller may have left before the response came.
  if (signal.aborted) latest.cancel();
  const decoder = new TextDecoder();
  for (let done = false; !done; ) {
    const chunk = await reader.read();
    done = chunk.done;
    latest.text += decoder.decode(chunk.value, { stream: !done });
    if (latest.text.length > LARGEST_BODY) return latest.cancel();
  }
}
