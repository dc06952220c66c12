import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../caller.ts';
import type { ServerEvent } from '../contract.ts';
import type { Query } from '../database/compiled.ts';
import { jsonOf } from '../database/json.ts';
import type { RequestDb } from '../database/statement.ts';
import { ApiError, isDatabaseUnavailable } from '../errors.ts';
import type { RequestState } from '../http/request-state.ts';
import type { Handler, HandlerResult } from './handler.ts';
import { type Keyset, keysetOf, pageIn } from './keyset.ts';
import { intervals, Listeners, Poller } from './listeners.ts';
import type { OperationParts } from './operation-parts.ts';
import { BEGINNING, keysets } from './page.ts';
import { HandlerContext, QueryResponse } from './query-response.ts';
import type { StreamContext } from './stream.ts';

export interface EventsOptions {
  /** The most streams of a caller at a time, on a server. Default: 8. */
  perCaller?: number;
  /** Where a client without a `Last-Event-ID` begins: with the next row, or with the first one. Default: `'now'`. */
  from?: 'now' | 'start';
}

type EventsRun = (request: never, db: never, tools: never) => QueryResponse | AsyncIterable<ServerEvent>;

/** The most rows that a listener gets at once. Further ones follow when it has read these. */
const MAX_ROWS = 100;

const { asc: NONE, desc: BEYOND } = BEGINNING;

/** An event as text. A line break in an id or a type would begin another field. */
function eventText({ id, event, data }: ServerEvent): string {
  const line = (name: string, value: string | undefined) =>
    value === undefined ? '' : `${name}: ${value.replace(/[\r\n\0]/g, ' ')}\n`;
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? 'null');
  const lines = text.split(/\r\n|[\r\n]/).map((each) => `data: ${each}\n`);
  return `${line('id', id)}${line('event', event)}${lines.join('')}\n`;
}

/** The SQL of the JSON of a row without a type in the contract: its columns, without those that the keyset adds. */
const ANY_JSON = `coalesce((select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(row)) where key not like '$%'), '{}')`;

/**
 * The handler of an event stream: a query that runs again and again after the last id, in one statement for all listeners, or an iterable.
 * A client that does not read is not asked for, and costs no memory.
 */
