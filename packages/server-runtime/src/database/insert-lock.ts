/**
 * The insert lock of a table makes rows visible in the order of their ids, so that none appears behind a cursor: it is held from before the
 * first id is drawn until the commit. See docs/decisions/0013-an-insertion-holds-a-lock.md.
 */
import { prepare, type Statement } from '@petstore-platform/kysely-pipeline';
import { CompiledQuery, type Kysely } from 'kysely';
import { quoted } from './nodes.ts';

/** The insertion of a repetition whose key is refused is rolled back, and must not wait. See `claimKeys`. */
const unlessRefused = `where current_setting('service.is_refused', true) is distinct from 'true'`;
const tableLock = `select pg_advisory_xact_lock($1::regclass::oid::integer, 0) ${unlessRefused}`;
/** Owners do not wait for each other, and all wait for an insertion whose rows may be those of any owner. */
const ownersLock = `select pg_advisory_xact_lock_shared($1::regclass::oid::integer, 0),
  pg_advisory_xact_lock($1::regclass::oid::integer, hashtext($2)) ${unlessRefused}`;

/** @param owner - whose rows are inserted; null for rows of any owner, or of none */
export const insertLockQuery = (table: string, owner: string | null): Statement =>
  owner === null
    ? prepare(tableLock, [table], 'runtime_insert_lock')
    : prepare(ownersLock, [table, owner], 'runtime_insert_lock_of_owner');

/** Identifies the lock of a statement. */
export const lockKey = ({ values }: Statement): string => JSON.stringify(values);

/**
 * Takes the insert lock of a table until the end of a transaction, as a `write` does before it inserts. For insertions of jobs, of routes in
 * `extend` and of raw SQL into a table that lists walk: without it, a client that reads pages may miss their rows.
 *
 * @param transaction - in which the insertions follow
 * @throws Error outside a transaction, at whose end the lock would be free at once
 * @example
 * await db.transaction().execute(async (transaction) => {
 *   await takeInsertLock(transaction, 'books');
 *   await transaction.insertInto('books').values(books).execute();
 * });
 */
export async function takeInsertLock(
  transaction: Pick<Kysely<unknown>, 'isTransaction' | 'executeQuery'>,
  table: string,
): Promise<void> {
  if (!transaction.isTransaction) throw new Error('takeInsertLock() needs a transaction, which holds the lock');
  const lock = insertLockQuery(quoted(table), null);
  await transaction.executeQuery(CompiledQuery.raw(lock.sql, [...lock.values]));
}
