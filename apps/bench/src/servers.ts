import { type Postgres, seed, withPostgres } from './database.ts';
import { cpuTime, cpuTimeOfAll } from './servers/cpu.ts';
import { pgbench } from './servers/pgbench.ts';
import { goalsOf, goalsTable, type Sample, samplesTable } from './servers/results.ts';
import { OURS, PEERS, type Peer, type Server, startServer } from './servers/start.ts';
import { KEYS, PETS, type Workload, workloads } from './servers/workloads.ts';
import { wrk } from './servers/wrk.ts';

interface Plan {
  connections: number[];
  peers: readonly Peer[];
  rounds: number;
  /** Per measurement. */
  seconds: number;
}

const FULL: Plan = { connections: [1, 16, 64, 256], peers: PEERS, rounds: 3, seconds: 3 };
const QUICK: Plan = { connections: [1, 64], peers: ['node-http', 'express-same-promises'], rounds: 2, seconds: 1 };

/** Compares the server, all features on, with its peers on the same database: ratios within interleaved rounds. */
export function benchServers({ quick = false } = {}): Promise<string> {
  return withPostgres((postgres) => measure(postgres, quick ? QUICK : FULL));
}

async function measure(postgres: Postgres, plan: Plan): Promise<string> {
  const keys = await seed(postgres.url, { pets: PETS, keys: KEYS });
  const servers: Server[] = [];
  try {
    for (const name of [OURS, ...plan.peers]) servers.push(await startServer(name, postgres.url));
    await compareAnswers(servers, keys);
    const limits: (number | undefined)[] = [];
    const samples: Sample[] = [];
    for (let round = 0; round <= plan.rounds; round++) {
      // Round 0 warms up.
      const seconds = round === 0 ? 1 : plan.seconds;
      const limit = await pgbench(postgres.url, seconds);
      if (round > 0) limits.push(limit);
      for (const connections of round === 0 ? [64] : plan.connections) {
        for (const workload of workloads) {
          // The order rotates: the server measured after many creations also pays for their vacuum and WAL.
          for (const server of rotated(servers, round)) {
            const sample = await measureOne(server, workload, keys, connections, seconds, postgres.pids);
            console.error(
              `${round === 0 ? 'warm-up' : `round ${round} of ${plan.rounds}`}: ${workload.name}, ${connections} connections: ` +
                `${server.name} ${Math.round(sample.requestsPerSecond)} requests/s`,
            );
            if (round > 0) samples.push({ ...sample, round });
          }
        }
      }
    }
    return report(samples, limits);
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
}

const rotated = <T>(values: T[], by: number): T[] => {
  const first = by % values.length;
  return [...values.slice(first), ...values.slice(0, first)];
};

/** @param nodes - processes of Postgres */
export async function measureOne(
  server: Server,
  workload: Workload,
  keys: string[],
  connections: number,
  seconds: number,
  nodes: number[],
): Promise<Omit<Sample, 'round'>> {
  const cpu = () => [cpuTime(server.pid), cpuTimeOfAll(nodes)];
  const before = cpu();
  const measured = await wrk(server.origin, workload.requests(keys), { connections, seconds });
  const requests = measured.requestsPerSecond * seconds;
  const [serverCpu = 0, postgresCpu = 0] = cpu().map((time, i) => ((time - (before[i] ?? 0)) * 1_000) / requests);
  return { workload: workload.name, connections, server: server.name, ...measured, serverCpu, postgresCpu };
}

/**
 * Ensures that all servers do the same work.
 *
 * @throws Error naming the request whose responses differ
 */
async function compareAnswers(servers: Server[], keys: string[]): Promise<void> {
  for (const workload of workloads) {
    for (const { method, path, key, body } of workload.requests(keys).slice(0, 20)) {
      const answers = await Promise.all(
        servers.map(async ({ origin }) => {
          const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) };
          const response = await fetch(`${origin}${path}`, { method, headers, ...(body && { body }) });
          const value = await response.json();
          // Each creation gets a new id.
          return JSON.stringify([response.status, method === 'POST' ? { ...(value as object), id: 0 } : value]);
        }),
      );
      const odd = answers.findIndex((answer) => answer !== answers[0]);
      if (odd > 0)
        throw new Error(`${servers[odd]?.name} answers ${method} ${path} with ${answers[odd]}, not ${answers[0]}`);
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
