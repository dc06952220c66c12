import { EventEmitter } from 'node:events';
import { PassThrough, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { logFailure } from '../../src/failure-log.ts';
import { describeError, LogOutput } from '../../src/ops/log.ts';

test('an error is logged with type, message, code, stack and causes, without other properties', () => {
  const cause = Object.assign(new TypeError('inner'), { code: '23514', detail: 'Failing row contains (1, Row-e8a1)' });
  const error = Object.assign(new Error('outer', { cause }), { body: 'Row-e8a1' });
  expect(describeError(error)).toEqual({
    type: 'Error',
    message: 'outer',
    stack: expect.stringContaining('log.test.ts'),
    cause: { type: 'TypeError', message: 'inner', code: '23514', stack: expect.any(String) },
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
    logFailure(log, 'id', thrown);
    expect(lines).toMatchObject([{ reqId: 'id', msg: 'request failed' }]);
  }
});

test('without a reader a bounded number of lines waits; a line afterwards has the number of the others', async () => {
  const stream = new PassThrough({ encoding: 'utf8', highWaterMark: 100 });
  const output = new LogOutput(stream, 1_000);
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
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
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
  const written: string[] = [];
  // This stream takes further lines after an error, like standard output to a file.
  const write = (text: string, done: (error?: Error) => void) => {
    if (!isFull && text) written.push(...text.trimEnd().split('\n'));
    done(isFull ? new Error('ENOSPC') : undefined);
  };
  const stream = Object.assign(new EventEmitter(), { writableLength: 0, write }) as unknown as Writable;
  const output = new LogOutput(stream);
  for (let line = 0; line < 3; line++) output.write(`{"line":${line}}\n`);
  await output.flush();
  isFull = false;
  output.write('{"line":3}\n');
  await expect.poll(() => written.length).toBe(2);
  const lines = written.map((line) => JSON.parse(line));
  expect(lines).toContainEqual({ line: 3 });
  expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', dropped: 3 }));
});

test('the same failure is logged once a second, with the number of its repetitions', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: unknown[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const fail = (message: string, times: number) => {
    for (let time = 0; time < times; time++) logFailure(log, `${message} ${time}`, new Error(message));
  };
  const line = (message: string, fields: object) =>
    expect.objectContaining({ err: expect.objectContaining({ message }), ...fields });
  fail('full', 1_000);
  fail('locked', 1);
  expect(lines).toEqual([line('full', { reqId: 'full 0' }), line('locked', { reqId: 'locked 0' })]);
  vi.advanceTimersByTime(1_000);
  expect(lines.slice(2)).toEqual([line('full', { repeated: 999, msg: 'requests failed' })]);
  fail('full', 2);
  vi.advanceTimersByTime(1_000);
  expect(lines.slice(3)).toEqual([line('full', { repeated: 2 })]);
  vi.advanceTimersByTime(1_000);
  fail('full', 1);
  expect(lines.slice(4)).toEqual([line('full', { reqId: 'full 0' })]);
});
