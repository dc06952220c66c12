import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { compiled, type Value } from '../../src/database/compiled.ts';
import { builder } from '../../src/database/kysely.ts';
import { factsOf } from '../../src/database/nodes.ts';

test('SQL and functions of the author may change the session, placeholders do not', () => {
  const into = builder.withTables<{ books: { title: string } }>().insertInto('books');
  const inserted = compiled((_db, value: Value<{ title: string }>) => into.values({ title: value('title') }));
  const facts = [
    inserted(builder, { title: 'a' }).compile(),
    into.values({ title: 'a' }).compile(),
    into.values({ title: sql<string>`upper('a')` }).compile(),
    into.values(({ fn }) => ({ title: fn<string>('upper', [sql.lit('a')]) })).compile(),
  ].map((query) => factsOf(query).hasSql);
  expect(facts).toEqual([false, false, true, true]);
});
