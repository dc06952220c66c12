import { sql } from 'kysely';
import type { PoolClient } from 'pg';
import type { DatabaseHandle } from '../database/open.ts';
import { textOf } from '../database/statement.ts';
import { BLOCK, countBlocks } from './blocks.ts';

/** Rows that are copied at once. */
const PORTION = 200_000;

/** Also after a run that was ended before. */
const FINISH = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'petstore-server' and datname = current_database() and pid <> pg_backend_pid()
      and to_regclass('pets_before') is not null;
  select pg_advisory_unlock_all();
  drop table if exists pets_before;
  analyze pets, pets_blocks, pets_visible`;

/**
 * Spreads `pets` over the nodes of Citus by blocks of ids, and prints each step; the other tables stay on the coordinator. The rows,
 * which never change, are copied to a new table while servers run. Then one transaction, for which creations wait, copies the last ones
 * and renames. A second run goes on where the first ended.
 *
 * @param db - without a time limit
 * @param check - change nothing; fail when the counts of `pets_blocks` are wrong
 * @returns the shares of the nodes
 * @throws Error when something is missing
 */
export async function distribute({ pool }: DatabaseHandle, shards: number, check?: true) {
  const { rowCount } = await pool.query(`select from pg_extension where extname = 'citus'`);
  if (rowCount === 0) throw new Error('The database lacks the extension citus: see docs/scale.md');
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ owner: string; problem: string | null; visible: string }>(`
      select quote_ident(pg_get_userbyid(relowner)) as owner,
        case when not exists (select from pg_dist_node where groupid > 0 and isactive)
            then 'The coordinator knows no worker: see docs/scale.md'
          when exists (select from pg_constraint where confrelid = pg_class.oid) then 'A foreign key references pets'
          when not pg_try_advisory_lock(oid::integer, 1) then 'Another petstore-server distribute is running' end as problem,
        -- Of a version that distributed by id.
        case when to_regclass('pets_visible') is null then 'true' else 'id <= (select last from pets_visible)' end as visible
      from pg_class where oid = 'pets'::regclass
        and not exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'block')`);
    for (const { problem, ...table } of rows) {
      if (check) throw new Error('pets is not distributed by blocks: run petstore-server distribute');
      if (problem) throw new Error(problem);
      await move(client, shards, table);
    }
    if (check) await checkCounts(client, 'pets where id <= (select last from pets_visible)');
    else await runEach(client, FINISH);
    const shares = await client.query<Record<'node' | 'shards' | 'blocks' | 'pets' | 'bytes', string>>(`
      select nodename || ':' || nodeport as node, count(*) as shards, coalesce(sum(blocks), 0) as blocks,
        coalesce(sum(pets), 0) as pets, sum(shard_size) as bytes
      from citus_shards left join (
        select get_shard_id_for_distribution_column('pets', block) as shardid, count(*) as blocks, sum(count) as pets
        from pets_blocks where status = '' group by 1
      ) as counted using (shardid) where table_name = 'pets'::regclass group by node order by node`);
    return shares.rows;
  } finally {
    // With its locks.
    client.release(true);
  }
}

async function move(client: PoolClient, shards: number, { owner, visible }: { owner: string; visible: string }) {
  await client.query(`
    create table if not exists pets_blocks (status text, block bigint, count bigint not null,
      changed xid8 not null default pg_current_xact_id(), primary key (status, block));
    create index if not exists pets_blocks_changed on pets_blocks (changed);
    -- The servers' role, if a superuser distributes.
    alter table pets_blocks owner to ${owner};
    do $$ begin if to_regclass('pets_new') is null then
      create table pets_new (like pets including defaults including constraints including indexes);
      alter table pets_new drop constraint pets_new_pkey,
        add column block bigint not null check (block = ${textOf(BLOCK)}), add primary key (id, block);
      alter table pets_new owner to ${owner};
      perform create_distributed_table('pets_new', 'block', shard_count := ${shards}, colocate_with := 'none');
    end if; end $$`);
  /** Copies the rows after the last one copied, and counts them. Returns their number. */
  const copy = async () => {
    const { rows } = await client.query<{ from: string }>(
      `select coalesce(max(id), -2^53)::bigint::text as from from pets_new`,
    );
    const from = rows[0]?.from;
    const { rowCount } = await client.query(`
      insert into pets_new select *, ${textOf(BLOCK)} from pets where id > ${from} and ${visible} order by id limit ${PORTION}`);
    await client.query(textOf(countBlocks(sql`pets_new where id > ${sql.lit(from)}`)));
    return rowCount ?? 0;
  };
  for (let [copied, all] = [PORTION, 0]; copied === PORTION; all += copied) {
    await client.query('begin');
    copied = await copy();
    await client.query('commit');
    console.log(`Copied ${all + copied} animals`);
  }
  await checkCounts(client, `pets where id <= (select max(id) from pets_new) and ${visible}`);
  console.log('Creations wait for the last ones');
  await client.query('begin');
  if (visible !== 'true') await client.query('select from pets_visible for update');
  await client.query('lock table pets in exclusive mode');
  while ((await copy()) === PORTION);
  await runEach(
    client,
    `create table if not exists pets_visible as select coalesce(max(id), 0) as last from pets;
    alter table pets_visible owner to ${owner};
    -- Refuses creations of servers that have not noticed. They do when they connect again.
    select setval('pets_id_seq', 9007199254740991);
    alter table pets rename to pets_before;
    alter table pets_new rename to pets;
    -- Creations wait until no server reads what is not visible.
    select pg_advisory_lock('pets_blocks'::regclass::oid::integer, 0);
    commit`,
  );
}

/** One by one, as Citus requires. */
async function runEach(client: PoolClient, statements: string): Promise<void> {
  for (const statement of statements.split(/;$/m)) await client.query(statement);
}

/** @throws Error when `pets_blocks` does not count the animals that there are */
async function checkCounts(client: PoolClient, pets: string): Promise<void> {
  const { rows } = await client.query<{ wrong: string }>(`
    select format('pets_blocks counts %s animals, there are %s', counted, there) as wrong
    from (select coalesce(sum(count), 0) as counted from pets_blocks where status = '') as counts,
      (select count(*) as there from ${pets}) as pets where counted <> there`);
  for (const { wrong } of rows) throw new Error(wrong);
}
