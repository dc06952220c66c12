/** Event streams: generated, served, and listened to. */
import { connect as socketTo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Json } from './json.ts';
import { runtime, served, testing, untilStill } from './served.ts';

const CONTRACT = `
openapi: 3.1.0
info: { title: Notes, version: 1.0.0, license: { name: MIT, identifier: MIT } }
servers: [{ url: https://api.notes.example/v1 }]
paths:
  /notes/{board}:
    get:
      operationId: watchNotes
      summary: Notes of a board as they are added
      parameters: [{ name: board, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: OK, content: { text/event-stream: { schema: { $ref: '#/components/schemas/Note' } } } } }
  /all:
    get:
      operationId: watchAll
      summary: All notes from the first one, of any type
      responses: { '200': { description: OK, content: { text/event-stream: { schema: { type: string } } } } }
  /ticks:
    get:
      operationId: watchTicks
      summary: No query will do
      responses: { '200': { description: OK, content: { text/event-stream: {} } } }
components:
  schemas:
    Note: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string }, at: { type: string, format: date-time } } }
`;

const MIGRATION = runtime.migration(
  'create table notes (id bigint generated always as identity primary key, board text not null, text text not null, at timestamptz)',
  'drop table notes',
);
const TABLES = { columns: { notes: { id: 'bigint', board: 'text', text: 'text', at: 'timestamptz' } } };

let isEnded: boolean;
Object.assign(testing.intervals, { poll: 50, heartbeat: 200 });
const options = { tables: TABLES, migrations: { '001-notes': MIGRATION } };
const { built, server, request, headOf, connect, clientOf } = await served(
  CONTRACT,
  ({ events }) => ({
    watchNotes: events('watchNotes', ({ path: { board } }: Json, db: Json, { rows }: Json) =>
      rows(db.selectFrom('notes').select(['id', 'text', 'at']).where('board', '=', board)),
    ),
    watchAll: events(
      'watchAll',
      (_: Json, db: Json, { rows }: Json) => rows(db.selectFrom('notes').select(['id', 'board'])),
      {
        from: 'start',
        perCaller: 20,
      },
    ),
    watchTicks: events('watchTicks', async function* (_: Json, _db: Json, { lastEventId = '0', signal }: Json) {
      try {
        isEnded = false;
        for (let id = Number(lastEventId) + 1; id < 4; id++) yield { id: `${id}\nid: 9`, event: 'tick', data: { id } };
        yield { data: 'a\nb\r\nc' };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      } finally {
        isEnded = true;
      }
    }),
  }),
  options,
);

const add = (board: string, text: string, count = 1) =>
  server.db.pool.query('insert into notes (board, text) select $1, $2 from generate_series(1, $3)', [
    board,
    text,
    count,
  ]);

const listen = (target: string, headers?: object) => connect(`GET /v1${target}`, headers);
const idsIn = (text: string) => [...text.matchAll(/^id: (-?\d+)\ndata/gm)].map(([, id]) => Number(id));
const get = (target: string, headers = {}, method = 'GET') => request(target, method, undefined, headers);

test('listeners get the rows that are added, and continue after their last event', async () => {
  await add('a', 'before');
  const first = await listen('/notes/a');
  const head = await first.read(/retry: 2000\n/);
  expect(head).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-type: text\/event-stream; charset=utf-8/i);
  expect(head).toMatch(/cache-control: no-store[\s\S]*x-ratelimit-remaining: \d+/i);
  await add('b', 'of another board');
  await add('a', 'x"\n\u2028ü');
  const text = await first.read(/ü/);
  const [id] = idsIn(text);
  expect(text).toContain(`id: ${id}\ndata: {"id":${id},"text":"x\\"\\n\u2028ü"}\n\n`);
  first.destroy();
  await add('a', 'later', 250);
  const second = await listen('/notes/a', { 'Last-Event-ID': `${id}` });
  await expect.poll(() => idsIn(second.received().toString()).length).toBe(250);
  const ids = idsIn(second.received().toString());
  expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
  expect(ids[0]).toBe(Number(id) + 1);
});

/** A client whose connections end after so many events, and the `Last-Event-ID`s that it sent. */
function brokenClient(count = 1, options: object = {}) {
  const sent: (string | undefined)[] = [];
  const fetchOnce = async (url: string, init: Json) => {
    sent.push(init.headers['last-event-id']);
    const response = await fetch(url, init);
    if (!response.ok) return response;
    let seen = 0;
    const body = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).pipeThrough(
      new TransformStream<string, string>({
        transform(chunk, controller) {
          controller.enqueue(chunk.replace('retry: 2000', 'retry: 1'));
          seen += chunk.split('\ndata').length - 1;
          if (seen >= count) controller.terminate();
        },
      }),
    );
    return new Response(body.pipeThrough(new TextEncoderStream()), response);
  };
  return { client: clientOf(server, { fetch: fetchOnce, maxRetries: 2, ...options }), sent };
}

test('an SDK yields events, and connects again after the last one', async () => {
  const { client, sent } = brokenClient();
  const texts: string[] = [];
  const ids: Json[] = [];
  await add('sdk', 'before');
  const controller = new AbortController();
  const { signal } = controller;
  const adds = ['one', 'two\r\nü', 'three'];
  for await (const { id, type, data } of client.watchNotes({ board: 'sdk' }, { signal, lastEventId: '0' })) {
    texts.push(data.text);
    ids.push([id, type]);
    const next = adds.shift();
    if (next === undefined) controller.abort();
    else await add('sdk', next);
  }
  expect(texts).toEqual(['before', 'one', 'two\r\nü', 'three']);
  expect(sent).toEqual(['0', ...ids.slice(0, 3).map(([id]) => id)]);
  expect(ids[0]).toEqual([expect.stringMatching(/^\d+$/), 'message']);
});

