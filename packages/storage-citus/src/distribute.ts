import { type Database, type DatabaseHandle, runEach } from '@petstore-platform/server-runtime/storage';
import { type Kysely, sql } from 'kysely';
import { countBlocks } from './counts.ts';
import { BLOCK, BLOCK_BITS, type Layout } from './layout.ts';
import { checkAll, countFilters, missingCounts, recount, thisTransaction } from './recount.ts';

/** The most rows that are copied at once. */
const PORTION = 200_000;

/** The names of the tables during a distribution. */
const namesOf = ({ table }: Layout) => ({
  /** The table that replaces the original. */
  fresh: `${table}_new`,
  counts: `${table}_new_blocks`,
  /** The ids of rows that have changed, and the trigger that notes them. */
  changed: `${table}_changed`,
  before: `${table}_before`,
});

interface Options {
  shards: number;
  /** Whether to change nothing, and to fail when the counts are wrong. */
  check: true | undefined;
  /** The name of the command line. */
  command: string;
}

type Move = Pick<Options, 'shards'> & { owner: string };

export type Shares = Record<'table' | 'node' | 'shards' | 'blocks' | 'rows' | 'bytes', string>[];

/**
 * Spreads a table over the nodes of Citus by blocks of ids, and prints each step. The rows are copied to a new table while servers run,
 * and again when they change. Then one transaction, for which servers wait, copies the last ones and renames. A second run goes on
 * where the first ended. A later one counts the columns that lists filter by since then, and corrects counts.
 *
 * @param db - without a time limit
 * @returns the shares of the nodes
 * @throws Error when something is missing
 */
export async function distribute(
  { kysely, pool }: DatabaseHandle,
  layout: Layout,
  { shards, check, command }: Options,
): Promise<Shares> {
  const { table, counts, visible } = layout;
  const { changed, before } = namesOf(layout);
  const { rowCount } = await pool.query(`select from pg_extension where extname = 'citus'`);
  if (rowCount === 0) throw new Error('The database lacks the extension citus: see docs/scale.md');
  return kysely.connection().execute(async (db) => {
    const { rows } = await sql<{ owner: string; problem: string | null }>`
      select quote_ident(pg_get_userbyid(relowner)) as owner,
        case when not exists (select from pg_dist_node where groupid > 0 and isactive)
            then 'The coordinator knows no worker: see docs/scale.md'
          when exists (select from pg_constraint where confrelid = pg_class.oid) then ${sql.lit(`A foreign key references ${table}`)}
          when exists (select from pg_index where indrelid = pg_class.oid and indisunique and not indisprimary)
            then ${sql.lit(`${table} has a unique index, which Citus cannot check over several nodes`)}
          when not pg_try_advisory_lock(oid::integer, 1) then 'Another distribution is running' end as problem
      from pg_class where oid = ${sql.lit(table)}::regclass and to_regclass(${sql.lit(counts)}) is null`.execute(db);
    for (const { problem, owner } of rows) {
      if (check) throw new Error(`${table} is not distributed: run ${command} distribute`);
      if (problem) throw new Error(problem);
      await move(db, layout, { shards, owner });
    }
    if (check) await checkAll(db, layout);
    else {
      await countFilters(db, layout);
      if (rows.length === 0) {
        await manageCommits(db, layout);
        await recount(db, layout);
      }
      // A run that ended early may have left these.
      await runEach(
        db,
        `drop table if exists ${before}, ${changed};
        drop function if exists ${changed};
        analyze ${table}, ${counts}, ${visible}`,
      );
    }
    const shares = await sql<Shares[number]>`
      select ${sql.lit(table)} as "table", nodename || ':' || nodeport as node, count(*) as shards, coalesce(sum(blocks), 0) as blocks,
        coalesce(sum(rows), 0) as "rows", sum(shard_size) as bytes
      from citus_shards left join (
        select get_shard_id_for_distribution_column(${sql.lit(table)}, block) as shardid, count(*) as blocks, sum(count) as rows
        from ${sql.table(counts)} where filter = '' group by 1
      ) as counted using (shardid) where table_name = ${sql.lit(table)}::regclass group by node order by node`.execute(
      db,
    );
    return shares.rows;
  });
}

/** Has Citus manage the table for `inTwoPhases`, also in a database that was restored, where it is an ordinary table. */
const manageCommits = (db: Kysely<Database>, { commits }: Layout) =>
  sql`select citus_add_local_table_to_metadata(oid) from pg_class where oid = ${sql.lit(commits)}::regclass
    and not exists (select from pg_dist_partition where logicalrelid = oid)`.execute(db);

