import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { countWaiting } from '@petstore-platform/testkit/postgres';
import fc from 'fast-check';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Pipeline, prepare, type ReadOptions, run } from '../src/index.ts';
import { MAX_NAMES } from '../src/statement.ts';
import { openPeople, sql, type Tables } from './support.ts';

/** Reads by texts on an own database. */
async function openPipeline(max = 10, timeout = 0) {
  const { pool } = await openPeople({ max });
  const pipeline = new Pipeline({ pool, timeout });
  const read = async (text: string, values: unknown[] = [], options?: ReadOptions, name?: string) =>
    (await pipeline.read(prepare(text, values, name), options)).rows.map((row) => Object.values(row)[0]);
  return { read, pool, pipeline };
}

function stopTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Holds a lock for which `WAIT` waits. @returns a function that frees it */
async function hold(pool: pg.Pool, lock = 7) {
  const client = new pg.Client(pool.options);
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [lock]);
  const free = () => client.end();
  onTestFinished(free);
  return free;
}
const WAIT = 'select $1::text where pg_advisory_xact_lock_shared(7) is not null';

test('the failure of a read that has left its round trip is no one else’s', async () => {
  const { read, pool } = await openPipeline();
  const divide = 'select 1 / $1::integer';
  const name = 'select name from people where id = $1';
  await read(WAIT, ['x']);
  for (const text of [divide, name]) await read(text, [1]);
  const free = await hold(pool);
  const wait = (value: string) => read(WAIT, [value]);
  // It stalls. Three of them run alone, and the last waits for a turn.
  const [first, failing, ...others] = [wait('a'), read(divide, [0]), wait('b'), wait('c'), read(name, [2])];
  await expect(failing).rejects.toThrow('division by zero');
  await free();
  expect(await Promise.all([first, ...others])).toEqual([['a'], ['b'], ['c'], ['p2']]);
});

test('equal reads of a turn share a result, unless they are fresh', async () => {
  const { read, pipeline } = await openPipeline();
  const text = 'select random()';
  const together = (options?: ReadOptions) => Promise.all([1, 2, 3].map(() => read(text, [], options)));
  for (const [options, count] of [
    [undefined, 1],
    [{ isFresh: true }, 3],
  ] as const)
    expect(new Set((await together(options)).flat()).size).toBe(count);
  expect(await read(text)).not.toEqual(await read(text));
  // Each changes its result at once.
  const json = prepare(`select '{"a":[]}'::json as json`);
  const change = async () => (await pipeline.read(json)).rows.map((row) => (row.json as { a: number[] }).a.push(1));
  expect(await Promise.all([1, 2, 3].map(change))).toEqual([[1], [1], [1]]);
  const [bytes, same] = await Promise.all([1, 2].map(() => read(`select array['ab'::bytea]`)));
  (bytes as Buffer[][])[0]?.[0]?.fill(0);
  expect(same).toEqual([[Buffer.from('ab')]]);
  const [times, equal] = await Promise.all([1, 2].map(() => read(`select 'epoch'::timestamptz`)));
  (times as Date[])[0]?.setTime(1);
  expect(equal).toEqual([new Date(0)]);
  const [interval] = (await Promise.all([1, 2].map(() => read(`select '1 day'::interval`))))[1] ?? [];
  expect((interval as { toPostgres(): string }).toPostgres()).toBe('1 days');
  // Without a name, they are not equal.
  expect(await Promise.all(['select 1', 'select 2'].map((each) => read(each, [], {}, '')))).toEqual([[1], [2]]);
});

test('the next round trip goes out before the results of one are used', async () => {
  const { read, pipeline } = await openPipeline();
  const ask = (value: number) => read('select $1::integer', [value]);
  await ask(0);
  const before = pipeline.generation;
  const sent = await Promise.all(Array.from({ length: 32 }, (_, value) => ask(value).then(() => pipeline.generation)));
  // A round trip that stalls is followed by others.
  expect(Math.min(...sent)).toBeGreaterThanOrEqual(before + 2);
});

test('a read sees its own settings, and those without see none', async () => {
  const { read } = await openPipeline(1);
  const owner = (name?: string) =>
    read(
      `select coalesce(nullif(current_setting('app.owner', true), ''), 'none')`,
      [],
      name ? { settings: { 'app.owner': name } } : {},
    );
  for (let time = 0; time < 3; time++)
    expect((await Promise.all([owner('a'), owner(), owner('b'), owner('a')])).flat()).toEqual(['a', 'none', 'b', 'a']);
});

