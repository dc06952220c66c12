import createOpenapiFetch from 'openapi-fetch';
import { checkParameters, encodeNames, unlisted } from './arguments.ts';
import type { PendingCall } from './attempt.ts';
import type { Page } from './call.ts';
import { type CallSite, callSite } from './call-site.ts';
import { checkText, invariant, refuseUnknown } from './checks.ts';
import { now, withDeadline } from './deadline.ts';
import { NO_RESPONSE, parseJson, UNEXPECTED } from './error.ts';
import { nextLink } from './headers.ts';
import type { Init, Operation } from './operation.ts';
import { fetchWithRetries } from './retry.ts';
import { absolute, CALL_OPTIONS, mergeHeaders, type Settings, withLimits } from './settings.ts';

/** The result of a call of openapi-fetch. */
type Fetched = { data?: unknown; error?: unknown; response: Response };

const KEY = 'Idempotency-Key';
/** Options of openapi-fetch that are not passed to `fetch`. CALL_OPTIONS has those of this package. */
const NOT_FOR_FETCH = /^(params|given|body|parseAs|flow|middleware|fetch)$|Serializer$/;
/** A client of openapi-fetch whose calls have the checks, key, retries, deadlines and errors of this package. */
export function buildFetchClient(settings: Settings) {
  const { operations, formatOf, Error: Failure } = settings.sdk;
  const client = createOpenapiFetch<object>();
  const { use } = client;
  let isUsed = false;
  client.use = (...middleware) => {
    isUsed ||= middleware.length > 0;
    use(...middleware);
  };
  // The types of openapi-fetch require a middleware to have one of the functions.
  client.use(...((settings.middleware ?? []) as never[]));
  // The types of openapi-fetch accept only literal paths.
  const core = client.request as unknown as (method: string, path: string, init: object) => Promise<Fetched>;

  /** Sends a call through openapi-fetch. Rejects with failures. A page must not lead to a cursor of `seen`. */
  const send = async (site: CallSite, name: string, operation: Operation, options: Init, seen = new Set<unknown>()) => {
    const init = formatOf?.(operation, options) ?? options;
    const { method, path, idempotencyKey: keyed, result, pages } = operation;
    const { params = {}, headers, body, signal, parseAs = 'json', fetch } = init;
    const { [KEY]: key, ...header } = params.header ?? {};
    const idempotencyKey = key ?? init.idempotencyKey ?? (keyed === true ? uuid() : undefined);
    // A `baseUrl` for one call could send the API key to another server.
    invariant(init.baseUrl === undefined, `${name}: unknown option "baseUrl"`);
    // Such as a Blob, a FormData, URLSearchParams or a Map, of which JSON would be `{}`.
    const kind = Object(body)[Symbol.toStringTag];
    invariant(!kind || init.bodySerializer, `${name}: a ${kind} is no JSON: give its content`);
    invariant(body !== undefined || operation.body !== 'required', `${name}: the body is missing`);
    const baseUrl = absolute(settings.baseUrl);
    checkParameters(name, operation, params, baseUrl);
    invariant(keyed || idempotencyKey === undefined, `${name}: unknown option "idempotencyKey"`);
    checkText(`${name}: idempotencyKey`, idempotencyKey);
    const sent = mergeHeaders(name, mergeHeaders(name, settings.headers, headers), params.header && header);

    const isJson = parseAs === 'json';
    const extras = Object.entries(init).filter(([name]) => !NOT_FOR_FETCH.test(name) && !(name in CALL_OPTIONS));
    const limited = withLimits(name, settings, init);
    const ms = limited.totalTimeout;
    const call = {
      ...limited,
      operation: name,
      method,
      url: baseUrl + path,
      attempts: 0,
      text: '',
      keys: new Set<string>(),
      site,
      notFound: operation.notFound,
      baseUrl,
      isUnseen: isJson && !isUsed && !init.middleware,
      extras: Object.fromEntries(extras),
      end: now() + ms,
    } as PendingCall;
    call.latest = call;
    if (fetch) call.fetch = (url, init) => fetch(new Request(url, init));
    init.flow?.(call);
    const onTimeout = (cause: Error) => new Failure(call.latest, 'timeout', cause);
    const carry = (signal: AbortSignal) =>
      core(method, path, {
        ...init,
        baseUrl,
        // A serializer of the caller encodes the names itself.
        params: typeof init.querySerializer === 'function' ? params : { ...params, query: encodeNames(params.query) },
        headers: { ...sent, [KEY]: idempotencyKey },
        // JSON is parsed below, because openapi-fetch would throw a bare SyntaxError.
        parseAs: isJson ? 'text' : parseAs,
        // The caller's signal is not passed on, because it would keep a listener of each request.
        signal: call.isUnseen ? undefined : signal,
        fetch: (request: Request) => fetchWithRetries(request, call, signal),
      });
    const run = async (): Promise<Page> => {
      const { data, error, response } = await withDeadline([signal], ms, onTimeout, carry, `${ms} ms in total`);
      const { latest } = call;
      if (response !== latest.buffered) {
        // A middleware has replaced the response, and openapi-fetch has read its body.
        const body = data ?? error ?? '';
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        Object.assign(latest, { response, text, failure: undefined });
      }
      if (!response.ok) throw latest.failure ?? new Failure(latest);
      const value = result && (isJson ? parseJson(data as string) : (data ?? (latest.data || latest.text)));
      const type = Array.isArray(value) ? 'array' : value && typeof value;
      const expected = result === 'any' ? value !== undefined || !data : type === result;
      if (isJson && !expected) throw new Failure(latest, UNEXPECTED);
      // A link to another server is ignored, because the request would send the API key there.
      const nextCursor = (pages && nextLink(response.headers, latest.url)?.searchParams.get('cursor')) || undefined;
      seen.add(params.query?.cursor);
      if (nextCursor && seen.has(nextCursor))
        throw new Failure(latest, UNEXPECTED, 'the next page was requested before');
      return { data: value, response: latest.response as Response, attempts: latest.attempts, nextCursor };
    };
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
      // `around` may end without waiting for the outcome, whose rejection would then be unhandled.
      outcome.catch(() => {});
      return outcome;
    });
    invariant(outcome, 'around did not call next');
    return outcome;
  };

  const request = async (verb: string, path: string, init: Init = {}): Promise<Fetched> => {
    const site = callSite(request);
    const method = verb.toUpperCase();
    const listed = Object.entries(operations).find(([, row]) => row.method === method && row.path === path);
    const [name, operation] = listed ?? unlisted(method, path);
    const { path: inPath, query } = init.params ?? {};
    if (listed) refuseUnknown(name, 'parameter', { ...inPath, ...query }, operation.parameters);
    try {
      const { data, response } = await send(site, name, operation, init);
      return { data, response };
    } catch (error) {
      if (!(error instanceof Failure && error.response) || NO_RESPONSE.test(error.code)) throw error;
      return { error, response: error.response };
    }
  };
  const fetchClient = Object.assign(client, { request, baseUrl: settings.baseUrl });
  for (const verb of Object.keys(client))
    if (/^[A-Z]+$/.test(verb)) Object.assign(client, { [verb]: request.bind(undefined, verb) });
  return { fetchClient, send };
}

/** A UUID, or other unique text in a page that was not loaded over https and in React Native. It is no secret. */
const uuid = () => globalThis.crypto?.randomUUID?.() ?? [Date.now(), Math.random(), Math.random()].join('-');
