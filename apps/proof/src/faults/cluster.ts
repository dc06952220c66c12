import { setTimeout as delay } from 'node:timers/promises';
import type { CitusDatabase } from '@petstore/testkit/citus';
import { eventually } from '@petstore/testkit/eventually';
import { withClient } from '@petstore/testkit/postgres';
import { runCommand } from '@petstore/testkit/server';

/** Distributes animals in 20 blocks, so that all shards have some. Creations soon begin the next block. */
export async function distributeAnimals(url: string): Promise<void> {
  await withClient(url, (client) =>
    client.query(`insert into pets (id, name, category_id, status) overriding system value
      select n * 8192 - 500, n, n, (array['available', 'sold', null])[1 + n % 3] from generate_series(1, 160) as n`),
  );
  await runCommand(url, 'distribute');
}

/** An operator of a running cluster: adds a worker and rebalances, then moves shards. Faults interrupt a step, so it is repeated. */
export function operatorOf({ addWorker, rebalance, moveShard }: CitusDatabase) {
  return async (over: AbortSignal, onStep: (name: string) => void): Promise<void> => {
    const step = async (name: string, work: () => Promise<unknown>) => {
      await eventually(`${name} is not done`, work, 600_000);
      onStep(`cluster: ${name}`);
    };
    await step('a new worker', addWorker);
    await step('a rebalance', rebalance);
    for (; !over.aborted; await delay(500)) await step('a move of a shard', moveShard);
  };
}
