/**
 * Streams of events (`text/event-stream`, HTML standard, server-sent events).
 *
 * @module
 */
import type { Call } from './call.ts';
import { checkText, invariant } from './checks.ts';
import { sleep, withDeadline } from './deadline.ts';
import { parseJson } from './error.ts';
import type { Operation } from './operation.ts';
import type { CallOptions } from './options.ts';
import type { Sdk } from './sdk.ts';

/** An event of a stream. */
export interface ServerEvent<Data = unknown> {
  /** The schema of the data in the contract. */
  readonly data: Data;
  /** The place in the stream, to continue there; undefined if the service gives none. */
  readonly id?: string | undefined;
  /** The type of the event. Default: `'message'`. */
  readonly type?: string | undefined;
}

/** Options of a stream of events. */
export interface EventOptions {
  /** The `id` of the last event that is known. The stream continues after it. Default: where the service begins. */
  readonly lastEventId?: string | undefined;
}

/**
 * The events of an operation. The first step of the iteration sends the request. A connection that ends, is silent for 45 seconds or fails
 * without a fault of the request (408, 429, 5xx) is replaced by another one, after the last event, for as long as it takes; with
 * `maxRetries: 0`, by none. The iteration ends by `break` and by `signal`, without an error, and with the error of any other failure.
 *
 * @example
 * for await (const { data } of api.watchItems({ signal })) console.log(data);
 */
export type EventStream<Data> = AsyncGenerator<ServerEvent<Data>, undefined, undefined>;

/** Milliseconds without a byte, not even a comment, after which a connection is taken for lost. */
const SILENCE = 45_000;
/** The longest wait before a connection, in milliseconds, unless the service names a longer one. */
const LONGEST_WAIT = 30_000;
/** The most characters of an event. More may be an attack. */
const LARGEST_EVENT = 10_000_000;

type Method = (...args: unknown[]) => Call<ReadableStream<Uint8Array> | undefined>;
type Wrap = NonNullable<Sdk['wrap']>;

/** Builds the clients of an SDK with events. `inner` builds those that it changes. */
export function eventsOf(operations: Sdk['operations'], inner?: Wrap): Wrap {
  return (build, options: CallOptions) => {
    const client = (inner?.(build, options) ?? build(options)) as Record<string, unknown>;
    for (const [name, operation] of Object.entries(operations)) {
      if (!operation.events) continue;
      const owner = (operation.stability ? client[operation.stability] : client) as Record<string, unknown>;
      owner[name] = listener(name, operation, owner[name] as Method, options);
    }
    return client;
  };
}

/** The method of an operation with events; `open` opens a connection. */
function listener(name: string, { parameters, body, events }: Operation, open: Method, inherited: CallOptions) {
  return async function* (...args: unknown[]): EventStream<unknown> {
    const count = (parameters ? 1 : 0) + (body ? 1 : 0);
    const { lastEventId, headers, ...options } = (args[count] ?? {}) as CallOptions & EventOptions;
    const { signal, maxRetries = inherited.maxRetries } = options;
    checkText(`${name}: lastEventId`, lastEventId);
    const { place, begin } = eventReader(lastEventId);
    for (let failures = 0; !signal?.aborted; failures++) {
      let least = 0;
      let lost: unknown;
      let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
      try {
        const from = place.last === undefined ? {} : { 'Last-Event-ID': place.last };
        const positional = Array.from({ length: count }, (_, index) => args[index]);
        const call = open(...positional, { ...options, headers: { ...headers, ...from }, as: 'stream' });
        const { data, response } = await call.withResponse();
        // The service has no further events (HTML standard).
        if (response.status === 204) return;
        reader = data?.getReader();
      } catch (error) {
        if (signal?.aborted) return;
        const { status, retryAfter = 0 } = Object(error);
        if (maxRetries === 0 || !/^(0|408|429|5..)$/.test(`${status}`)) throw error;
        least = retryAfter * 1000;
      }
      try {
        const read = begin();
        const decoder = new TextDecoder();
        while (reader) {
          const next = reader.read.bind(reader);
          const chunk = await withDeadline([signal], SILENCE, (cause) => cause, next).catch((error: unknown) => {
            lost = error;
          });
          if (!chunk || chunk.done) break;
          for (const { data, ...event } of read(decoder.decode(chunk.value, { stream: true }))) {
            failures = 0;
            const json = events === 'text' ? data : parseJson(data);
            invariant(json !== undefined || events !== 'json', `${name}: the data of an event are not JSON`);
            yield { ...event, data: json === undefined ? data : json };
          }
        }
      } finally {
        // The consumer may have left.
        void reader?.cancel().catch(() => {});
      }
      if (signal?.aborted || (maxRetries === 0 && !lost)) return;
      if (maxRetries === 0) throw lost;
      const longest = Math.min(place.retry * 2 ** failures, Math.max(place.retry, LONGEST_WAIT));
      const delay = Math.max(least, longest / 2) + (Math.random() * longest) / 2;
      await sleep(delay, [signal]).catch(() => {});
    }
  };
}

/** Reads events from the pieces of the texts of connections (HTML standard, server-sent events). */
export function eventReader(last: string | undefined) {
  const place = { last, retry: 2_000 };
  /** Reads one connection. An event that it does not end is forgotten. */
  const begin = () => {
    let [line, size, isAfterReturn] = ['', 0, false];
    let event = { id: place.last, type: '', data: [] as string[] };
    return function* read(piece: string): Generator<{ data: string; type: string; id: string | undefined }, void> {
      // Only whole lines are looked at, so that a long one takes linear time.
      const lines = (isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece).split(/\r\n|[\r\n]/);
      if (piece) isAfterReturn = piece.endsWith('\r');
      size += piece.length;
      lines[0] = line + lines[0];
      line = lines.pop() as string;
      for (const each of lines) {
        const [, name, value = ''] = /^([^:]*)(?::\x20?(.*))?$/s.exec(each) ?? [];
        if (each === '') {
          const { id, type, data } = event;
          place.last = id;
          if (data.length > 0) yield { data: data.join('\n'), type: type || 'message', id };
          event = { id, type: '', data: [] };
          size = 0;
        } else if (name === 'data') event.data.push(value);
        else if (name === 'event') event.type = value;
        else if (name === 'id' && !value.includes('\0')) event.id = value || undefined;
        else if (name === 'retry' && /^\d{1,9}$/.test(value)) place.retry = Number(value);
      }
      invariant(size <= LARGEST_EVENT, `an event is longer than ${LARGEST_EVENT} characters`);
    };
  };
  return { place, begin };
}

/** A response that sends events, for tests. */
export function eventResponse(events: Iterable<ServerEvent> | AsyncIterable<ServerEvent>): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = async () => {
    for await (const { id, type, data } of events) {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      const fields = { ...(id !== undefined && { id }), ...(type !== undefined && { event: type }) };
      const lines = [...Object.entries(fields), ...text.split('\n').map((line) => ['data', line])];
      await writer.write(new TextEncoder().encode(`${lines.map(([name, value]) => `${name}: ${value}\n`).join('')}\n`));
    }
    await writer.close();
  };
  void write().catch((error) => writer.abort(error));
  return new Response(readable, { headers: { 'Content-Type': 'text/event-stream' } });
}
