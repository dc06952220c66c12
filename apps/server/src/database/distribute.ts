import { UsageError } from '../usage.ts';
import type { DatabaseHandle } from './open.ts';

/** Rows and bytes of a node. Citus has counted them at the last `analyze`. */
export type Share = Record<'node' | 'shards' | 'pets' | 'bytes', string>;

/**
 * Distributes `pets` by `id` over the nodes of Citus, and prints each step; the other tables stay on the coordinator. A second
 * run goes on where the first ended.
 *
 * @param db - without a time limit
 * @throws UsageError when something is missing
 */
export async function distribute({ pool }: DatabaseHandle, shards: number, check?: true): Promise<Share[]> {
  const { rowCount } = await pool.query(`select from pg_extension where extname = 'citus'`);
  if (rowCount === 0) throw new UsageError('The database lacks the extension citus: see docs/scale.md');
  const { rows } = await pool.query(`
    select (select citus_table_type from citus_tables where table_name = 'pets'::regclass) as kind,
      to_regclass('pets_visible') is not null as ours,
      case when not exists (select 1 from pets) then 'pets is empty'
        when current_setting('wal_level') <> 'logical' then 'wal_level is not logical' end as locks`);
  const { kind, ours, locks } = rows[0] as { kind: string | null; ours: boolean; locks: string | null };
  if (check && kind !== 'distributed') throw new UsageError('pets is not distributed: run petstore-server distribute');
  if (kind && !ours) throw new UsageError(`Citus has pets by other means: first run select undistribute_table('pets')`);
  if (!kind) {
    console.log(locks ? `Distributing pets: creations wait, as ${locks}` : 'Registering pets: creations wait');
    const take = locks ? `create_distributed_table('pets', 'id', shard_count := ${shards})` : ADD_LOCAL;
    await pool.query(`
      begin;
      lock table pets in access exclusive mode;
      create table if not exists pets_visible (last bigint not null);
      insert into pets_visible select coalesce(max(id), 0) from pets having not exists (select from pets_visible);
      select ${take};
      -- Ends the plain form of a creation: see form.ts.
      select setval('pets_id_seq', 9007199254740991);
      commit`);
  }
  if (kind === 'local' || !(kind || locks)) {
    console.log('Distributing pets: creations go on');
    await pool.query(`select create_distributed_table_concurrently('pets', 'id', shard_count := ${shards})`);
  }
  if (!check) await pool.query('analyze pets');
  const shares = await pool.query<Share>(`
    select nodename || ':' || nodeport as node, count(*) as shards, sum(result::bigint) as pets, sum(shard_size) as bytes
    from run_command_on_shards('pets', $$ select greatest(reltuples, 0)::bigint from pg_class where oid = '%s'::regclass $$)
    join citus_shards using (shardid) group by node order by node`);
  return shares.rows;
}

const ADD_LOCAL = `citus_add_local_table_to_metadata('pets')`;
