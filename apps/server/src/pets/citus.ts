import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { OnCitus } from '../api/idempotency.ts';
import type { Page, PageQuery } from '../api/pages.ts';
import { OutcomeUnknown } from '../database/errors.ts';
import { query, type ReadHandle } from '../database/statement.ts';
import type { Pet } from '../generated/operations.ts';
import { petJson } from './pet.ts';

/**
 * Adds pets on Citus, where a commit reaches one node after the other. While this transaction is open, another connection commits
 * their rows. Then the commit, on the coordinator alone, makes them visible: reads go no further than `pets_visible`. The lock on
 * its only row lasts until then.
 *
 * Rows of a creation that did not get that far stay invisible. Their ids are given again, and the primary key refuses them until
 * they are deleted, even if Citus commits them later.
 */
export const createOnCitus: OnCitus = {
  change: {
    turn: sql`update pets_visible set last = last + count from (select count(*) from new) as new where count > 0
      returning last - count as before`,
    change: sql`select before + row_number() over (order by position) as id, new.* from turn cross join new`,
  },
  async beforeCommit({ kysely }, answers) {
    const pets: Pet[] = answers.map((answer) => JSON.parse(answer));
    if (pets.length === 0) return;
    const rows = pets.map(({ id, name, categoryId, status = null }) => sql`(${id}, ${name}, ${categoryId}, ${status})`);
    // Values: Citus copies the rows of any other source, which takes ten times as long.
    const columns = sql`(id, name, category_id, status) overriding system value`;
    const ids = pets.map(({ id }) => id);
    const insert = async (): Promise<void> => {
      try {
        await sql`insert into pets ${columns} values ${sql.join(rows)}`.execute(kysely);
      } catch (error) {
        // Rows of unfinished creations have the ids.
        if (!(error instanceof pg.DatabaseError && error.code === '23505')) throw error;
        await sql`delete from pets where id >= ${Math.min(...ids)}`.execute(kysely);
        await insert();
      }
    };
    await insert();
    const stored = await sql`select id from pets where id = any(${ids}::bigint[])`.execute(kysely);
    // Citus only warns of a node that has not committed.
    if (stored.rows.length < pets.length) throw new OutcomeUnknown('A node has not committed');
  },
};

const selectLastVisible = query<object, { last: number }>(
  'select_last_visible',
  () => sql`select last from pets_visible`,
);

/** The `id` up to which the rows of all creations are committed on all nodes. Called before pets are read. */
export async function lastVisible(db: ReadHandle): Promise<number> {
  if (!db.isDistributed) return Number.POSITIVE_INFINITY;
  const [row] = await selectLastVisible(db, {});
  return row?.last ?? 0;
}

const page = (name: string, range: (value: (name: 'after' | 'status') => RawBuilder<unknown>) => RawBuilder<unknown>) =>
  query<{ status?: unknown; after: unknown; last: number; count: number }, { id: number; pet: string }>(
    name,
    (value) => sql`select id, ${petJson('pets')} as pet from pets
      where id <= ${value('last')} and ${range(value)} limit ${value('count')}`,
  );

const selectPage = page('select_page', (value) => sql`id > ${value('after')} order by id`);

const selectPageOfStatus = page(
  'select_page_of_status',
  (value) => sql`(pets.status, id) > (${value('status')}, ${value('after')}) and pets.status <= ${value('status')}
    order by pets.status, id`,
);

/** Citus refuses a limit for each row of a list, so that each page is a statement. */
export async function selectPagesOnCitus(db: ReadHandle, queries: PageQuery[]): Promise<Page[]> {
  const last = await lastVisible(db);
  const select = async ({ status, after, limit }: PageQuery) => {
    const run = status === undefined ? selectPage : selectPageOfStatus;
    const rows = await run(db, { status, after, last, count: limit + 1 });
    const next = (rows[limit] && rows[limit - 1]?.id) ?? null;
    return { body: `[${rows.slice(0, limit).map(({ pet }) => pet)}]`, next };
  };
  return Promise.all(queries.map(select));
}