test('a setting is a text, whatever it holds', async () => {
  const { read } = await openPipeline(1);
  const show = (value: string) =>
    read(`select current_setting('app.owner')`, [], { settings: { 'app.owner': value }, isFresh: true });
  const part = fc.constantFrom(...`'"\\\n; a%?é縗`, '$$', '--', '/*', 'default', '\u00bf\\');
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1 }), async (parts) => {
      const value = parts.join('');
      expect(await show(value)).toEqual([value]);
    }),
    { numRuns: 300 },
  );
  for (const value of ['a\0b', 'a\ud800']) await expect(show(value)).rejects.toMatchObject({ code: '22021' });
  expect(await show('b')).toEqual(['b']);
});

test('a read changes and locks nothing, and fails alone', async () => {
  const { read, pool } = await openPipeline();
  await pool.query(
    `create function add(name text) returns integer language sql as 'insert into people (name) values (name) returning id'`,
  );
  const [count, add] = ['select count(*)::integer from people', `select add('x')`];
  for (let time = 0; time < 3; time++) {
    const texts = [count, add, 'select id from people for update', count];
    const results = await Promise.allSettled(texts.map((text) => read(text)));
    expect(results).toMatchObject([
      { value: [10] },
      { reason: { code: '25006', statement: { name: expect.stringMatching(/^q_/), text: add } } },
      { reason: { code: '25006' } },
      { value: [10] },
    ]);
  }
});

test('slow reads of callers leave connections to another, all of whose texts may be new', async () => {
  const { read, pool } = await openPipeline();
  const free = await hold(pool);
  const slow = Array.from({ length: 30 }, (_, index) => read(`${WAIT} -- ${index}`, ['x'], { caller: index % 3 }));
  for (let index = 0; index < 5; index++)
    expect(await read(`select ${index}, $1::integer`, [index], { caller: 'b' })).toEqual([index]);
  expect(await Promise.race([...slow, 'none'])).toBe('none');
  await free();
  expect(await Promise.all(slow)).toEqual(slow.map(() => ['x']));
});

test('a read that equals one behind the slow reads of another caller does not wait for these', async () => {
  const { read, pool } = await openPipeline();
  const free = await hold(pool);
  const text = `select $1::text where $1::text not like 'wait%' or pg_advisory_xact_lock_shared(7) is not null`;
  const ask = (value: string, caller: string) => read(text, [value], { caller });
  const slow = Array.from({ length: 9 }, (_, index) => ask(`wait ${index}`, 'a'));
  const last = ask('x', 'a');
  expect(await ask('x', 'b')).toEqual(['x']);
  expect(await last).toEqual(['x']);
  await free();
  await Promise.all(slow);
});

test('a read that runs is not failed by the wait of another caller', async () => {
  const { read, pool } = await openPipeline(4, 60_000);
  const text = 'select $1::text where pg_advisory_xact_lock_shared($1::bigint) is not null';
  const ask = (lock: string, caller: string) => read(text, [lock], { caller });
  const [one, other] = [await hold(pool), await hold(pool, 8)];
  const watching = new pg.Client(pool.options);
  await watching.connect();
  onTestFinished(() => watching.end());
  const slow = ask('7', 'z');
  // Its first run has ended.
  await expect.poll(() => countWaiting(watching, 300)).toBe(1);
  stopTimers();
  const equal = [ask('8', 'a'), ask('8', 'b')];
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  await one();
  await slow;
  while ((await countWaiting(watching)) !== 1) await setImmediate();
  await vi.advanceTimersByTimeAsync(60_000);
  await other();
  expect(await Promise.all(equal)).toEqual([['8'], ['8']]);
});

test.each([{}, { settings: { statement_timeout: '10s' } }])(
  'a read with %j that stalls holds up no other',
  async (options) => {
    const { read, pool } = await openPipeline();
    const text = `select $1::text where $1::text <> 'wait' or pg_advisory_xact_lock_shared(7) is not null`;
    for (let time = 0; time < 3; time++) await read(text, ['quick']);
    const free = await hold(pool);
    const stalled = read(text, ['wait'], { caller: 'a', ...options });
    const names = ['1', '2', '3'];
    expect(await Promise.all(names.map((name) => read(text, [name], { caller: 'b', ...options })))).toEqual(
      names.map((name) => [name]),
    );
    expect(await Promise.race([stalled, 'none'])).toBe('none');
    await free();
    expect(await stalled).toEqual(['wait']);
  },
);

