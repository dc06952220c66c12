import { sdk } from '@repo/bookstore/client/generated/sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EventStream, eventReader, eventsOf } from '../src/events.ts';
import { filesOf } from '../src/files.ts';
import { clientWith } from './helpers.ts';
import { errorResponse, type Respond } from './responses.ts';

test('events are the same in any pieces, with any ends of lines', () => {
  const text = fc.string().map((text) => text.replace(/[\r\n\0]/g, ''));
  const events = fc.array(
    fc.record({
      id: text.map((id) => `i${id}`),
      type: text.map((type) => `t${type}`),
      data: fc.array(text, { minLength: 1 }),
    }),
  );
  fc.assert(
    fc.property(events, fc.constantFrom('\n', '\r', '\r\n'), fc.array(fc.nat(20)), (events, end, sizes) => {
      const lines = events.flatMap(({ id, type, data }) => [
        ':',
        `id: ${id}`,
        `event:${type}`,
        'retry: 7',
        ...data.map((line) => `data: ${line}`),
        '',
      ]);
      const { begin, place } = eventReader('0');
      const read = begin();
      let rest = `${lines.map((line) => line + end).join('')}id: lost${end}data: lost`;
      const found = [];
      for (const size of [...sizes, rest.length]) {
        found.push(...read(rest.slice(0, size)));
        rest = rest.slice(size);
      }
      expect(found).toEqual(events.map(({ id, type, data }) => ({ id, type, data: data.join('\n') })));
      expect(place).toEqual({ last: events.at(-1)?.id ?? '0', retry: events.length > 0 ? 7 : 2_000 });
    }),
  );
});

test('an event without an end is refused', () => {
  const read = eventReader(undefined).begin();
  expect(() => {
    for (let count = 0; count < 20; count++) [...read('x'.repeat(1_000_000))];
  }).toThrow('longer than 10000000 characters');
});

/** A client with events, whose service answers as `respond` does, with the shortest waits, and the `Last-Event-ID` of its requests. */
function clientOf(respond: (count: number) => Response | Promise<Response>) {
  const operations = {
    watch: { method: 'GET', path: '/watch', events: 'json', result: 'any', options: { as: true } },
  } as const;
  const sent: (string | null)[] = [];
  const answer: Respond = ({ headers }) => respond(sent.push(headers.get('Last-Event-ID')));
  const events = { ...sdk, operations, formatOf: filesOf, wrap: eventsOf(operations) };
  const { client } = clientWith(events, answer, { maxRetries: 1 });
  return { watch: (client as { watch(options?: object): EventStream<unknown> }).watch, sent };
}
const STREAM = { 'Content-Type': 'text/event-stream; charset=utf-8' };
const event = (id: number) => new Response(`retry: 1\nid: ${id}\ndata: ${id}\n\n`, { headers: STREAM });

test('events outlast failures that are not those of the request, and end with one that is', async () => {
  const failures = [errorResponse(503), errorResponse(500), errorResponse(429, { 'Retry-After': '0' })];
  const answers = [event(1), ...failures, event(2), errorResponse(403)];
  const { watch, sent } = clientOf((count) => answers[count - 1] as Response);
  const found: unknown[] = [];
  const run = async () => {
    for await (const { data } of watch()) found.push(data);
  };
  await expect(run()).rejects.toMatchObject({ status: 403 });
  expect([found, sent]).toEqual([
    [1, 2],
    [null, '1', '1', '1', '1', '2'],
  ]);
});

test('a signal ends events without an error, also while they wait', async () => {
  const controller = new AbortController();
  const { watch, sent } = clientOf((count) => {
    if (count === 3) controller.abort();
    return event(count);
  });
  const found: unknown[] = [];
  for await (const { data } of watch({ signal: controller.signal })) found.push(data);
  expect([found, sent.length]).toEqual([[1, 2], 3]);
});

test.each([['text/html'], ['application/json'], ['text/event-streams'], [undefined]])(
  'a connection of another media type is no reason for another one: %s',
  async (type) => {
    const cancelled: unknown[] = [];
    // It never ends, as a stream whose header is forgotten.
    const body = () => new ReadableStream({ cancel: () => void cancelled.push(1) });
    const answer = () => new Response(body(), { headers: type ? { 'Content-Type': type } : {} });
    const { watch, sent } = clientOf((count) => (count === 1 ? event(1) : answer()));
    const run = async () => {
      for await (const { id } of watch()) expect(id).toBe('1');
    };
    await expect(run()).rejects.toMatchObject({
      name: 'BookstoreError',
      code: 'unexpected_response',
      status: 200,
      message: `watch failed: 200 unexpected_response: its Content-Type is ${type ?? 'absent'}, not text/event-stream`,
    });
    expect([sent.length, cancelled.length]).toEqual([2, 1]);
  },
);
