import { integer, type Storage, table } from '@repo/server-runtime';
import { distribute, requireBlocks } from './distribute.ts';

/** `pets` spread over the nodes of Citus, once `distribute` has run. */
export const citus: Storage = {
  // A distribution ends all sessions before its commit. If another role takes this lock, no session is left waiting.
  enter: 'select pg_advisory_xact_lock_shared(0, 0)',
  isDistributed: `(to_regclass('pets_blocks') is not null)`,
  settings: {
    'citus.multi_shard_modify_mode': [(limit) => (limit ? undefined : 'sequential'), 'For migrations.'],
  },
  check: requireBlocks,
  addCommands: (program, run) =>
    void program
      .command('distribute')
      .description('distribute the animals over the nodes of Citus')
      .option('--shards <n>', 'parts, each on one node', integer(1, 999), 8)
      .option('--check', 'distribute nothing: show how they are distributed')
      .action(({ shards, check }: { shards: number; check?: true }) =>
        run(async (db) => table(await distribute(db, shards, check))),
      ),
};