test('reads that stall together hold up no other text of their turn', async () => {
  const { read, pool } = await openPipeline();
  const name = 'select name from people where id = $1';
  for (let time = 0; time < 2; time++) await Promise.all([read(WAIT, ['x']), read(name, [1])]);
  const free = await hold(pool);
  const why = vi.fn();
  subscribe('kysely-pipeline:read', why);
  onTestFinished(() => void unsubscribe('kysely-pipeline:read', why));
  const slow = ['a', 'b', 'c', 'd'].map((value) => read(WAIT, [value]));
  const ids = [1, 2, 3, 4, 5, 6, 7, 8];
  expect(await Promise.all(ids.map((id) => read(name, [id])))).toEqual(ids.map((id) => [`p${id}`]));
  await free();
  expect(await Promise.all(slow)).toEqual([['a'], ['b'], ['c'], ['d']]);
  const told = why.mock.calls.map(([message]) => message);
  expect(told).toContainEqual({ name: prepare(WAIT).name, sql: WAIT, why: 'stopped' });
});

test.each([0, 2])('reads whose connection hangs run on another, after %s runs', async (runs) => {
  const { read, pool } = await openPipeline();
  const all = () => Promise.all([1, 2].map((id) => read('select name from people where id = $1', [id])));
  for (let time = 0; time < runs; time++) await all();
  pool.once('acquire', ({ connection }: pg.Client) => void (connection.stream as Socket).pause());
  expect(await all()).toEqual([['p1'], ['p2']]);
});

test('a read that stalls alone is sent once', async () => {
  const { read, pool } = await openPipeline();
  for (let time = 0; time < 2; time++) await read(WAIT, ['x']);
  const free = await hold(pool);
  stopTimers();
  const stalled = read(WAIT, ['wait']);
  await setImmediate();
  await vi.advanceTimersByTimeAsync(1_000);
  await setImmediate();
  expect(pool.totalCount).toBe(1);
  await free();
  expect(await stalled).toEqual(['wait']);
});

