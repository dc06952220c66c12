import { expect, test } from 'vitest';
import { describeError } from '../../src/ops/log.ts';

test('an error is described by its kind, message, code, stack and causes, and nothing that it carries', () => {
  const cause = Object.assign(new TypeError('inner'), { code: '23514', detail: 'Failing row contains (1, Pet-e8a1)' });
  const error = Object.assign(new Error('outer', { cause }), { body: 'Pet-e8a1' });
  expect(describeError(error)).toEqual({
    type: 'Error',
    message: 'outer',
    stack: expect.stringContaining('log.test.ts'),
    cause: { type: 'TypeError', message: 'inner', code: '23514', stack: expect.any(String) },
  });
});

test('whatever was thrown can be described', () => {
  const hostile = new Proxy({}, { get: () => expect.fail('read') });
  for (const [thrown, message] of [
    [undefined, 'undefined'],
    ['text', "'text'"],
    [Symbol('x'), 'Symbol(x)'],
    [hostile, '{}'],
  ]) {
    expect(describeError(thrown)).toMatchObject({ message });
  }
});
