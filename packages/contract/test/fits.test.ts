import { expect, test } from 'vitest';
import type { Document } from '../src/contract.ts';
import { fitIn } from '../src/fits.ts';

test('data that look like schemas with one id are none', () => {
  const data = { $id: 'text', type: 'string' };
  const named = {
    type: 'object',
    'x-topics': data,
    example: data,
    properties: { a: { type: 'string', 'x-topics': data } },
  };
  const fits = fitIn({ components: { schemas: { Named: named } } } as never as Document);
  expect(fits({ $ref: '#/components/schemas/Named' }, { a: 'x' })).toBe(true);
  expect(fits({ $ref: '#/components/schemas/Named' }, { a: 1 })).toBe(false);
});
