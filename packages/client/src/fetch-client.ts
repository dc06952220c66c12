// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

import { checkParameters, type Init, type Operation } from './arguments.ts';
import type { Attempt, PendingCall } from './attempt.ts';
import type { Page } from './call.ts';
import { type CallSite, callSite } from './call-site.ts';
import { now, withDeadline } from './deadline.ts';
import { NO_RESPONSE, parseJson, PetstoreError } from './error.ts';
import type { FetchClient } from './fetch-types.ts';
import { linkTarget } from './headers.ts';
import type { Middleware } from './middleware.ts';
import { fetchWithRetries } from './retry.ts';
import {
  absolute,
  CALL_OPTIONS,
  checkHeaders,
  checkText,
  type Fetch,
  invariant,
  readLimits,
  type Settings,
} from './settings.ts';
import { callUrl, mergeHeaders, throughMiddleware } from './transport.ts';

/** What a call of `fetchClient` resolves to. */
type Fetched = { data?: unknown; error?: unknown; response: Response };

/** Gives the `fetch` of one call, in tests. */
export type FetchOf = (name: string, operation: Operation, init: Init) => Fetch;

const KEY = 'Idempotency-Key';
const VERBS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];
/** Options of openapi-fetch that are not for `fetch`, and those that would send a call elsewhere, or unchecked. */
const OWN_OPTIONS = [...CALL_OPTIONS, 'params', 'body', 'bodySerializer', 'parseAs', 'middleware', 'fetch'];
const REFUSED_OPTIONS = ['baseUrl', 'querySerializer', 'pathSerializer', 'Request'];

/** Builds a client with the interface of openapi-fetch, whose calls have the checks, key, retries, deadlines and errors of this package. */
export function buildFetchClient(table: { readonly [name: string]: Operation }, settings: Settings, fetchOf?: FetchOf) {
  const all = [...settings.middleware];
  let calls = 0;

  /** Sends a call. Rejects with failures. A page must not lead to the cursor `landmark`. */
  const send = async (site: CallSite, name: string, operation: Operation, init: Init, landmark?: string) => {
    const { method, path, idempotencyKey: keyed } = operation;
    const { params = {}, headers, body, signal, idempotencyKey, parseAs = 'json', fetch, middleware = [] } = init;
    const refused = REFUSED_OPTIONS.find((option) => init[option] !== undefined);
    invariant(!refused, `${name}: unknown option "${refused}"`);
    invariant(body !== undefined || operation.body !== 'required', `${name}: the body is missing`);
    invariant(!signal || (signal.addEventListener as unknown), `${name}: signal must be an AbortSignal`);
    const baseUrl = absolute(settings.baseUrl);
    checkParameters(name, operation, params, baseUrl);
    const { [KEY]: given = idempotencyKey ?? (keyed === true ? uuid() : undefined), ...header } = params.header ?? {};
    invariant(keyed || given === undefined, `${name}: unknown option "idempotencyKey"`);
    const key: [string, string][] = given === undefined ? [] : [[KEY, checkText(`${name}: idempotencyKey`, given)]];
    const isForm = typeof FormData === 'function' && body instanceof FormData;
    const { bodySerializer = isForm ? (form: unknown) => form : JSON.stringify } = init;
    const serialized = body === undefined ? undefined : (bodySerializer(body) as BodyInit);
    const type = typeof serialized === 'string' ? [['Content-Type', 'application/json'] as [string, string]] : [];
    const lists = [type, settings.headers, checkHeaders(name, headers), checkHeaders(name, header), key];

    const limits = readLimits(init, settings);
    const ms = limits.totalTimeout;
    const call: PendingCall = {
      ...settings,
      ...limits,
      baseUrl,
      extras: Object.fromEntries(Object.entries(init).filter(([option]) => !OWN_OPTIONS.includes(option))),
      end: now() + ms,
      latest: { operation: name, method, url: baseUrl + path, attempts: 0, text: '', keys: new Set(), site },
    };
    if (fetch) call.fetch = (url, init) => fetch(new Request(url, init));
    else if (fetchOf) call.fetch = fetchOf(name, operation, init);
    const onTimeout = (cause: Error) => new PetstoreError(call.latest, 'timeout', cause.message, cause);
    const carry = async (signal: AbortSignal) => {
      const url = callUrl(baseUrl + path, params.path, params.query);
      // Not the caller's signal, which would keep a listener of each request.
      const request = new Request(url, {
        method: method.toUpperCase(),
        headers: mergeHeaders(...lists),
        body: serialized as BodyInit,
        signal,
      });
      const details = {
        request,
        schemaPath: path,
        params,
        id: `${++calls}`,
        options: { baseUrl },
      };
      const response = await throughMiddleware([...all, ...middleware], details, (request) =>
        fetchWithRetries(request, call, signal),
      );
      return resultOf(response, call.latest, operation, parseAs, [params.query?.cursor, landmark]);
    };
    const run = () => withDeadline([signal], ms, onTimeout, carry, `${ms} ms in total`);
    if (!settings.around) return run();
    let outcome: Promise<Page> | undefined;
    const info = {
      operationId: name,
      get attempts() {
        return call.latest.attempts;
      },
    };
    await settings.around(info, () => {
      outcome ??= run();
      // `around` may end without waiting for it.
      outcome.catch(() => {});
      return outcome;
    });
    invariant(outcome, 'around did not call next');
    return outcome;
  };

  const request = async (verb: string, path: string, init: Init = {}): Promise<Fetched> => {
    const site = callSite(request);
    const method = verb.toUpperCase();
    const unlisted = [`${method} ${path}`, { method, path, result: 'any', idempotencyKey: 'given' }] as const;
    const listed = Object.entries(table).find(([, row]) => row.method === method && row.path === path);
    const [name, operation] = listed ?? unlisted;
    try {
      const { data, response } = await send(site, name, operation, init);
      return { data, response };
    } catch (error) {
      if (!(error instanceof PetstoreError && error.response) || NO_RESPONSE.test(error.code)) throw error;
      return { error, response: error.response };
    }
  };
  const fetchClient = {
    ...Object.fromEntries(VERBS.map((verb) => [verb, request.bind(undefined, verb)])),
    request,
    use: (...more: Middleware[]) => void all.push(...more),
    eject: (...gone: Middleware[]) => void all.splice(0, Infinity, ...all.filter((each) => !gone.includes(each))),
  };
  return { fetchClient: fetchClient as unknown as FetchClient, send };
}

