import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventReader } from '../src/events.ts';

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