test('events end with the error of a wrong request, and by a break', async () => {
  const { client, sent } = brokenClient(Infinity);
  await expect(client.watchNotes({ board: 'a' }, { lastEventId: 'x' }).next()).rejects.toMatchObject({ status: 400 });
  await expect(client.watchNotes({ board: 'a' }, { lastEventId: 'ü' }).next()).rejects.toThrow('lastEventId must be');
  expect(sent).toEqual(['x']);
  for await (const { type, data } of client.watchTicks({ lastEventId: '1' })) {
    expect([type, data]).toEqual(['tick', { id: 2 }]);
    break;
  }
  await expect.poll(() => isEnded).toBe(true);
  const all = [];
  for await (const { data } of client.watchTicks({ lastEventId: '2' })) if (all.push(data) === 2) break;
  expect(all).toEqual([{ id: 3 }, 'a\nb\nc']);
});

test('without retries, events end with their connection', async () => {
  const { client } = brokenClient(1, { maxRetries: 0 });
  const all = [];
  for await (const { data } of client.watchAll({ lastEventId: '0' })) all.push(typeof data);
  expect(all.length).toBeGreaterThan(0);
  expect(new Set(all)).toEqual(new Set(['string']));
  const lost = built.createClient({ apiKey: 'a', maxRetries: 0, fetch: () => Promise.reject(new Error('lost')) });
  await expect(lost.watchAll().next()).rejects.toMatchObject({ code: 'network_error' });
  const test = built.createTestClient({ watchNotes: ({ board }: Json) => [{ id: '1', data: { id: 1, text: board } }] });
  const told = [];
  for await (const event of test.watchNotes({ board: 'x' })) told.push(event);
  expect(told).toEqual([{ id: '1', type: 'message', data: { id: 1, text: 'x' } }]);
});

test('all listeners share the statement of a beat', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => listen('/all')));
  for (const each of all) await each.read(/"board": "a"/);
  const acquired = vi.fn();
  server.db.pool.on('acquire', acquired);
  await add('c', 'shared');
  for (const each of all) await each.read(/"board": "c"/);
  server.db.pool.off('acquire', acquired);
  // Some beats, each for six listeners, and the row that is added.
  expect(acquired.mock.calls.length).toBeGreaterThan(0);
  expect(acquired.mock.calls.length).toBeLessThanOrEqual(6);
});

test('a silent stream has heartbeats, and HEAD opens none', async () => {
  const connection = await listen('/notes/silent');
  await connection.read(/\n:\n\n[\s\S]*\n:\n\n/);
  const head = await get('/notes/silent', {}, 'HEAD');
  expect([head.status, head.headers.get('Content-Type'), await head.text()]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    '',
  ]);
});

test.each(['x', '1e3', '99999999999999999999', '1;drop', '-', '9'.repeat(300)])(
  'the Last-Event-ID %j is refused',
  async (id) => {
    expect((await get('/notes/a', { 'Last-Event-ID': id })).status).toBe(400);
  },
);

test('a caller has so many streams at a time, and those that it leaves do not count', async () => {
  const open = await Promise.all(Array.from({ length: 8 }, () => listen('/notes/limit')));
  for (const each of open) await each.read(/retry/);
  const refused = await get('/notes/limit');
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '5']);
  // One leaves by a reset, another one ends its side.
  open[0]?.destroy();
  open[1]?.end();
  await open[1]?.readToEnd();
  for (const _ of [1, 2]) {
    const next = await vi.waitFor(async () => {
      const connection = await listen('/notes/limit');
      expect(await connection.read(/HTTP\/1.1 \d+/)).toContain('HTTP/1.1 200');
      return connection;
    }, 60_000);
    await next.read(/retry/);
  }
});

test('a generator has types and ids without line breaks, and ends when its client is gone', async () => {
  const connection = await listen('/ticks', { 'Last-Event-ID': '1' });
  const text = await connection.read(/data: c\n\n/);
  expect(text).toContain('id: 2 id: 9\nevent: tick\ndata: {"id":2}\n\n');
  expect(text).toContain('data: a\ndata: b\ndata: c\n\n');
  expect(text).not.toContain('{"id":1}');
  connection.destroy();
  await expect.poll(() => isEnded).toBe(true);
});

test('a listener that does not read is not asked for, and gets all rows once it reads', async () => {
  await add('slow', 'x'.repeat(100_000), 300);
  const socket = socketTo(server.port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.write(headOf('GET /v1/notes/slow', { 'Last-Event-ID': 0 }));
  // Each of its round trips takes a connection of the pool.
  const acquired = vi.fn();
  server.db.pool.on('acquire', acquired);
  const calls = () => acquired.mock.calls.length;
  await expect.poll(calls).toBeGreaterThan(0);
  await untilStill(calls);
  server.db.pool.off('acquire', acquired);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.resume();
  await expect.poll(() => idsIn(text).length).toBe(300);
});

test('a drain ends streams at once', async () => {
  const [one, other] = [await listen('/notes/a'), await listen('/ticks')];
  for (const each of [one, other]) await each.read(/retry/);
  const began = performance.now();
  await server.app.requests.drain({ total: 200_000, quiet: 0 });
  for (const each of [one, other]) await each.readToEnd();
  expect(performance.now() - began).toBeLessThan(100_000);
});
