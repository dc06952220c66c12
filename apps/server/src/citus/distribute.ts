import { type Database, type DatabaseHandle, runEach } from '@repo/server-runtime';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { BLOCK, countBlocks, countsOf } from './blocks.ts';

/** Rows that are copied at once. */
const PORTION = 200_000;

/** Also after a run that was ended before. */
const FINISH = `
  drop table if exists pets_before, pets_changed;
  drop function if exists pets_changed;
  analyze pets, pets_blocks, pets_visible`;

/**
 * Spreads `pets` over the nodes of Citus by blocks of ids, and prints each step; the other tables stay on the coordinator. The rows are
 * copied to a new table while servers run, and again when they change. Then one transaction, for which servers wait, copies the last
 * ones and renames. A second run goes on where the first ended.
 *
 * @param db - without a time limit
 * @param check - change nothing; fail when the counts of `pets_blocks` are wrong
 * @returns the shares of the nodes
 * @throws Error when something is missing
 */
export async function distribute({ kysely, pool }: DatabaseHandle, shards: number, check?: true) {
  const { rowCount } = await pool.query(`select from pg_extension where extname = 'citus'`);
  if (rowCount === 0) throw new Error('The database lacks the extension citus: see docs/scale.md');
  return kysely.connection().execute(async (db) => {
    const { rows } = await sql<{ owner: string; problem: string | null; by_id: boolean }>`
      select quote_ident(pg_get_userbyid(relowner)) as owner, ${BY_ID} as by_id,
        case when not exists (select from pg_dist_node where groupid > 0 and isactive)
            then 'The coordinator knows no worker: see docs/scale.md'
          when exists (select from pg_constraint where confrelid = pg_class.oid) then 'A foreign key references pets'
          when not pg_try_advisory_lock(oid::integer, 1) then 'Another petstore-server distribute is running' end as problem
      from pg_class where oid = 'pets'::regclass and to_regclass('pets_blocks') is null`.execute(db);
    for (const { problem, owner, by_id } of rows) {
      if (check) throw new Error('pets is not distributed by blocks: run petstore-server distribute');
      if (problem) throw new Error(problem);
      await move(db, shards, owner, by_id);
    }
    if (check) await checkCounts(db, sql`pets where ${VISIBLE}`, 'pets_blocks');
    else await runEach(db, FINISH);
    const shares = await sql<Record<'node' | 'shards' | 'blocks' | 'pets' | 'bytes', string>>`
      select nodename || ':' || nodeport as node, count(*) as shards, coalesce(sum(blocks), 0) as blocks,
        coalesce(sum(pets), 0) as pets, sum(shard_size) as bytes
      from citus_shards left join (
        select get_shard_id_for_distribution_column('pets', block) as shardid, count(*) as blocks, sum(count) as pets
        from pets_blocks where status = '' group by 1
      ) as counted using (shardid) where table_name = 'pets'::regclass group by node order by node`.execute(db);
    return shares.rows;
  });
}

const VISIBLE = sql`id <= (select last from pets_visible)`;

/** As earlier versions distributed `pets`: by id. */
const BY_ID = sql<boolean>`to_regclass('pets_visible') is not null and to_regclass('pets_blocks') is null`;

/** @throws Error when `pets` is distributed in a way that this version cannot serve */
export async function requireBlocks({ kysely }: DatabaseHandle): Promise<void> {
  const { rows } = await sql`select where ${BY_ID}`.execute(kysely);
  if (rows.length > 0)
    throw new Error('pets is distributed by id, as by earlier versions: run petstore-server distribute');
}

