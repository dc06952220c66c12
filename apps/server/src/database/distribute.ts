import type { DatabaseHandle } from './open.ts';

/**
 * Distributes `pets` by `id` over the nodes of Citus, and prints each step; the other tables stay on the coordinator. A second
 * run goes on where the first ended.
 *
 * @param db - without a time limit
 * @returns rows and bytes by node
 * @throws Error when something is missing
 */
export async function distribute({ pool }: DatabaseHandle, shards: number, check?: true) {
  const { rowCount } = await pool.query(`select from pg_extension where extname = 'citus'`);
  if (rowCount === 0) throw new Error('The database lacks the extension citus: see docs/scale.md');
  const { rows } = await pool.query<{ owner: string; problem: string | null; locks: string | null }>(`
    select quote_ident(pg_get_userbyid(relowner)) as owner,
      case when not exists (select from pg_dist_node where groupid > 0 and isactive)
          then 'The coordinator knows no worker: see docs/scale.md'
        when not pg_try_advisory_lock(oid::integer, 1) then 'Another petstore-server distribute is running' end as problem,
      case when pg_relation_size(oid) = 0 then 'pets is empty'
        when current_setting('wal_level') <> 'logical' then 'wal_level is not logical' end as locks
    from pg_class where oid = 'pets'::regclass
      and not exists (select from citus_tables where table_name = oid and citus_table_type = 'distributed')`);
  for (const { owner, problem, locks } of rows) {
    if (check) throw new Error('pets is not distributed: run petstore-server distribute');
    if (problem) throw new Error(problem);
    console.log('Preparing pets: creations wait');
    await pool.query(`
      begin;
      lock table pets in access exclusive mode;
      create table if not exists pets_visible as select coalesce(max(id), 0) as last from pets;
      -- The servers' role, if a superuser distributes.
      alter table pets_visible owner to ${owner};
      -- Refuses creations of servers that have not noticed. They do when they connect again.
      select setval('pets_id_seq', 9007199254740991);
      commit;
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'petstore-server' and datname = current_database() and pid <> pg_backend_pid()`);
    console.log(`Distributing pets: creations ${locks ? `wait, as ${locks}` : 'go on'}`);
    const form = locks ? 'create_distributed_table' : 'create_distributed_table_concurrently';
    await pool.query(`select ${form}('pets', 'id', shard_count := ${shards})`);
  }
  await pool.query('analyze pets');
  const shares = await pool.query<Record<'node' | 'shards' | 'pets' | 'bytes', string>>(`
    select nodename || ':' || nodeport as node, count(*) as shards, sum(result::bigint) as pets, sum(shard_size) as bytes
    from run_command_on_shards('pets', $$ select greatest(reltuples, 0)::bigint from pg_class where oid = '%s'::regclass $$)
    join citus_shards using (shardid) group by node order by node`);
  return shares.rows;
}
