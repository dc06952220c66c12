import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { eitherForm } from '../database/form.ts';
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

/** Less than any `id`: before the first page. */
export const BEGINNING = Number.MIN_SAFE_INTEGER - 1;

/** Queries with the same key ask for the same page. */
export function pageKey({ limit, status, after }: PageQuery): string {
  return `${status} ${after} ${limit}`;
}

/** Reads a page for each query, in their order. */
export const selectPages = eitherForm(selectPagesAtOnce, selectPagesOfShards);

async function selectPagesAtOnce({ pool }: DatabaseHandle, queries: PageQuery[]): Promise<Page[]> {
  const [byStatus, all] = [queries.filter(({ status }) => status), queries.filter(({ status }) => !status)];
  const walk = async (select: typeof walkAll, chosen: PageQuery[]) =>
    chosen.length === 0 ? [] : select(pool, { queries: JSON.stringify(chosen) });
  const [pagesOfStatus, pagesOfAny] = await Promise.all([walk(walkStatus, byStatus), walk(walkAll, all)]);
  return queries.map(({ status }) => (status ? pagesOfStatus : pagesOfAny).shift() as Page);
}

/** The contract's Pet as JSON. A status that was not given stays absent. */
const petJson = sql`'{"id":' || id || ',"name":' || to_json(name) || ',"categoryId":' || category_id
  || coalesce(',"status":' || to_json(pets.status), '') || '}'`;

/** One pet more than the page holds is read, to know whether a next page follows. */
const pageColumns = sql`
  coalesce('[' || array_to_string(pets[1:query.max], ',') || ']', '[]') as pets,
  case when ids[query.max + 1] is not null then ids[query.max] end as next`;

const walk = (name: string, range: Range) =>
  statement<{ queries: string }, Page>(
    name,
    (value) => sql`
      select ${pageColumns}
      from rows from (json_to_recordset(${value('queries')}::json) as (status text, after bigint, "limit" integer))
        with ordinality as query (status, after, max, position),
      lateral (
        select array_agg(json) as pets, array_agg(id) as ids from (
          select id, ${petJson} as json from pets where ${range(sql`query.after`, sql`query.status`)}
          limit query.max + 1
        ) as pet
      ) as page
      order by position`,
  );

type Range = (after: RawBuilder<unknown>, status: RawBuilder<unknown>) => RawBuilder<unknown>;

const ofAny: Range = (after) => sql`id > ${after} order by id`;

/**
 * A range on both columns of the index instead of `status = … and id > …`: with skewed statistics, Postgres would walk the
 * primary key past all pets of another status.
 */
const ofStatus: Range = (after, status) =>
  sql`(pets.status, id) > (${status}, ${after}) and pets.status <= ${status} order by pets.status, id`;

const walkAll = walk('select_pets', ofAny);
const walkStatus = walk('select_pets_by_status', ofStatus);

/** Citus refuses a limit for each row of a list, so that each page is a statement. */
async function selectPagesOfShards({ pool }: DatabaseHandle, queries: PageQuery[]): Promise<Page[]> {
  const last = await selectLastVisible(pool);
  return Promise.all(
    queries.map(async ({ status, after, limit }) => {
      const rows = await (status ? pageOfStatus : pageOfAny)(pool, { status, after, last, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
      return { pets: `[${page.map(({ pet }) => pet)}]` as JsonText<Pets>, next };
    }),
  );
}

type PetRow = { id: number; pet: JsonText<Pet> };

type PageValues = Record<'after' | 'last' | 'limit', number> & { status?: string | undefined };

const page = (name: string, range: Range) =>
  statement<PageValues, PetRow>(name, (value) => {
    const [after, status] = [sql`${value('after')}::bigint`, sql`${value('status')}::text`];
    return sql`
      select id, ${petJson} as pet from pets where id <= ${value('last')}::bigint and ${range(after, status)}
      limit ${value('limit')}::integer`;
  });

const pageOfAny = page('select_page', ofAny);
const pageOfStatus = page('select_page_by_status', ofStatus);

/**
 * The `id` up to which all pets are visible in all shards. The commit of a creation reaches one node after the other, so a read
 * that started in the middle would return some of its pets. Read it before the pets.
 */
export async function selectLastVisible(on: pg.Pool | pg.PoolClient): Promise<number> {
  const { rows } = await on.query<{ last: number }>(SELECT_LAST_VISIBLE);
  return rows[0]?.last ?? 0;
}

const SELECT_LAST_VISIBLE = { name: 'select_last_visible', text: 'select last from pets_visible' };

const selectById = statement<{ ids: number[] }, PetRow>(
  'select_pets_by_id',
  (value) => sql`select id, ${petJson} as pet from pets where id = any(${value('ids')}::bigint[])`,
);

/** Reads the pets with these ids, in their order; undefined where there is none. */
export const selectPetsById = eitherForm(selectAllById, selectVisibleById);

async function selectAllById(db: DatabaseHandle, ids: number[]): Promise<(JsonText<Pet> | undefined)[]> {
  const rows = await selectById(db.pool, { ids });
  const found = new Map(rows.map(({ id, pet }) => [id, pet]));
  return ids.map((id) => found.get(id));
}

async function selectVisibleById(db: DatabaseHandle, ids: number[]): Promise<(JsonText<Pet> | undefined)[]> {
  const last = await selectLastVisible(db.pool);
  const pets = await selectAllById(db, ids);
  return pets.map((pet, index) => ((ids[index] as number) <= last ? pet : undefined));
}
