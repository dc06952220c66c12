import { expect, test } from 'vitest';
import { expectLinear } from '../src/linear.ts';

/** Reads every fourth character of the rest at each character. This takes longer than any linear parser. */
function quadratic(text: string): number {
  let sum = 0.5;
  for (let from = 0; from < text.length; from++) for (let to = from; to < text.length; to += 4) sum += to;
  return sum;
}

test('a linear parser passes with its result, which may be asynchronous or thrown', async () => {
  const letters = (length: number) => 'a'.repeat(length);
  expect(await expectLinear((text) => text.length, letters)).toBe(65_536);
  expect(await expectLinear(async (text) => text.length, letters)).toBe(65_536);
  const refusal = new Error('refused');
  const refuse = () => {
    throw refusal;
  };
  expect(await expectLinear(refuse, letters)).toBe(refusal);
});

test('a quadratic parser is refused', async () => {
  const checking = expectLinear(quadratic, (length) => 'a'.repeat(length));
  await expect(checking).rejects.toThrow(/^4096 characters took .*: not linear$/);
});
