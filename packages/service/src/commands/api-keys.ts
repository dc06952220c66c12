import {
  type ApiKeyTable,
  createKey,
  type DatabaseHandle,
  hashKey,
  type KeysOf,
  limitsOf,
  NOW,
  subjectOf,
} from '@petstore-platform/server-runtime/operate';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { iso, type Row } from './output.ts';

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
export async function insertApiKey(
  { keyPrefix }: KeysOf,
  { kysely }: Pick<DatabaseHandle, 'kysely'>,
  newKey: NewApiKey,
) {
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

type ListedApiKey = Selectable<ApiKeyTable> & { last_used_at: Date | null; banned_until: Date | null };

/**
 * The last use of a key: each statement that counts its requests notes their minute. Where owners are limited, it is the last use of any
 * key of the owner.
 */
const lastUse = (subject: RawBuilder<string>) =>
  sql<Date | null>`(select to_timestamp(minute * 60.0) from rate_limits where subject = ${subject})`;

/** SQL of {@link subjectOf} for a row of `api_keys`. */
const subjectIn = ({ limitsBy }: Pick<KeysOf, 'limitsBy'>) =>
  limitsBy === 'owner' ? sql<string>`coalesce('owner:' || owner, 'key:' || id)` : sql<string>`'key:' || id`;

/** The end of the ban of a key. */
const banEnd = (subject: RawBuilder<string>) => sql<Date | null>`(select to_timestamp(banned_until / 1000.0)
  from rate_limits where subject = ${subject} and banned_until > ${NOW})`;

/** All keys, or those of an owner, or one. @param only.banned - whether to leave out those that are not banned */
export function selectApiKeys(
  { kysely }: DatabaseHandle,
  { banned = false, ...only }: { owner?: string; id?: number; banned?: boolean } = {},
  service: Pick<KeysOf, 'limitsBy'> = {},
) {
  const ban = banEnd(subjectIn(service));
  const keys = kysely
    .selectFrom('api_keys')
    .selectAll()
    .select(lastUse(subjectIn(service)).as('last_used_at'))
    .select(ban.as('banned_until'))
    .where((eb) => eb.and(only))
    .$if(banned, (all) => all.where(ban, 'is not', null))
    .orderBy('id')
    .limit(1_000);
  return pagesOf<ListedApiKey>((after) => keys.where('id', '>', after).execute());
}

/** Revoking a key again changes nothing. @throws Error for an unknown one */
export async function revokeApiKey({ kysely }: Pick<DatabaseHandle, 'kysely'>, id: number): Promise<void> {
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

/** A key with the use of its windows, which includes what servers have reserved. @throws Error for an unknown one */
export async function describeKey(service: KeysOf, db: DatabaseHandle, id: number): Promise<Row> {
  const { value: [row] = [] } = await selectApiKeys(db, { id }, service).next();
  if (!row) throw unknown(id);
  const { rows } = await sql<{ minute: number; day: number }>`
    select case when minute = ${NOW} / 60000 then minute_count else 0 end as minute,
      case when day = ${NOW} / 86400000 then day_count else 0 end as day
    from rate_limits where subject = ${subjectOf(service, `key:${id}`, row.owner)}`.execute(db.kysely);
  const { minute = 0, day = 0 } = rows[0] ?? {};
  return { ...shown(service, row), usedThisMinute: minute, usedThisDay: day };
}

/** The id of a key, also of a revoked one. */
export async function idOf({ kysely }: DatabaseHandle, key: string): Promise<number | undefined> {
  return (await kysely.selectFrom('api_keys').select('id').where('key_hash', '=', hashKey(key)).executeTakeFirst())?.id;
}
