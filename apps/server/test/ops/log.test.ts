import { expect, test } from 'vitest';
import { describeError } from '../../src/ops/log.ts';

test('an error is logged with type, message, code, stack and causes, without other properties', () => {
  const cause = Object.assign(new TypeError('inner'), { code: '23514', detail: 'Failing row contains (1, Pet-e8a1)' });
  const error = Object.assign(new Error('outer', { cause }), { body: 'Pet-e8a1' });
  expect(describeError(error)).toEqual({
    type: 'Error',
    message: 'outer',
    stack: expect.stringContaining('log.test.ts'),
    cause: { type: 'TypeError', message: 'inner', code: '23514', stack: expect.any(String) },
  });
});

test('any thrown value can be logged', () => {
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