async function move(db: Kysely<Database>, layout: Layout, { shards, owner }: Move): Promise<void> {
  const { table, visible, commits, filters } = layout;
  const { fresh, counts, changed, before } = namesOf(layout);
  // These limits end a wait for a lock that another transaction holds for long, as pg_dump does, and a freeze of this process: servers
  // would wait for both.
  await sql`select set_config(name, '5s', false)
    from unnest(array['lock_timeout', 'idle_in_transaction_session_timeout']) as name`.execute(db);
  await sql
    .raw(`do $$ begin if to_regclass('${fresh}') is null then
      create table ${fresh} (like ${table} including defaults including constraints including indexes);
      alter table ${fresh} drop constraint ${fresh}_pkey,
        add block bigint not null check (block = id >> ${BLOCK_BITS}), add primary key (id, block);
      create table ${counts} (filter text, block bigint, count bigint not null,
        changed xid8 not null default pg_current_xact_id(), primary key (filter, block));
      create index on ${counts} (changed);
      create table ${commits} (id integer primary key);
      create table ${changed} (id bigint);
      create function ${changed}() returns trigger language plpgsql as
        'begin insert into ${changed} values (old.id); return null; end';
      -- The role of the servers owns them, also if a superuser distributes.
      alter table ${fresh} owner to ${owner};
      alter table ${counts} owner to ${owner};
      alter table ${commits} owner to ${owner};
      alter table ${changed} owner to ${owner};
      perform create_distributed_table('${fresh}', 'block', shard_count := ${shards}, colocate_with := 'none');
      create trigger ${changed} after update or delete on ${table} for each row execute function ${changed}();
    end if; end $$`)
    .execute(db);
  await manageCommits(db, layout);
  const freshLayout = { ...layout, table: fresh, counts };
  /** Copies the rows after the last one copied, and those that have changed, and counts them. Returns whether there may be more. */
  const copy = async (db: Kysely<Database>) => {
    const { rows: changes } = await sql<{ id: string }>`delete from ${sql.table(changed)} returning id::text`.execute(
      db,
    );
    const ids = sql.lit(`{${changes.map(({ id }) => id)}}`);
    const { rows } = await sql<{ last: string }>`
      select coalesce(max(id), -2^53)::bigint::text as last from ${sql.table(fresh)}`.execute(db);
    const last = sql.lit(rows[0]?.last);
    const isNew = sql`id > ${last}`;
    const isChanged = sql`id <= ${last} and id = any(${ids}::bigint[])`;
    await sql`delete from ${sql.table(fresh)} where ${isChanged}`.execute(db);
    await sql`insert into ${sql.table(fresh)} select *, ${BLOCK} from ${sql.table(table)} where ${isChanged}`.execute(
      db,
    );
    const { numAffectedRows } = await sql`insert into ${sql.table(fresh)}
      select *, ${BLOCK} from ${sql.table(table)} where ${isNew} order by id limit ${sql.lit(PORTION)}`.execute(db);
    const copied = sql`${sql.table(fresh)} where ${isNew} or ${isChanged}`;
    await countBlocks(freshLayout, copied, await thisTransaction(db)).execute(db);
    console.log(`Copied ${numAffectedRows} ${table}`);
    return numAffectedRows === BigInt(PORTION);
  };
  while (await db.transaction().execute(copy));
  const copied = sql`${sql.table(table)} where id <= (select max(id) from ${sql.table(fresh)})`;
  // Only the counts of all rows are compared, as the columns of filters may have changed since.
  for (const { text } of await missingCounts(db, freshLayout, copied, sql`filter = ''`)) throw new Error(text);
  console.log('Servers wait while the last rows are copied');
  await db.transaction().execute(async (db) => {
    await sql`lock table ${sql.table(table)} in exclusive mode`.execute(db);
    while (await copy(db));
    await runEach(
      db,
      `create table if not exists ${visible} as
        select greatest(max(id), pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')), 0) as last from ${table};
      alter table ${visible} add counted text[] not null default '{${[...filters]}}';
      alter table ${visible} owner to ${owner};
      alter table ${table} rename to ${before};
      alter table ${fresh} rename to ${table};
      alter table ${counts} rename to ${layout.counts};
      -- Servers connect again, and wait for this commit before they look for \`${layout.counts}\`. Their earlier sessions end before it.
      select pg_advisory_xact_lock(0, 0);
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where application_name = replace(current_setting('application_name'), ' command', '') and datname = current_database() and pid <> pg_backend_pid()`,
    );
  });
}
