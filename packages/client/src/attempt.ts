// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

import { throwIfAborted, withDeadline } from './deadline.ts';
import { type ErrorCode, type Evidence, reasonOf, PetstoreError } from './error.ts';
import { Gate } from './gate.ts';
import { parseDeprecation } from './headers.ts';
import type { readLimits, Settings } from './settings.ts';
import { version } from './version.ts';

/**
 * The longest body, in characters: far more than any response of the API has. A longer one may be an attack, such as gigabytes
 * in a small gzip body.
 */
const LARGEST_BODY = 10_000_000;

/** One call of openapi-fetch, with all of its attempts. */
export interface PendingCall extends Settings, ReturnType<typeof readLimits> {
  /** Members of `RequestInit` and its extensions that the caller gave, such as `cache`, or `next` of Next.js. */
  readonly extras: object;
  /** The end of `totalTimeout`, by the clock of `now()`. */
  readonly end: number;
  latest: Attempt;
}

/** The state of one attempt. The next attempt gets a new one, because an abandoned attempt may still write to its own. */
export interface Attempt extends Evidence {
  failure?: PetstoreError;
  /** The response as openapi-fetch gets it, its body in memory. */
  buffered?: Response;
  /** The gate of the API key. Absent if the server gets no key, or before the key is known. */
  gate?: Gate;
  /** Whether the gate was closed, so that nothing was sent. */
  held?: boolean;
}

export type PlainRequest = Awaited<ReturnType<typeof plainRequest>>;

/** The request in a form that every `fetch` accepts, repeatedly. `authenticate` says whether to add the API key. */
export async function plainRequest(request: Request, call: PendingCall) {
  const { url, method } = request;
  const target = new URL(url);
  const headers: Record<string, string> = Object.fromEntries(request.headers);
  // A middleware may have chosen another server, or a credential of its own.
  const authenticate = headers.authorization === undefined && target.origin === new URL(call.baseUrl).origin;
  headers['x-petstore-client'] = `js/${version}`;
  call.latest = { ...call.latest, method, url: Object.assign(target, { username: '', password: '' }).href };
  const init = { ...call.extras, method, headers, redirect: 'manual' as const };
  // Firefox has no `Request.body` to ask.
  if (/^(GET|HEAD)$/.test(method)) return { url, init, authenticate };
  // Text is read as text: React Native reads bytes as Latin-1.
  const isText = !headers['content-encoding'] && /^[^;]*(json|text)/.test(headers['content-type'] ?? '');
  const body = isText ? await request.text() : await request.arrayBuffer();
  const filled = typeof body === 'string' ? body : body.byteLength;
  return { url, init: filled ? { ...init, body: body as string } : init, authenticate };
}

/** Sends a request once and reads the whole response. Rejects with a failure that must not be repeated. */
export async function attempt(
  call: PendingCall,
  { url, init, authenticate }: PlainRequest,
  signals: (AbortSignal | null)[],
): Promise<Attempt> {
  const { operation, method, url: shown, keys, site, attempts } = call.latest;
  const latest: Attempt = { operation, method, url: shown, keys, site, attempts: attempts + 1, text: '' };
  call.latest = latest;
  const fail = (code: ErrorCode, cause: unknown) => {
    latest.failure = new PetstoreError(latest, code, reasonOf(cause), cause);
    return latest.failure;
  };
  const send = async (signal: AbortSignal) => {
    const headers = { ...init.headers };
    if (authenticate) {
      const apiKey = await call.apiKey();
      if (apiKey) {
        keys.add(apiKey);
        headers.authorization = `Bearer ${apiKey}`;
      }
      latest.gate = gateOf(call, apiKey);
      latest.held = latest.gate.closedFor > 0;
    }
    throwIfAborted(signal);
    try {
      if (latest.held) Object.assign(latest, { attempts });
      // A `fetch` may ignore its signal, and so may its body: the deadline includes both.
      const answer = latest.held ? latest.gate?.refusal() : await call.fetch(url, { ...init, headers, signal });
      latest.response = answer as Response;
      await readBody(latest.response, signal, (part) => {
        latest.text += part;
        return latest.text.length > LARGEST_BODY;
      });
      return latest.response;
    } catch (cause) {
      throwIfAborted(signal);
      throw fail('network_error', cause);
    }
  };
  const attempted = withDeadline(signals, call.timeout, (cause) => fail('timeout', cause), send);
  const response = await attempted.catch((error) => {
    // The error is the reason of a signal, or an exception of `apiKey`.
    if (!error || error !== latest.failure) throw error;
  });
  if (!response) return latest;

  const { status, headers, type } = response;
  const { onDeprecation, announced } = call;
  const { text } = latest;
  const notice = onDeprecation && !announced.has(operation) && parseDeprecation(operation, headers, shown);
  if (notice) {
    announced.add(operation);
    tell(onDeprecation, notice);
  }
  const refused = (detail: string) => new PetstoreError(latest, 'unexpected_response', detail);
  if (text.length > LARGEST_BODY) throw refused(`body longer than ${LARGEST_BODY} characters`);
  // The API does not redirect. Following could turn a POST into a GET, or leak the key.
  if (type === 'opaqueredirect' || /^30[12378]$/.test(String(status))) {
    const location = headers.get('Location')?.replace(/(^|\/)[^/]*@/, '$1');
    throw refused(`redirect ${location ? `to ${location} ` : ''}refused`);
  }
  if (!/^[2-5]..$/.test(String(status))) throw refused('unexpected status');
  latest.buffered = bufferedResponse(response, text, shown);
  if (!latest.buffered.ok) latest.failure = new PetstoreError(latest);
  if (!latest.held) latest.gate?.read(response, latest.failure?.code);
  return latest;
}

/** Calls a function of the caller, whose exceptions are ignored. */
export function tell<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  new Promise((done) => done(listener?.(event))).catch(() => {});
}

/** The gate for an API key (or none) on a server. Open gates are removed when there are many, because keys may rotate. */
function gateOf({ gates, baseUrl }: PendingCall, apiKey: string | null): Gate {
  const name = `${baseUrl} ${apiKey}`;
  const gate = gates.get(name) ?? new Gate();
  if (gates.size > 100) for (const [other, { closedFor }] of gates) if (closedFor === 0) gates.delete(other);
  gates.set(name, gate);
  return gate;
}

/** Reads a body as text, in chunks, until `take` returns true. Cancels it on abort, which not every `fetch` does. */
async function readBody(response: Response, signal: AbortSignal, take: (part: string) => boolean): Promise<void> {
  const { body } = response;
  // The body is a Node.js stream in node-fetch, and absent in React Native.
  const { from } = Object(globalThis.ReadableStream) as { from?: (source: unknown) => ReadableStream };
  const reader = body && ('getReader' in body ? body : from?.(body))?.getReader();
  if (!reader) return void take(await response.text());
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  for (let enough = false; !enough; ) {
    const { done, value } = await reader.read();
    enough = take(decoder.decode(value, { stream: !done })) || done;
  }
  // Node.js keeps the signal of a request, with everything its listeners refer to, until a full garbage collection.
  signal.removeEventListener('abort', cancel);
  cancel();
}

/** A copy of a response whose body has been read. */
function bufferedResponse({ status, statusText, headers }: Response, text: string, url: string): Response {
  const bodiless = text === '' || /^(20[45]|304)$/.test(String(status));
  // The body is a string, because React Native's Response reads bytes as Latin-1.
  const copy = new Response(bodiless ? null : text, { status, statusText, headers });
  return Object.defineProperty(copy, 'url', { value: url });
}
