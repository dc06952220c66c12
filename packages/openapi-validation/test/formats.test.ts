import { expect, test } from 'vitest';
import { Compiler } from '../src/schemas.ts';

const zeros = '0'.repeat(43);

test('a date-time is one that Postgres stores, in the years 1 to 9999 of UTC', () => {
  const isTime = new Compiler().compile({ format: 'date-time' });
  const stored = `2024-01-01t00:00:00z 0001-01-01T00:00:00Z 0000-12-31T23:30:00-01:00 9999-12-31T23:59:59.9999994Z
    2016-12-31T23:59:60.999999999999999Z 2024-01-01T00:00:00+15:59 2024-01-01T00:00:00.${zeros}Z`;
  const refused = `0001-01-01T00:00:00+01:00 9999-12-31T22:59:60-01:00 9999-12-31T23:59:59-10:00 9999-12-31T23:59:59.9999995Z 2024-02-30T00:00:00+01:00
    2024-01-01T00:00:00 2024-01-01T24:00:00Z 2024-01-01T00:00:00+17:00 2024-13-01T00:00:00+01:00 2024-01-01T00:61:00+01:00 2024-01-01T00:00:00+16:00
    2024-01-01T00:00:00.${zeros}0Z`;
  expect(stored.split(/\s+/).filter((time) => !isTime(time))).toEqual([]);
  expect(refused.split(/\s+/).filter((time) => isTime(time))).toEqual([]);
});
