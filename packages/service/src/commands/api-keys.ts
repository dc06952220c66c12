import {
  type ApiKeyTable,
  createKey,
  type DatabaseHandle,
  hashKey,
  type KeysOf,
  limitsOf,
  NOW,
} from '@petstore-platform/server-runtime/operate';
import { type Selectable, sql } from 'kysely';
import { iso, type Row } from './output.ts';

/** The database, or a transaction in it. */
export type Db = Pick<DatabaseHandle, 'kysely'>;

export interface NewApiKey {
  name: string;
  plan: string;
  /** Requests per minute and day, if the plan leaves them open. */
  perMinute?: number | null | undefined;
  perDay?: number | null | undefined;
  owner?: string | null | undefined;
  /** Default: none. */
  scopes?: readonly string[] | undefined;
  /** Default: never. */
  expires?: Date | 'never' | undefined;
}

/** The columns of a key. */
export const columnsOf = ({ name, plan, perMinute, perDay, owner, scopes = [], expires }: NewApiKey) => ({
  name,
  plan,
  per_minute: perMinute ?? null,
  per_day: perDay ?? null,
  owner: owner ?? null,
  scopes: [...scopes],
  expires_at: expires instanceof Date ? expires : null,
});

/** Issues a key. The database keeps only its hash. */
export async function insertApiKey({ keyPrefix }: KeysOf, { kysely }: Db, newKey: NewApiKey) {
  const key = createKey(keyPrefix);
  const row = { ...columnsOf(newKey), key_hash: hashKey(key) };
  const { id } = await kysely.insertInto('api_keys').values(row).returning('id').executeTakeFirstOrThrow();
  return { id, key };
}

/** Reads rows in the order of their ids, some at a time, so that their number matters neither to memory nor to the time limit. */
export async function* pagesOf<Row extends { id: number }>(
  read: (after: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await read(after);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.id ?? after;
  }
}

/** What servers have counted, in the table `rate_limits`. */
interface Counts {
  /** Each statement that counts requests notes their minute. */
  last_used_at: Date | null;
  banned_until: Date | null;
  /** The requests in the windows of now, with those that servers have reserved. */
  minute: number | null;
  day: number | null;
}

type ListedApiKey = Selectable<ApiKeyTable> & Counts;

/** Counts of a row of `api_keys`: of all keys of its owner where owners are limited, as `subjectOf` has it. */
const countsOf = ({ limitsBy }: Pick<KeysOf, 'limitsBy'>) => sql<Counts>`(
  select to_timestamp(minute * 60.0) as last_used_at,
    case when banned_until > ${NOW} then to_timestamp(banned_until / 1000.0) end as banned_until,
    case when minute = ${NOW} / 60000 then minute_count end as minute,
    case when day = ${NOW} / 86400000 then day_count end as day
  from rate_limits where subject = ${limitsBy === 'owner' ? sql`coalesce('owner:' || owner, 'key:' || id)` : sql`'key:' || id`})`;

/** All keys, or those of an owner, or one. @param only.banned - whether to leave out those that are not banned */
export function selectApiKeys(
  { kysely }: DatabaseHandle,
  { banned = false, ...only }: { owner?: string; id?: number; banned?: boolean } = {},
  service: Pick<KeysOf, 'limitsBy'> = {},
) {
  const keys = kysely
    .selectFrom('api_keys')
    .leftJoinLateral(countsOf(service).as<'counts'>(sql`counts`), (join) => join.onTrue())
    .selectAll()
    .where((eb) => eb.and(only))
    .$if(banned, (all) => all.where('banned_until', 'is not', null))
    .orderBy('id')
    .limit(1_000);
  return pagesOf<ListedApiKey>((after) => keys.where('id', '>', after).execute());
}

/** Revoking a key again changes nothing. @throws Error for an unknown one */
export async function revokeApiKey({ kysely }: Db, id: number): Promise<void> {
  const revoked = kysely
    .updateTable('api_keys')
    .set(({ fn }) => ({ revoked_at: fn.coalesce('revoked_at', fn<Date>('now')) }));
  if ((await revoked.where('id', '=', id).executeTakeFirst()).numUpdatedRows === 0n) throw unknown(id);
}

export const unknown = (id: number) => new Error(`There is no key ${id}`);

/** A key, as the commands print it. */
export const shown = (service: KeysOf, row: ListedApiKey) => ({
  id: row.id,
  name: row.name,
  owner: row.owner,
  plan: row.plan,
  ...(limitsOf(service, row) ?? { perMinute: null, perDay: null }),
  createdAt: iso(row.created_at),
  expiresAt: iso(row.expires_at),
  revokedAt: iso(row.revoked_at),
  lastUsedAt: iso(row.last_used_at),
  bannedUntil: iso(row.banned_until),
  scopes: row.scopes,
});

/** A key with the use of its windows. @throws Error for an unknown one */
export async function describeKey(service: KeysOf, db: DatabaseHandle, id: number): Promise<Row> {
  const { value: [row] = [] } = await selectApiKeys(db, { id }, service).next();
  if (!row) throw unknown(id);
  return { ...shown(service, row), usedThisMinute: row.minute ?? 0, usedThisDay: row.day ?? 0 };
}

/** The id of a key, also of a revoked one. */
export async function idOf({ kysely }: DatabaseHandle, key: string): Promise<number | undefined> {
  return (await kysely.selectFrom('api_keys').select('id').where('key_hash', '=', hashKey(key)).executeTakeFirst())?.id;
}
