import { setTimeout as delay } from 'node:timers/promises';
import type { CitusDatabase } from '@petstore-platform/testkit/citus';
import { eventually } from '@petstore-platform/testkit/eventually';

/** Adds animals in 20 blocks, so that all shards have some. Creations soon begin the next block. */
export const ADD_ANIMALS = `insert into pets (id, name, category_id, status) overriding system value
  select n * 8192 - 500, n, n, (array['available', 'sold', null])[1 + n % 3] from generate_series(1, 160) as n`;

/**
 * An operator of a running cluster: adds a worker and rebalances, then moves shards. Faults interrupt a step, so it is repeated.
 *
 * @param reset - ends all connections between nodes. Citus waits on silent ones, also in its maintenance, until TCP ends them
 */
export function operatorOf({ addWorker, rebalance, moveShard }: CitusDatabase, reset: () => void) {
  return async (over: AbortSignal, onStep: (name: string) => void): Promise<void> => {
    const step = async (name: string, work: () => Promise<unknown>) => {
      const attempt = () =>
        work().catch((error) => {
          // The statement has run into its statement_timeout.
          if (error.code === '57014') reset();
          throw error;
        });
      await eventually(`${name} is not done`, attempt, 600_000);
      onStep(`cluster: ${name}`);
    };
    await step('a new worker', addWorker);
    await step('a rebalance', rebalance);
    for (; !over.aborted; await delay(500)) await step('a move of a shard', () => moveShard('pets'));
  };
}
