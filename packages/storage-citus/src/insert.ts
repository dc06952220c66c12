import { type InsertedRow, type Inserting, type Schema, sqlOf } from '@petstore-platform/server-runtime/storage';
import { sql } from 'kysely';
import pg from 'pg';
import { countBlocks, stillCounted } from './counts.ts';
import { BLOCK, blockOf, type Layout } from './layout.ts';

/** A row to insert: its block, and SQL of its values. */
type Row = [block: number, values: string];

/**
 * Adds rows on Citus, where a commit over several nodes reaches one after the other. While this transaction is open, another connection
 * commits the rows, each block on its node. Then the commit of this transaction, on the coordinator alone, makes them visible: reads go
 * no further than `visible`. The lock on its only row lasts until then.
 *
 * Rows of a creation that did not get that far stay invisible. Their ids are given again, and the primary key refuses them until they are
 * deleted, even if they arrive later.
 */
export function insertBlocks(
  layout: Layout,
  { given, answered }: InsertedRow,
  { defaultOf, typeOf }: Schema,
): Inserting {
  const { table, visible, filters } = layout;
  const columns = given.map(([column]) => column);
  /** The columns that Postgres fills, and that the response and the counts need. */
  const filled = [...new Set([...answered, ...filters])].filter((name) => ![ID, ...columns].includes(name));
  const names = [ID, ...columns, ...filled];
  const values = [
    ...given.map(([column, name]) => sql`"$new".${sql.ref(name)} as ${sql.ref(column)}`),
    ...filled.map(
      (name) => sql`${sql.raw(defaultOf(table, name) ?? `null::${typeOf(table, name)}`)} as ${sql.ref(name)}`,
    ),
  ];
  const literals = names.map((name) => sql`quote_nullable(${sql.ref(`own.${name}`)})`);
  const block = sql`own.${BLOCK}`;
  const steps = {
    lock: sql`update ${sql.table(visible)} set last = last + count, counted = ${stillCounted('intersect', filters)}
        from (select count(*) from "$new") as new where count > 0
        returning last - count as before`,
    $own: sql`select "$n", before + row_number() over (order by "$n") as id, ${sql.join(values)} from "lock" cross join "$new"`,
    counted: countBlocks(layout, sql`"$own"`),
  };
  return {
    steps: Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, sqlOf(step)])),
    row: sqlOf(sql`json_build_array(${block}, concat_ws(',', ${sql.join([...literals, block])}))`),
    async beforeCommit({ kysely }, rows) {
      const into = sql.join([...names, 'block'].map(sql.ref));
      // Rows of one block are committed by one node, whose failure is an error. They are inserted as values, as Citus copies the rows of
      // any other source, which takes ten times as long.
      for (const [, added] of Map.groupBy(rows as Row[], ([block]) => block)) {
        const values = sql.raw(added.map(([, values]) => `(${values})`).join());
        await sql`insert into ${sql.table(table)} (${into}) values ${values}`.execute(kysely);
      }
    },
    async repair({ kysely }, error) {
      // Rows of unfinished creations have the ids. Citus reports the name of the table only in the message.
      if (!(error instanceof pg.DatabaseError && error.code === '23505' && /_pkey_\d+/.test(error.message)))
        return false;
      // The lock keeps the rows of a server that was frozen meanwhile from being deleted.
      await kysely.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ last: number }>`select last from ${sql.table(visible)} for update`.execute(
          transaction,
        );
        const [{ last = 0 } = {}] = rows;
        const block = blockOf(last + 1);
        await sql`delete from ${sql.table(table)} where id > ${last} and block in (${block}, ${block + 1})`.execute(
          transaction,
        );
      });
      return true;
    },
  };
}

/** The column that lists go by. */
const ID = 'id';