test('a lost connection fails the reads that it had, and the next have another', async () => {
  const { read, pool } = await openPipeline(1);
  await read('select pg_backend_pid()');
  await expect(read('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
  expect(await read('select 1')).toEqual([1]);
  expect(pool.totalCount).toBe(1);
});

test('any queries at once have the results that they have by pg', async () => {
  const { db, pool } = await openPeople({ max: 3 });
  const plain = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ ...pool.options, max: 1 }) }),
  });
  onTestFinished(() => plain.destroy());
  const id = fc.integer({ min: 0, max: 12 });
  const values = fc.record({
    at: fc.date({ min: new Date('0001-01-01'), max: new Date('9999-01-01'), noInvalidDate: true }),
    bytes: fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
    data: fc.constantFrom<unknown>({ a: ['"', { b: 1 }] }, '{"a": "\\u00e9"}', '[1]'),
    large: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    number: fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 1e21, -0)),
    texts: fc.array(fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', ',', ' ', "'", 'é', '😀', '\n') })),
  });
  type On = Kysely<Tables>;
  const people = (on: On) => on.selectFrom('people').select(['id', 'name']).orderBy('id');
  const query = fc.oneof(
    values.map(({ at, bytes, data, large, number, texts }) => (on: On) => {
      const both = sql`${at}::timestamptz, ${at}::date, ${[at]}::timestamptz[], ${bytes}::bytea, ${[bytes]}::bytea[]`;
      const more = sql`${data}::jsonb, ${large}::bigint, ${large}::numeric, ${number}::float8, ${texts}::text[]`;
      return on.selectNoFrom(sql<string>`concat(${both}, ${more})`.as('value')).execute();
    }),
    id.map((id) => (on: On) => people(on).where('id', '=', id).execute()),
    fc.array(id).map(
      (ids) => (on: On) =>
        people(on)
          .where('id', 'in', [0, ...ids])
          .execute(),
    ),
    id.map((by) => (on: On) => on.selectNoFrom(sql<number>`12 / ${by}::integer`.as('value')).execute()),
    fc.string().map((text) => (on: On) => on.selectNoFrom(sql<string>`${text}::text`.as('value')).execute()),
    id.map((id) => (on: On) => on.updateTable('people').set({ age: id }).where('id', '=', id).execute()),
  );
  const outcome = (result: Promise<unknown>) => result.catch(({ code }) => code);
  await fc.assert(
    fc.asyncProperty(fc.array(query, { maxLength: 40 }), async (queries) => {
      const outcomes = queries.map((run) => outcome(run(db)));
      const expected: unknown[] = [];
      for (const run of queries) expected.push(await outcome(run(plain)));
      expect(await Promise.all(outcomes)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('a statement whose end is skipped after a failure is prepared again', async () => {
  const { pool } = await openPeople({ max: 1 });
  const client = await pool.connect();
  const select = (value: number) => prepare(`select ${value} as n`);
  for (let value = 1; value < MAX_NAMES; value++) await run(client, select(value));
  // It prepares two, so that two others leave the session.
  await expect(run(client, prepare('select 1 / 0'), select(0))).rejects.toThrow('division by zero');
  for (const value of [1, 2, 0]) expect(await run(client, select(value))).toMatchObject([{ rows: [{ n: value }] }]);
  // Nor has the session more of them after failures.
  for (let value = -20; value < 0; value++)
    await expect(run(client, select(value), prepare('select 1 / 0'))).rejects.toThrow('division by zero');
  for (let value = 0; value < MAX_NAMES; value++) await run(client, select(MAX_NAMES + value));
  const [counted] = await run(client, prepare('select count(*)::integer as n from pg_prepared_statements'));
  expect(counted?.rows[0]?.n).toBeLessThanOrEqual(MAX_NAMES);
  client.release();
});

test('reads that fail, asked for again and again, hold up no other', async () => {
  const { read } = await openPipeline();
  // It comes first in a round trip.
  const fail = () => read('select 1 / 0', [], { settings: { 'app.user': '1' } }).catch(() => {});
  const other = () => read('select 1', [], { settings: { 'app.user': '2' } });
  await Promise.all([fail(), other()]);
  let isDone = false;
  const failing = (async () => {
    while (!isDone) await fail();
  })();
  for (let turn = 0; turn < 10; turn++) expect(await other()).toEqual([1]);
  isDone = true;
  await failing;
});

test('a statement that says that a connection is lost fails alone', async () => {
  const { read, pool } = await openPipeline();
  await pool.query(`create function lose() returns text language plpgsql as 'begin raise sqlstate ''08001''; end'`);
  for (const text of ['select 1', 'select lose()']) await read(text).catch(() => {});
  const name = 'select name from people where id = $1';
  await read(name, [1]);
  // Its text is known by now, so that they share a round trip.
  await read('select $1::text where $1 <> $2 or lose() is null', ['a', 'b']);
  const losing = read('select $1::text where $1 <> $2 or lose() is null', ['a', 'a']);
  const others = [2, 3].map((id) => read(name, [id]));
  await expect(losing).rejects.toMatchObject({ code: '08001' });
  expect(await Promise.all(others)).toEqual([['p2'], ['p3']]);
  expect(pool.totalCount).toBe(1);
});

test('reads beside one that was stale run again, also if its connection is lost then', async () => {
  const { read, pool } = await openPipeline(2);
  const all = () => [1, 2].map((id) => read('select * from people where id = $1', [id])).concat(read('select 3'));
  for (let time = 0; time < 2; time++) await Promise.all(all());
  await pool.query('alter table people drop column age');
  pool.once('acquire', ({ connection }: pg.Client) =>
    connection.once('errorMessage', () => (connection.stream as Socket).destroy()),
  );
  expect(await Promise.all(all())).toEqual([[1], [2], [3]]);
});

test('times are sent as by pg, in the zone of the process', async () => {
  const { read, pool } = await openPipeline();
  vi.stubEnv('TZ', 'Asia/Kolkata');
  onTestFinished(() => void vi.unstubAllEnvs());
  const [text, values] = [
    'select array[$1::date::text, $2::timestamp[]::text]',
    [new Date(2024, 0, 15), [new Date(0)]],
  ];
  const { rows } = await pool.query({ text, values, rowMode: 'array' });
  expect(await read(text, values)).toEqual(rows[0]);
  expect(rows[0]).toEqual([['2024-01-15', '{"1970-01-01 05:30:00"}']]);
});

test('the timer of pg for a query ends with it', async () => {
  const { pool } = await openPeople();
  const limited = new pg.Pool({ ...pool.options, query_timeout: 60_000 });
  onTestFinished(() => limited.end());
  const pipeline = new Pipeline({ pool: limited });
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
  await pipeline.read(prepare('select 1'));
  const before = timers();
  for (let time = 0; time < 50; time++) await pipeline.read(prepare('select 1'));
  // Connections have timers, too.
  expect(timers()).toBeLessThan(before + 25);
});
