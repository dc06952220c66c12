import type { OnDistributed } from '@repo/server-runtime';
import { sql } from 'kysely';
import pg from 'pg';
import type { Pet } from '../generated/operations.ts';
import { blockOf, countBlocks } from './blocks.ts';

/**
 * Adds pets on Citus, where a commit over several nodes reaches one after the other. While this transaction is open, another
 * connection commits their rows, each block on its node. Then the commit, on the coordinator alone, makes them visible: reads go no
 * further than `pets_visible`. The lock on its only row lasts until then.
 *
 * Rows of a creation that did not get that far stay invisible. Their ids are given again, and the primary key refuses them until
 * they are deleted, even if they arrive later.
 */
export const createOnCitus: OnDistributed = {
  change: {
    turn: sql`update pets_visible set last = last + count from (select count(*) from new) as new where count > 0
      returning last - count as before`,
    change: sql`select before + row_number() over (order by position) as id, new.* from turn cross join new`,
    counted: countBlocks(sql`change`),
  },
  async beforeCommit({ kysely }, bodies) {
    // Rows of one block are committed by one node, whose failure is an error. Values: Citus copies the rows of any other source,
    // which takes ten times as long.
    const pets: Pet[] = bodies.map((body) => JSON.parse(body));
    for (const [block, rows] of Map.groupBy(pets, ({ id }) => blockOf(id))) {
      const values = rows.map(
        (pet) => sql`(${pet.id}, ${pet.name}, ${pet.categoryId}, ${pet.status ?? null}, ${block})`,
      );
      await sql`insert into pets (id, name, category_id, status, block) values ${sql.join(values)}`.execute(kysely);
    }
  },
  async repair({ kysely }, error) {
    // Rows of unfinished creations have the ids. Citus reports the name of the table only in the message.
    if (!(error instanceof pg.DatabaseError && error.code === '23505' && /_pkey_\d+/.test(error.message))) return false;
    // Under the lock: of a server that was frozen meanwhile, nothing may be deleted.
    await kysely.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ last: number }>`select last from pets_visible for update`.execute(transaction);
      const [{ last = 0 } = {}] = rows;
      const block = blockOf(last + 1);
      await sql`delete from pets where id > ${last} and block in (${block}, ${block + 1})`.execute(transaction);
    });
    return true;
  },
};