/** Reads a response. Throws if it is a failure, or a page that leads to one of `cursors`. */
async function resultOf(
  response: Response,
  latest: Attempt,
  { result, pages }: Operation,
  parseAs: string,
  cursors: unknown[],
): Promise<Page> {
  const asJson = parseAs === 'json';
  if (response !== latest.buffered) {
    // A middleware has replaced it.
    const text = asJson || !response.ok ? await response.text() : '';
    Object.assign(latest, { response, text, failure: undefined });
  }
  if (!response.ok) throw latest.failure ?? new PetstoreError(latest);
  const other = () => (parseAs === 'stream' ? response.body : response[parseAs as 'text']());
  const data = result && (asJson ? parseJson(latest.text) : await other());
  const type = Array.isArray(data) ? 'array' : data && typeof data;
  const expected = result === 'any' ? data !== undefined || latest.text === '' : type === result;
  if (asJson && !expected) throw new PetstoreError(latest, 'unexpected_response');
  // The API key is sent only to this API.
  const nextCursor =
    (pages && linkTarget(response.headers, 'next', latest.url)?.searchParams.get('cursor')) || undefined;
  if (nextCursor && cursors.includes(nextCursor))
    throw new PetstoreError(latest, 'unexpected_response', 'the next page was requested before');
  return { data, response: latest.response as Response, attempts: latest.attempts, nextCursor };
}

/** A UUID; random bits in a page that was not loaded over https; undefined without any source of randomness. */
function uuid(): string | undefined {
  const { crypto } = globalThis;
  return crypto?.randomUUID?.() ?? crypto?.getRandomValues(new Uint32Array(4)).join('-');
}