/** @param byId - these rows never change, and those beyond `pets_visible` are no pets */
async function move(db: Kysely<Database>, shards: number, owner: string, byId: boolean): Promise<void> {
  const source = sql`pets where ${byId ? VISIBLE : sql`true`}`;
  // Where another transaction holds a lock for long, as pg_dump does, or this process freezes, servers would wait.
  await sql`select set_config(name, '5s', false)
    from unnest(array['lock_timeout', 'idle_in_transaction_session_timeout']) as name`.execute(db);
  const watch = `create trigger pets_changed after update or delete on pets for each row execute function pets_changed();`;
  await sql`do $$ begin if to_regclass('pets_new') is null then
      create table pets_new (like pets including defaults including constraints including indexes);
      alter table pets_new drop constraint pets_new_pkey,
        add block bigint not null check (block = ${BLOCK}), add primary key (id, block);
      create table pets_new_blocks (status text, block bigint, count bigint not null,
        changed xid8 not null default pg_current_xact_id(), primary key (status, block));
      create index on pets_new_blocks (changed);
      create table pets_changed (id bigint);
      create function pets_changed() returns trigger language plpgsql as
        'begin insert into pets_changed values (old.id); return null; end';
      -- The servers' role, if a superuser distributes.
      alter table pets_new owner to ${sql.raw(owner)};
      alter table pets_new_blocks owner to ${sql.raw(owner)};
      alter table pets_changed owner to ${sql.raw(owner)};
      perform create_distributed_table('pets_new', 'block', shard_count := ${sql.lit(shards)}, colocate_with := 'none');
      ${sql.raw(byId ? '' : watch)}
    end if; end $$`.execute(db);
  /** Copies the rows after the last one copied, and those that have changed. Counts them. Returns whether there may be more. */
  const copy = async (db: Kysely<Database>) => {
    const { rows: changes } = await sql<{ id: string }>`delete from pets_changed returning id::text`.execute(db);
    const changed = sql.lit(`{${changes.map(({ id }) => id)}}`);
    const { rows } = await sql<{ last: string }>`
      select coalesce(max(id), -2^53)::bigint::text as last from pets_new`.execute(db);
    const last = sql.lit(rows[0]?.last);
    const isNew = sql`id > ${last}`;
    const isChanged = sql`id <= ${last} and id = any(${changed}::bigint[])`;
    await sql`delete from pets_new where ${isChanged}`.execute(db);
    await sql`insert into pets_new select *, ${BLOCK} from ${source} and ${isChanged}`.execute(db);
    const { numAffectedRows } = await sql`insert into pets_new
      select *, ${BLOCK} from ${source} and ${isNew} order by id limit ${sql.lit(PORTION)}`.execute(db);
    await countBlocks(sql`pets_new where ${isNew} or ${isChanged}`, 'pets_new_blocks').execute(db);
    console.log(`Copied ${numAffectedRows} animals`);
    return numAffectedRows === BigInt(PORTION);
  };
  while (await db.transaction().execute(copy));
  await checkCounts(db, sql`${source} and id <= (select max(id) from pets_new)`, 'pets_new_blocks');
  console.log('Servers wait for the last ones');
  await db.transaction().execute(async (db) => {
    if (byId) await sql`select from pets_visible for update`.execute(db);
    await sql`lock table pets in exclusive mode`.execute(db);
    while (await copy(db));
    await runEach(
      db,
      `create table if not exists pets_visible as
        select greatest(max(id), pg_sequence_last_value('pets_id_seq'), 0) as last from pets;
      alter table pets_visible owner to ${owner};
      alter table pets rename to pets_before;
      alter table pets_new rename to pets;
      alter table pets_new_blocks rename to pets_blocks;
      -- Servers connect again. They wait for the commit until they look for \`pets_blocks\`, and no statement of before comes after it.
      select pg_advisory_xact_lock(0, 0);
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where application_name = 'petstore-server' and datname = current_database() and pid <> pg_backend_pid()`,
    );
  });
}

/**
 * @param blocks - while animals are copied, they are not compared by status, which may have changed since
 * @throws Error when a block has more animals than counted, so that lists would miss them
 */
async function checkCounts(db: Kysely<Database>, pets: RawBuilder<unknown>, blocks: 'pets_blocks' | 'pets_new_blocks') {
  const { rows } = await sql<{ wrong: string }>`
    select format('pets_blocks counts %s animals with the status %L in block %s, there are %s', coalesce(counted.count, 0), status, block,
      there.count) as wrong
    from (${countsOf(pets)}) as there left join ${sql.table(blocks)} as counted using (status, block)
    where there.count > coalesce(counted.count, 0) and ${blocks === 'pets_blocks' ? sql`true` : sql`status = ''`}
    order by status, block limit 1`.execute(db);
  for (const { wrong } of rows) throw new Error(wrong);
}
