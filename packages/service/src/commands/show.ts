import {
  type DatabaseHandle,
  hashKey,
  type KeysOf,
  limitsOf,
  NOW,
  subjectOf,
} from '@petstore-platform/server-runtime/operate';
import { sql } from 'kysely';
import { type ListedApiKey, selectApiKeys, unknown } from './api-keys.ts';
import { iso, type Row } from './output.ts';

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
