import { type Postgres, seed, withPostgres } from './database.ts';
import { describeMachine, keep, today } from './report.ts';
import { cpuTime, cpuTimeOfAll } from './servers/cpu.ts';
import { pgbench } from './servers/pgbench.ts';
import { goalsOf, goalsTable, type Sample, samplesTable } from './servers/results.ts';
import { OURS, PEERS, type Peer, type Server, startServer } from './servers/start.ts';
import { ANIMALS, KEYS, type Workload, workloads } from './servers/workloads.ts';
import { wrk } from './servers/wrk.ts';

interface Plan {
  connections: number[];
  peers: readonly Peer[];
  rounds: number;
  /** Of one measurement. */
  seconds: number;
}

const FULL: Plan = { connections: [1, 16, 64, 256], peers: PEERS, rounds: 3, seconds: 3 };
const QUICK: Plan = { connections: [1, 64], peers: ['node-http', 'express-same-promises'], rounds: 2, seconds: 1 };

/** The server, all its features on, beside others on the same database: interleaved rounds, and ratios within each. */
export function benchServers({ quick = false } = {}): Promise<void> {
  return withPostgres((postgres) => measure(postgres, quick ? QUICK : FULL, quick));
}

async function measure(postgres: Postgres, plan: Plan, quick: boolean): Promise<void> {
  const keys = await seed(postgres.url, { animals: ANIMALS, keys: KEYS });
  const servers: Server[] = [];
  try {
    for (const name of [OURS, ...plan.peers]) servers.push(await startServer(name, postgres.url));
    await compareAnswers(servers, keys);
    const limits: (number | undefined)[] = [];
    const samples: Sample[] = [];
    for (let round = 0; round <= plan.rounds; round++) {
      // The first one warms up.
      const seconds = round === 0 ? 1 : plan.seconds;
      const limit = await pgbench(postgres.url, seconds);
      if (round > 0) limits.push(limit);
      for (const connections of round === 0 ? [64] : plan.connections) {
        for (const workload of workloads) {
          // Each time another one is first: the server after many creations also pays for their vacuum and write-ahead log.
          for (const server of rotated(servers, round)) {
            const sample = await measureOne(server, workload, keys, { connections, seconds, postgres });
            console.error(
              `${round === 0 ? 'warm-up' : `round ${round} of ${plan.rounds}`}: ${workload.name}, ${connections} connections: ` +
                `${server.name} ${Math.round(sample.requestsPerSecond)} requests/s`,
            );
            if (round > 0) samples.push({ ...sample, round });
          }
        }
      }
    }
    await report(samples, limits, quick);
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
}

const rotated = <T>(values: T[], by: number): T[] => {
  const first = by % values.length;
  return [...values.slice(first), ...values.slice(0, first)];
};

async function measureOne(
  server: Server,
  workload: Workload,
  keys: string[],
  { connections, seconds, postgres }: { connections: number; seconds: number; postgres: Postgres },
): Promise<Omit<Sample, 'round'>> {
  const cpu = () => [cpuTime(server.pid), postgres.pid ? cpuTimeOfAll(postgres.pid) : Number.NaN] as const;
  const before = cpu();
  const measured = await wrk(server.origin, workload.requests(keys), { connections, seconds });
  const after = cpu();
  const perRequest = (index: 0 | 1) =>
    ((after[index] - before[index]) * 1_000) / (measured.requestsPerSecond * seconds);
  const { name } = workload;
  return {
    workload: name,
    connections,
    server: server.name,
    ...measured,
    serverCpu: perRequest(0),
    postgresCpu: perRequest(1),
  };
}

/**
 * A peer that answers something else would be measured for something else.
 *
 * @throws Error with the request whose answers differ
 */
async function compareAnswers(servers: Server[], keys: string[]): Promise<void> {
  for (const workload of workloads) {
    for (const { method, path, key, body } of workload.requests(keys).slice(0, 20)) {
      const answers = await Promise.all(
        servers.map(async ({ origin }) => {
          const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) };
          const response = await fetch(`${origin}${path}`, { method, headers, ...(body && { body }) });
          const value = await response.json();
          // Every creation has an id of its own.
          return JSON.stringify([response.status, method === 'POST' ? { ...(value as object), id: 0 } : value]);
        }),
      );
      const odd = answers.findIndex((answer) => answer !== answers[0]);
      if (odd > 0)
        throw new Error(`${servers[odd]?.name} answers ${method} ${path} with ${answers[odd]}, not ${answers[0]}`);
    }
  }
}

async function report(samples: Sample[], pgbench: (number | undefined)[], quick: boolean): Promise<void> {
  const goals = goalsOf(samples, pgbench);
  const machine = describeMachine();
  const text = [
    `\`pnpm bench servers${quick ? ' --quick' : ''}\`, ${today()}, ${machine}: load, server and Postgres share them.`,
    `${goals.filter(({ met }) => met).length} of ${goals.length} goals met: median (range) of the ratios of each round, and the goal.`,
    '',
    ...goalsTable(goals),
    '',
    ...samplesTable(samples),
    '',
  ].join('\n');
  console.log(text);
  await keep('servers.md', text, { quick });
  await keep('servers.json', `${JSON.stringify({ machine, goals, pgbench, samples }, null, 1)}\n`, { quick });
}