export function events(
  operation: string,
  run: EventsRun,
  { perCaller = 8, from = 'now' }: EventsOptions,
  parts: OperationParts,
) {
  const { scope } = parts;
  const { status, fields } = parts.response;
  const json = `json_build_array(row."$key0", (${fields ? jsonOf(fields, 'row') : ANY_JSON})::text)::text`;
  return (db: RequestDb): Handler => {
    const [poller, listeners] = [new Poller(), new Listeners()];
    const cachedKeyset = keysets();

    /** The rows after an id, as their ids and their JSON; or, beyond the last one, the last. */
    const rowsOf = async ({ query, page }: QueryResponse, caller: Caller) => {
      const compiled = query.compile();
      const order = [page?.by ?? 'id'].flat();
      const { parameters } = scope?.bind(compiled, caller) ?? compiled;
      const inDirection = async (direction: 'asc' | 'desc') => {
        const definition = { operation, json, query, order, direction, filters: [], isFirst: false };
        const keyset = await cachedKeyset(`${direction} ${order} ${compiled.sql}`, () =>
          keysetOf(definition, parts, db),
        );
        if (keyset.isSingle) return keyset;
        throw new Error(`${operation}: events are in the order of one column, which is an integer and never null`);
      };
      const read = async ({ statement, valuesOf }: Keyset, after: number, limit: number) => {
        const values = valuesOf(parameters, { after0: after, limit: limit + 1 });
        const [row] = await db.read(statement, compiled, { scope, caller }, values);
        return JSON.parse(pageIn(row).body) as [id: number, text: string][];
      };
      const [up, down] = [await inDirection('asc'), await inDirection('desc')];
      return {
        after: (id: number) => read(up, id, MAX_ROWS),
        last: async () => (await read(down, BEYOND, 1))[0]?.[0] ?? NONE,
      };
    };

    async function* ofQuery(
      response: QueryResponse,
      context: StreamContext,
      signal: AbortSignal,
    ): AsyncGenerator<string> {
      const { ending } = context;
      const rows = await rowsOf(response, context.caller);
      const lastEventId = context.lastEventId;
      let last = lastEventId === undefined ? (from === 'now' ? await rows.last() : NONE) : positionOf(lastEventId);
      // The client knows its place before the first event.
      yield `retry: 2000\n${last === NONE ? '' : `id: ${last}\n`}\n`;
      let spoke = performance.now();
      while (!signal.aborted && !ending.aborted) {
        const found = await rows.after(last);
        last = found.at(-1)?.[0] ?? last;
        const isSilent = found.length === 0 && performance.now() - spoke >= intervals.heartbeat;
        if (found.length > 0 || isSilent) {
          spoke = performance.now();
          yield found.map(([id, data]) => eventText({ id: `${id}`, data })).join('') || ':\n\n';
        }
        if (found.length < MAX_ROWS) await poller.next(signal, ending);
      }
    }

    const handle = async (request: object, context: StreamContext): Promise<HandlerResult> => {
      const { caller, state, lastEventId } = context;
      const headers = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
      if (context.isHead) return { status, headers, body: Readable.from(['']) };
      context.onEnd(listeners.take(caller, perCaller));
      if (lastEventId !== undefined && lastEventId.length > 200) throw unknownPosition();
      const tools = Object.assign(new HandlerContext(caller, state), {
        lastEventId,
        rows: (query: Query, { by = 'id' } = {}) => new QueryResponse('rows', query, {}, { by }),
      });
      const { signal } = tools;
      const source = run(
        request as never,
        db.reader(scope && { scope, caller }, { caller: caller.id }) as never,
        tools as never,
      );
      const texts =
        source instanceof QueryResponse
          ? ofQuery(source, context, signal)
          : ofIterable(poller, source, context, signal);
      // An exception at its beginning is a failure of the request.
      const first = await texts.next();
      context.onEnd(() => void texts.return(undefined));
      return { status, headers, body: ended(`${first.value ?? ''}`, texts, state) };
    };
    return Object.assign(handle as unknown as Handler, { isStream: true as const });
  };
}

/** The texts of a handler's own events. */
async function* ofIterable(
  poller: Poller,
  iterable: AsyncIterable<ServerEvent>,
  { ending }: StreamContext,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const iterator = iterable[Symbol.asyncIterator]();
  let isSettled = false;
  let wake = () => {};
  /** Asks for an event. It is looked at once: a race for each poll would keep all of these races until the event. */
  const ask = () => {
    isSettled = false;
    const next = iterator.next();
    const settle = () => {
      isSettled = true;
      wake();
    };
    next.then(settle, settle);
    return next;
  };
  try {
    yield 'retry: 2000\n\n';
    let spoke = performance.now();
    let next = ask();
    while (!signal.aborted && !ending.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      if (!isSettled) await Promise.race([promise, poller.next(signal, ending)]);
      if (!isSettled && performance.now() - spoke < intervals.heartbeat) continue;
      const result = isSettled ? await next : undefined;
      if (result?.done) return;
      if (result) next = ask();
      spoke = performance.now();
      yield result ? eventText(result.value) : ':\n\n';
    }
  } finally {
    // A generator that waits ends only after it, unless it looks at `signal`.
    void iterator.return?.();
  }
}

/**
 * A stream from its first text on. It ends while the database is away: the client connects again, and continues after its last event.
 * Nothing is sent to a caller whose key is revoked, or is another owner's by now, or whose token has expired.
 */
async function* ended(first: string, texts: AsyncGenerator<string>, { identity, authenticateAgain }: RequestState) {
  yield first;
  try {
    for await (const text of texts) {
      if (identity && !isDeepStrictEqual((await authenticateAgain?.())?.caller, identity.caller)) return;
      yield text;
    }
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
  }
}

const unknownPosition = () => new ApiError(400, 'header Last-Event-ID is none of this operation');

/** The id after which a client continues. It may be forged, and then only names another place. */
function positionOf(text: string): number {
  const id = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw unknownPosition();
  return id;
}
