import { type RawBuilder, sql } from 'kysely';
import type { DatabaseHandle } from '../database/open.ts';
import { statement } from '../database/statement.ts';
import type { Pet, PetStatus, Pets } from '../generated/operations.ts';
import type { JsonText } from '../json-text.ts';

/** A page of the list, which is in ascending order of `id`. */
export interface PageQuery {
  /** Pets at most. */
  limit: number;
  /** Default: pets of any status, or of none. */
  status?: PetStatus | undefined;
  /** The `id` before the first pet. */
  after: number;
}

export interface Page {
  pets: JsonText<Pets>;
  /** The `id` of the last pet; null when no page follows. */
  next: number | null;
  /** The link to the next page, written by the first request that needs it. */
  link?: string;
}

/** Pets in the result of a statement, at most: of 1.6 kB each, it takes 16 MB. */
export const MAX_ROWS = 10_000;

/** Less than any `id`: before the first page. */
export const BEGINNING = Number.MIN_SAFE_INTEGER - 1;

/** The contract's Pet as JSON. A status that was not given stays absent. */
const petJson = sql`'{"id":' || id || ',"name":' || to_json(name) || ',"categoryId":' || category_id
  || coalesce(',"status":' || to_json(pets.status), '') || '}'`;

/** One pet more than the page holds is read, to know whether a next page follows. */
const walk = (name: string, range: RawBuilder<unknown>) =>
  statement<{ queries: string }, Page>(
    name,
    (value) => sql`
      select coalesce('[' || array_to_string(pets[1:query.max], ',') || ']', '[]') as pets,
        case when ids[query.max + 1] is not null then ids[query.max] end as next
      from rows from (json_to_recordset(${value('queries')}::json) as (status text, after bigint, "limit" integer))
        with ordinality as query (status, after, max, position),
      lateral (
        select array_agg(json) as pets, array_agg(id) as ids from (
          select id, ${petJson} as json from pets where ${range} limit query.max + 1
        ) as pet
      ) as page
      order by position`,
  );

const ofAny = (after: unknown) => sql`id > ${after} order by id`;

/**
 * A range on both columns of the index instead of `status = … and id > …`: with skewed statistics, Postgres would walk the
 * primary key past all pets of another status.
 */
const ofStatus = (after: unknown, status: unknown) =>
  sql`(pets.status, id) > (${status}, ${after}) and pets.status <= ${status} order by pets.status, id`;

const walkAll = walk('select_pets', ofAny(sql`query.after`));
const walkStatus = walk('select_pets_by_status', ofStatus(sql`query.after`, sql`query.status`));

/** Reads a page for each query, in their order. */
export async function selectPages(db: DatabaseHandle, queries: PageQuery[]): Promise<Page[]> {
  if (db.shards) {
    const last = await selectLastVisible(db.kysely);
    // Citus refuses a limit for each row of a list, so that each page is a statement.
    const select = async ({ status, after, limit }: PageQuery) => {
      const range = status ? ofStatus(after, status) : ofAny(after);
      const { rows } = await sql<{ id: number; pet: JsonText<Pet> }>`
        select id, ${petJson} as pet from pets where id <= ${last} and ${range} limit ${limit + 1}`.execute(db.kysely);
      const pets = rows.slice(0, limit).map(({ pet }) => pet);
      return { pets: `[${pets}]` as JsonText<Pets>, next: (rows[limit] && rows[limit - 1]?.id) ?? null };
    };
    return Promise.all(queries.map(select));
  }
  const select = async (walk: typeof walkAll, chosen: PageQuery[]) =>
    chosen.length === 0 ? [] : walk(db.pool, { queries: JSON.stringify(chosen) });
  const [filtered, others] = [queries.filter(({ status }) => status), queries.filter(({ status }) => !status)];
  const [pagesOfStatus, pagesOfAny] = await Promise.all([select(walkStatus, filtered), select(walkAll, others)]);
  return queries.map(({ status }) => (status ? pagesOfStatus : pagesOfAny).shift() as Page);
}

/** The `id` up to which the rows of all creations are committed on all nodes of Citus. It is read before them. */
async function selectLastVisible(kysely: DatabaseHandle['kysely']): Promise<number> {
  const { rows } = await sql<{ last: number }>`select last from pets_visible`.execute(kysely);
  return rows[0]?.last ?? BEGINNING;
}

const selectById = statement<{ ids: number[] }, { id: number; pet: JsonText<Pet> }>(
  'select_pets_by_id',
  (value) => sql`select id, ${petJson} as pet from pets where id = any(${value('ids')}::bigint[])`,
);

/** Reads the pets with these ids, in their order; undefined where there is none. */
export async function selectPetsById(db: DatabaseHandle, ids: number[]): Promise<(JsonText<Pet> | undefined)[]> {
  const last = db.shards ? await selectLastVisible(db.kysely) : Number.POSITIVE_INFINITY;
  const rows = await selectById(db.pool, { ids: ids.filter((id) => id <= last) });
  const found = new Map(rows.map(({ id, pet }) => [id, pet]));
  return ids.map((id) => found.get(id));
}
