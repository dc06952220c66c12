import { type RawBuilder, sql } from 'kysely';
import type { DatabaseHandle } from './open.ts';

/** Rows deleted in one statement at most, so that none takes long. */
const BATCH = 5_000;

/**
 * Deletes rows, however many. Locked rows are left to the next time: without waiting there is no deadlock.
 */
export async function deleteInBatches(
  db: DatabaseHandle,
  table: string,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const [target, batch] = [sql.table(table), BigInt(BATCH)];
  let deleted: bigint | undefined;
  do {
    const result = await sql`
      delete from ${target} where ctid = any(array(
        select ctid from ${target} where ${condition} limit ${BATCH} for update skip locked))`.execute(db.kysely);
    deleted = result.numAffectedRows;
  } while (deleted === batch);
}
