import { seed, withPostgres } from './database.ts';
import type { Keys } from './keys.ts';
import { goalsOf, goalsTable, type Sample, samplesTable } from './servers/results.ts';
import { OURS, PEERS, type Peer, type Server, startServer } from './servers/start.ts';
import { measureUse } from './servers/use.ts';
import { PETS, workloads } from './servers/workloads.ts';

interface Plan {
  connections: number[];
  rounds: number;
  /** Seconds per measurement, after one second of load in which the server looks up keys and compiles code. */
  seconds: number;
}

const FULL: Plan = { connections: [1, 16, 64], rounds: 3, seconds: 4 };
const QUICK: Plan = { connections: [1, 64], rounds: 2, seconds: 1 };
const QUICK_PEERS: Peer[] = ['node-http', 'express-same-promises'];

/** Compares the server with all its features with its peers on the same database. Reports ratios within interleaved rounds. */
export function benchServers({ quick = false } = {}): Promise<string> {
  return withPostgres(async ({ url, postmaster }) => {
    const keys = await seed(url, PETS);
    await using run = new AsyncDisposableStack();
    const sides: Server[] = [];
    for (const name of [OURS, ...(quick ? QUICK_PEERS : PEERS)]) sides.push(await startServer(run, name, url));
    await compareAnswers(sides, keys);
    return report(await measure(sides, keys, postmaster, quick ? QUICK : FULL));
  });
}

/** Measures all workloads in interleaved rounds, the first of which warms up. */
async function measure(sides: Server[], keys: Keys, postmaster: number, plan: Plan): Promise<Sample[]> {
  const { connections: counts, rounds, seconds } = plan;
  const samples: Sample[] = [];
  for (let round = 0; round <= rounds; round++) {
    for (const connections of round === 0 ? [64] : counts) {
      for (const workload of workloads) {
        for (const side of sides) {
          const measured = await measureUse(side, workload.requests(keys), { connections, seconds, postmaster });
          const sample = { workload: workload.name, connections, server: side.name, ...measured };
          const phase = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
          const rate = `${side.name} ${Math.round(sample.requestsPerSecond)} requests/s`;
          console.error(`${phase}: ${workload.name}, ${connections} connections: ${rate}`);
          if (round > 0) samples.push({ ...sample, round });
        }
      }
    }
    // The order rotates, because the server after one with many creations also pays for their vacuum and WAL.
    sides.push(...sides.splice(0, 1));
  }
  return samples;
}

/**
 * Ensures that all servers do the same work.
 *
 * @throws Error naming the request whose responses differ
 */
async function compareAnswers(sides: Server[], keys: Keys): Promise<void> {
  for (const workload of workloads) {
    for (const { method, path, body } of workload.requests(keys).slice(0, 20)) {
      const answers = await Promise.all(
        sides.map(async ({ origin }) => {
          const headers = {
            Authorization: `Bearer ${keys.enterprise[0]}`,
            ...(body && { 'Content-Type': 'application/json' }),
          };
          const response = await fetch(`${origin}${path}`, { method, headers, ...(body && { body }) });
          const value = await response.json();
          // Each creation gets a new id.
          return JSON.stringify([response.status, method === 'POST' ? { ...(value as object), id: 0 } : value]);
        }),
      );
      const odd = answers.findIndex((answer) => answer !== answers[0]);
      if (odd > 0)
        throw new Error(`${sides[odd]?.name} answers ${method} ${path} with ${answers[odd]}, not ${answers[0]}`);
    }
  }
}

function report(samples: Sample[]): string {
  const goals = goalsOf(samples);
  const met = `${goals.filter(({ met }) => met).length} of ${goals.length} goals met`;
  return [
    'Load, servers and Postgres share the machine.',
    `${met}: median (range) of the ratios of all rounds, and the goal; missed ones in bold.`,
    '',
    ...workloads.map(({ name, description }) => `- ${name}: ${description}`),
    '',
    ...goalsTable(goals),
    '',
    ...samplesTable(samples),
  ].join('\n');
}
