/**
 * The insert lock of a table makes rows visible in the order of their ids, so that none appears behind a cursor: it is held from before the
 * first id is drawn until the commit.
 */

/** SQL that waits for the insert lock of a table, whose name is a literal or a parameter. */
export const insertLock = (table: string) => `pg_advisory_xact_lock(${table}::regclass::oid::integer, 0)`;

export const takeInsertLock = (table: string) => ({
  name: 'runtime_insert_lock',
  text: `select ${insertLock('$1')}`,
  values: [table],
});
