import { seed, withPostgres } from './database.ts';
import { cpuTime, cpuTimeOfAll } from './servers/cpu.ts';
import { pgbench } from './servers/pgbench.ts';
import { goalsOf, goalsTable, type Sample, samplesTable } from './servers/results.ts';
import { OURS, PEERS, type Peer, type Server, startServer } from './servers/start.ts';
import { KEYS, PETS, type Workload, workloads } from './servers/workloads.ts';
import { wrk } from './servers/wrk.ts';

interface Plan {
  connections: number[];
  rounds: number;
  /** Of a measurement. A second of load before it does not count: the server looks up keys and compiles code in it. */
  seconds: number;
}

/** A server with its keys and the processes of its Postgres. */
export interface Side extends Server {
  keys: string[];
  pids: number[];
  /** Milliseconds of CPU time that each of these takes per second without requests. Default: 0 */
  idle?: number[];
  pets?: number;
}

const FULL: Plan = { connections: [1, 16, 64, 256], rounds: 3, seconds: 4 };
const QUICK: Plan = { connections: [1, 64], rounds: 2, seconds: 1 };
const QUICK_PEERS: Peer[] = ['node-http', 'express-same-promises'];

/** Compares the server, all features on, with its peers on the same database: ratios within interleaved rounds. */
export function benchServers({ quick = false } = {}): Promise<string> {
  return withPostgres(async ({ url, pids }) => {
    const keys = await seed(url, { pets: PETS, keys: KEYS });
    await using run = new AsyncDisposableStack();
    const sides: Side[] = [];
    for (const name of [OURS, ...(quick ? QUICK_PEERS : PEERS)]) {
      const server = await startServer(name, url);
      run.defer(server.stop);
      sides.push({ ...server, keys, pids });
    }
    const limits: (number | undefined)[] = [];
    const samples = await measure(sides, quick ? QUICK : FULL, async (round, seconds) => {
      limits[round] = await pgbench(url, seconds);
    });
    return report(samples, limits);
  });
}

/** Measures all workloads in interleaved rounds, the first of which warms up. */
export async function measure(
  sides: Side[],
  { connections: counts, rounds, seconds }: Plan,
  onRound?: (round: number, seconds: number) => Promise<void>,
): Promise<Sample[]> {
  await compareAnswers(sides);
  const samples: Sample[] = [];
  for (let round = 0; round <= rounds; round++) {
    await onRound?.(round, seconds);
    for (const connections of round === 0 ? [64] : counts) {
      for (const workload of workloads) {
        for (const side of sides) {
          const sample = await measureOne(side, workload, connections, seconds);
          const phase = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
          const rate = `${side.name} ${Math.round(sample.requestsPerSecond)} requests/s`;
          console.error(`${phase}: ${workload.name}, ${connections} connections: ${rate}`);
          if (round > 0) samples.push({ ...sample, round });
        }
      }
    }
    // The server measured after many creations also pays for their vacuum and WAL.
    sides.push(...sides.splice(0, 1));
  }
  return samples;
}

async function measureOne(
  { name: server, origin, pid, keys, pids, idle = [], pets }: Side,
  workload: Workload,
  connections: number,
  seconds: number,
): Promise<Omit<Sample, 'round'>> {
  const load = workload.requests(keys, pets);
  await wrk(origin, load, { connections, seconds: 1 });
  const cpu = () => [cpuTime(pid), ...pids.map(cpuTimeOfAll)];
  const before = cpu().map((time, i) => time + (idle[i - 1] ?? 0) * seconds);
  const measured = await wrk(origin, load, { connections, seconds });
  const requests = measured.requestsPerSecond * seconds;
  const [serverCpu = 0, ...nodesCpu] = cpu().map((time, i) => ((time - (before[i] ?? 0)) * 1_000) / requests);
  const postgresCpu = nodesCpu.reduce((sum, each) => sum + each, 0);
  return { workload: workload.name, connections, server, ...measured, serverCpu, postgresCpu, nodesCpu };
}

/**
 * Ensures that all servers do the same work.
 *
 * @throws Error naming the request whose responses differ
 */
async function compareAnswers(sides: Side[]): Promise<void> {
  for (const workload of workloads) {
    for (const { method, path, body } of workload.requests(['']).slice(0, 20)) {
      const answers = await Promise.all(
        sides.map(async ({ origin, keys }) => {
          const headers = { Authorization: `Bearer ${keys[0]}`, ...(body && { 'Content-Type': 'application/json' }) };
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

function report(samples: Sample[], pgbench: (number | undefined)[]): string {
  const goals = goalsOf(samples, pgbench);
  const met = `${goals.filter(({ met }) => met).length} of ${goals.length} goals met`;
  return [
    'Load, servers and Postgres share the machine.',
    `${met}: median (range) of the ratios of all rounds, and the goal; missed ones in bold.`,
    '',
    ...goalsTable(goals),
    '',
    ...samplesTable(samples),
  ].join('\n');
}
