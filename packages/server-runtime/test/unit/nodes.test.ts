import { isoTime } from '@petstore-platform/server-runtime';
import { type Expression, expressionBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { compiled, type Value } from '../../src/database/compiled.ts';
import { builder } from '../../src/database/kysely.ts';
import { factsOf } from '../../src/database/nodes.ts';

test('only calls that may change a session make it be restored', () => {
  const hasSql = (value: Expression<unknown>) => factsOf(builder.selectNoFrom(sql`${value}`.as('x')).compile()).hasSql;
  expect(hasSql(sql`case when a in (${1}, 2) then lower(b) else ${isoTime(sql<Date>`now()`)} end`)).toBe(false);
  const query = compiled((db, value: Value<{ x: string }>) => db.selectNoFrom(value('x').as('x')));
  expect(factsOf(query(builder, { x: 'a' }).compile()).hasSql).toBe(false);
  const [raw, ref] = [sql`${sql.raw('set_config')}('a', 'b', false)`, sql`${sql.ref('f')}(a)`];
  const others = [sql`f(a)`, sql`max(pg_advisory_lock (1)::text)`, sql`設定(a)`, sql`set_config/**/('a', 'b', false)`];
  const { fn, tuple, parens, val } = expressionBuilder<{ t: { a: string; b: string } }, 't'>();
  const around = [sql`('a')`, parens(val('a')), tuple('a', 'b'), sql.join([sql`('a')`]), parens(sql`'a'`, '=', 'b')];
  const split = [...around.map((values) => sql`f${values}`), sql`${sql.raw('f')}${sql`('a')`}`, sql`"now"('a')`];
  const aggregates = [fn.agg<string>('f', [val('a')]), fn.max('a').filterWhere(fn('f', []), '=', 1)];
  for (const call of [...others, raw, ref, ...split, ...aggregates]) expect(hasSql(call)).toBe(true);
  const harmless = [fn.max('a').distinct(), fn.countAll().over((over) => over.partitionBy('b')), sql`lower${sql`(a)`}`];
  for (const value of harmless) expect(hasSql(value)).toBe(false);
  const insertion = builder
    .insertInto('s.t')
    .values({ a: 1, b: sql`now()` })
    .onConflict((on) => on.column('a').doNothing());
  expect(factsOf(insertion.compile()).hasSql).toBe(false);
  expect(factsOf(builder.schema.createTable('kept').temporary().as(builder.selectNoFrom([])).compile()).hasSql).toBe(
    true,
  );
});
