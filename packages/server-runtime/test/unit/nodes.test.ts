import { isoTime } from '@petstore-platform/server-runtime';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { compiled, type Value } from '../../src/database/compiled.ts';
import { builder } from '../../src/database/kysely.ts';
import { factsOf } from '../../src/database/nodes.ts';

test('only calls that may change a session make it be restored', () => {
  const hasSql = (value: RawBuilder<unknown>) => factsOf(builder.selectNoFrom(value.as('x')).compile()).hasSql;
  expect(hasSql(sql`case when a in (${1}, 2) then lower(b) else ${isoTime(sql<Date>`now()`)} end`)).toBe(false);
  const query = compiled((db, value: Value<{ x: string }>) => db.selectNoFrom(value('x').as('x')));
  expect(factsOf(query(builder, { x: 'a' }).compile()).hasSql).toBe(false);
  const [raw, ref] = [sql`${sql.raw('set_config')}('a', 'b', false)`, sql`${sql.ref('f')}(a)`];
  const others = [sql`f(a)`, sql`max(pg_advisory_lock (1)::text)`, sql`設定(a)`, sql`set_config/**/('a', 'b', false)`];
  for (const call of [...others, raw, ref]) expect(hasSql(call)).toBe(true);
  expect(factsOf(builder.schema.createTable('kept').temporary().as(builder.selectNoFrom([])).compile()).hasSql).toBe(
    true,
  );
});
