import type { ApiKeyChangeTable, KeysOf, PlanLimits } from '@petstore-platform/server-runtime/operate';
import { type Selectable, sql } from 'kysely';
import { columnsOf, type Db, insertApiKey, type NewApiKey, pagesOf, unknown } from './api-keys.ts';
import { iso } from './output.ts';

/** A change in the log, as the commands print it. */
export type Change = ReturnType<typeof changeOf>;

export const changeOf = (row: Selectable<ApiKeyChangeTable>) => ({
  time: iso(row.changed_at),
  action: row.action,
  keyId: row.api_key_id,
  before: fieldsOf(row.before),
  after: fieldsOf(row.after),
  role: row.role,
  by: row.changed_by,
});

/** Names the fields as in the output of the other commands. */
function fieldsOf(columns: Record<string, unknown> | null): Record<string, unknown> | null {
  const named = (column: string) => column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return columns && Object.fromEntries(Object.entries(columns).map(([column, value]) => [named(column), value]));
}

/**
 * Changes keys in a transaction. A trigger of the table writes the log of changes.
 *
 * @param by - the person who does it
 * @param then - runs before the commit
 */
export function changeKeys<Result, Shown>(
  { kysely }: Db,
  by: string | undefined,
  work: (db: Db) => Promise<Result>,
  then: (result: Result, changes: Change[]) => Shown | Promise<Shown>,
): Promise<Shown> {
  return kysely.transaction().execute(async (transaction) => {
    const log = transaction.selectFrom('api_key_changes');
    const last = await log.select(({ fn }) => fn.max('id').as('id')).executeTakeFirst();
    await sql`select set_config('service.by', ${by ?? ''}, true)`.execute(transaction);
    const result = await work({ kysely: transaction });
    // Other transactions may have changed other keys meanwhile.
    const isOfTransaction = sql<boolean>`xmin = pg_current_xact_id()::xid`;
    const rows = await log
      .selectAll()
      .where('id', '>', last?.id ?? 0)
      .where(isOfTransaction)
      .orderBy('id')
      .execute();
    return then(result, rows.map(changeOf));
  });
}

/** The log of changes, of all keys or of one. */
export function selectChanges({ kysely }: Db, keyId?: number) {
  const changes = kysely.selectFrom('api_key_changes').selectAll().orderBy('id').limit(1_000);
  const selected = keyId === undefined ? changes : changes.where('api_key_id', '=', keyId);
  return pagesOf((after) => selected.where('id', '>', after).execute());
}

/** @throws Error for limits that the plan sets itself, and for missing ones that it leaves open */
export function checkLimits(plans: Readonly<Record<string, PlanLimits>>, { plan, perMinute, perDay }: NewApiKey): void {
  const open = plans[plan]?.perMinute === null;
  if ((perMinute !== undefined) !== open || (perDay !== undefined) !== open)
    throw new Error(`The ${plan} plan ${open ? 'requires' : 'refuses'} --per-minute and --per-day`);
}

/** Issues a key. @throws Error for an expiry that has passed */
export async function create(service: KeysOf, db: Db, newKey: NewApiKey) {
  await refusePast(db, newKey.expires);
  return insertApiKey(service, db, newKey);
}

/** Changes the given properties of a key. @returns whether it is revoked */
export async function update({ contract }: KeysOf, db: Db, id: number, changes: Partial<NewApiKey>): Promise<boolean> {
  const row = await lock(db, id);
  const { name = row.name, owner = row.owner, plan = row.plan, scopes = row.scopes } = changes;
  const limits = Object.hasOwn(contract.plans, plan) ? contract.plans[plan] : undefined;
  // A plan of a newer version keeps its numbers.
  const keeps = limits?.perMinute == null;
  const { perMinute = (keeps && row.per_minute) || undefined, perDay = (keeps && row.per_day) || undefined } = changes;
  if (limits) checkLimits(contract.plans, { name, plan, perMinute, perDay });
  const { expires } = changes;
  await refusePast(db, expires);
  const { expires_at, ...others } = columnsOf({ name, owner, plan, scopes, perMinute, perDay, expires });
  const values = expires === undefined ? others : { ...others, expires_at };
  await db.kysely.updateTable('api_keys').set(values).where('id', '=', id).execute();
  return row.revoked_at !== null;
}

/**
 * Issues a key like another one, which expires after `overlap` milliseconds.
 *
 * @throws Error for a key that is rotated already: the end of the old key would be the earlier one for both
 */
export async function rotate(service: KeysOf, db: Db, id: number, overlap: number, newExpires?: NewApiKey['expires']) {
  const row = await lock(db, id);
  const { name, plan, owner, scopes, per_minute: perMinute, per_day: perDay } = row;
  if (row.revoked_at) throw new Error(`Key ${id} is revoked`);
  if (row.successor !== null)
    throw new Error(`Key ${id} is rotated already: rotate its successor, key ${row.successor}`);
  await refusePast(db, row.expires_at ?? undefined);
  await sql`select set_config('service.action', 'rotate', true)`.execute(db.kysely);
  const expires = newExpires ?? row.expires_at ?? 'never';
  const issued = await create(service, db, { name, plan, owner, scopes, perMinute, perDay, expires });
  const end = sql<Date>`least(expires_at, service_now() + make_interval(secs => ${overlap / 1_000}))`;
  const old = db.kysely.updateTable('api_keys').set({ expires_at: end, successor: issued.id }).where('id', '=', id);
  const { expires_at: oldExpires } = await old.returning('expires_at').executeTakeFirstOrThrow();
  return { ...issued, name, plan, oldExpires: iso(oldExpires) };
}

/** Lifts the ban of a key. @returns whether it was banned */
export async function unban(db: Db, id: number): Promise<boolean> {
  await lock(db, id);
  const { rows } = await sql<{ until: string | null }>`select lift_ban(${id}) as until`.execute(db.kysely);
  return rows[0]?.until !== null;
}

const lock = (db: Db, id: number) =>
  db.kysely
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => unknown(id));

async function refusePast({ kysely }: Db, expires: NewApiKey['expires']): Promise<void> {
  if (expires === undefined || expires === 'never') return;
  const { rows } = await sql<{ past: boolean }>`select ${expires}::timestamptz <= service_now() as past`.execute(
    kysely,
  );
  if (rows[0]?.past) throw new Error(`The expiry ${iso(expires)} has passed`);
}
