import { EventEmitter } from 'node:events';
import { PassThrough, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { logFailure } from '../../src/failure-log.ts';
import { describeError, logTo } from '../../src/ops/log.ts';

const parsed = (text: string) => [...text.matchAll(/^.+$/gm)].map(([line]) => JSON.parse(line));

test("Postgres' error is logged with its place and statement, without values", () => {
  const secret = 'Row-e8a1';
  const statement = { name: 'listBooks', text: 'select "title" from "books"' };
  const place = { severity: 'ERROR', code: '23514', position: '8', schema: 'public', table: 'books', column: 'title' };
  const rest = { dataType: 'text', constraint: 'books_title', routine: 'ExecConstraints' };
  const where = `SQL statement "insert into books values ('${secret}',\n'')"\nPL/pgSQL function copy() line 3 at EXECUTE\nJSON data, line 1: ${secret}`;
  const error = Object.assign(new pg.DatabaseError('it fails', 1, 'error'), { ...place, ...rest, statement, where });
  Object.assign(error, { detail: secret, hint: secret, internalQuery: secret, values: [secret] });
  const described = describeError(error);
  expect(described).toMatchObject({
    ...place,
    ...rest,
    statement,
    where: 'PL/pgSQL function copy() line 3 at EXECUTE',
  });
  expect(JSON.stringify(described)).not.toContain(secret);
});

test('an error is logged with the first line of the service in its stack', () => {
  const at = 'getBook (file:///srv/shop/dist/books/operations.js:12:5)';
  const others = [
    'Parser.parse (/srv/node_modules/pg-protocol/dist/parser.js:1:1)',
    'node:internal/process/task_queues:105:5',
    'new Promise (<anonymous>)',
    `async run (${new URL('../../src/steps/8-handler.ts', import.meta.url).href}:3:4)`,
  ];
  const atOf = (...frames: string[]) => {
    const stack = ['Error: x', 'a text', ...frames].join('\n    at ');
    return describeError(Object.assign(new Error('x\n    at a text'), { stack })).at;
  };
  expect(atOf(...others, at, 'main (file:///srv/shop/dist/main.js:1:1)')).toBe(at);
  expect(atOf(...others)).toBeUndefined();
  expect(describeError(new Error('x')).at).toContain('log.test.ts');
});

test('an error is logged with type, message, code, stack and causes, without other properties', () => {
  const cause = Object.assign(new TypeError('inner'), { code: '23514', detail: 'Failing row contains (1, Row-e8a1)' });
  const error = Object.assign(new Error('outer', { cause }), { body: 'Row-e8a1' });
  expect(describeError(error)).toEqual({
    type: 'Error',
    message: 'outer',
    at: expect.any(String),
    stack: expect.stringContaining('log.test.ts'),
    cause: { type: 'TypeError', message: 'inner', code: '23514', at: expect.any(String), stack: expect.any(String) },
  });
});

test('any thrown value can be logged', () => {
  const hostile = new Proxy({}, { get: () => expect.fail('read') });
  const fail = () => {
    throw new Error('read');
  };
  const unreadable = Object.defineProperty(new Error('x'), 'message', { get: fail });
  const own = Object.assign(new Error('own'), { code: Symbol('x') });
  own.cause = own;
  for (const [thrown, message] of [
    [undefined, 'undefined'],
    ['text', "'text'"],
    [Symbol('x'), 'Symbol(x)'],
    [hostile, '{}'],
    [unreadable, 'a value that cannot be read'],
    [own, 'own'],
    [new Proxy({}, { getPrototypeOf: fail }), 'a value that cannot be read'],
  ]) {
    expect(describeError(thrown)).toMatchObject({ message });
    const lines: unknown[] = [];
    const log = pino(
      { serializers: { err: describeError } },
      { write: (line: string) => lines.push(JSON.parse(line)) },
    );
    logFailure(log, { id: 'id' }, thrown);
    expect(lines).toMatchObject([{ reqId: 'id', msg: 'request failed' }]);
  }
});

test('without a reader a bounded number of lines waits; a line afterwards has the number of the others', async () => {
  const stream = new PassThrough({ encoding: 'utf8', highWaterMark: 100 });
  const output = logTo(stream, 1_000);
  for (let line = 0; line < 300; line++) {
    output.write(`{"line":${line}}\n`);
    if (line % 10 === 0) await setImmediate();
  }
  expect(stream.writableLength).toBeLessThanOrEqual(1_000);
  const { dropped } = output;
  expect(dropped).toBeGreaterThan(100);

  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  await expect.poll(() => text).toContain('dropped');
  output.write('{"line":300}\n');
  await output.flush();
  const lines = parsed(text);
  expect(lines.length).toBe(301 - dropped + 1);
  expect(lines.at(-2)).toMatchObject({
    level: 'warn',
    dropped,
    msg: 'log lines were dropped: standard output did not take them',
  });
  expect(lines.at(-1)).toEqual({ line: 300 });
});

test('lines that cannot be written, as on a full disk, count as dropped', async () => {
  let isFull = true;
  let written = '';
  // This stream takes further lines after an error, like standard output to a file.
  const write = (text: string, done: (error?: Error) => void) => {
    if (!isFull) written += text;
    done(isFull ? new Error('ENOSPC') : undefined);
  };
  const stream = Object.assign(new EventEmitter(), { writableLength: 0, write }) as unknown as Writable;
  const output = logTo(stream);
  for (let line = 0; line < 3; line++) output.write(`{"line":${line}}\n`);
  await output.flush();
  isFull = false;
  output.write('{"line":3}\n');
  await expect
    .poll(() => parsed(written))
    .toEqual([{ line: 3 }, expect.objectContaining({ level: 'warn', dropped: 3 })]);
});

test('the same failure of an operation is logged once a second, with the number of its repetitions', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: unknown[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const fail = (message: string, times: number, id = 'listBooks') => {
    for (let time = 0; time < times; time++)
      logFailure(log, { id: `${message} ${time}`, operation: { id } }, new Error(message));
  };
  const line = (message: string, fields: object) =>
    expect.objectContaining({ err: expect.objectContaining({ message }), ...fields });
  fail('full', 1_000);
  fail('locked', 1);
  fail('full', 1, 'getBook');
  const first = { reqId: 'full 0', operationId: 'listBooks', msg: 'request failed' };
  expect(lines).toEqual([
    line('full', first),
    line('locked', { reqId: 'locked 0' }),
    line('full', { ...first, operationId: 'getBook' }),
  ]);
  vi.advanceTimersByTime(1_000);
  const summary = { operationId: 'listBooks', msg: 'requests failed' };
  expect(lines.slice(3)).toEqual([line('full', { ...summary, reqId: 'full 999', repeated: 999 })]);
  fail('full', 2);
  vi.advanceTimersByTime(1_000);
  expect(lines.slice(4)).toEqual([line('full', { ...summary, reqId: 'full 1', repeated: 2 })]);
  vi.advanceTimersByTime(1_000);
  fail('full', 1);
  expect(lines.slice(5)).toEqual([line('full', first)]);
});
