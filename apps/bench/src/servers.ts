import { median } from '@petstore/testkit/statistics';
import { type Postgres, seed, withPostgres } from './database.ts';
import { describeMachine, keep, today } from './report.ts';
import { drawChart } from './servers/chart.ts';
import { cpuTime, cpuTimeOfAll } from './servers/cpu.ts';
import { pgbench } from './servers/pgbench.ts';
import { type Ratio, ratioOf, type Sample, summarize } from './servers/results.ts';
import { OURS, PEERS, type Server, startServer } from './servers/start.ts';
import { ANIMALS, KEYS, type Workload, workloads } from './servers/workloads.ts';
import { wrk } from './servers/wrk.ts';

const BASELINE = 'node-http';

interface Plan {
  connections: number[];
  peers: string[];
  rounds: number;
  /** Of one measurement. */
  seconds: number;
}

const FULL: Plan = { connections: [1, 16, 64, 256], peers: PEERS, rounds: 3, seconds: 3 };
const QUICK: Plan = { connections: [1, 64], peers: [BASELINE, 'express-openapi-validator'], rounds: 2, seconds: 1 };

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
          // Each time another one is first: whoever comes after many creates also pays for what Postgres still does about them.
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

async function report(samples: Sample[], limits: (number | undefined)[], quick: boolean): Promise<void> {
  const goals = goalsOf(samples, limits);
  const machine = describeMachine();
  const text = [
    `\`pnpm bench servers${quick ? ' --quick' : ''}\`, ${today()}, ${machine}: load, server and Postgres share them.`,
    '',
    '| goal | wanted | median (range) of the ratios | |',
    '|---|---|---|---|',
    ...goals.map(
      ({ name, wanted, ratio, met }) => `| ${name} | ${wanted} | ${formatted(ratio)} | ${met ? 'met' : 'not met'} |`,
    ),
    '',
    '| workload | connections | server | requests/s | p50 ms | p99 ms | CPU µs/request: server + Postgres |',
    '|---|---|---|---|---|---|---|',
    ...rows(samples),
    '',
  ].join('\n');
  console.log(text);
  await keep('servers.md', text, { quick });
  await keep('servers.json', `${JSON.stringify({ machine, goals, limits, samples }, null, 1)}\n`, { quick });
  await keep('servers.svg', drawChart(samples), { quick });
}

interface Goal {
  name: string;
  wanted: string;
  ratio: Ratio | undefined;
  met: boolean;
}

function goalsOf(samples: Sample[], limits: (number | undefined)[]): Goal[] {
  const atLeast = (name: string, goal: number, ratio: Ratio | undefined): Goal => ({
    name,
    wanted: `≥ ${goal}×`,
    ratio,
    met: ratio !== undefined && ratio.median >= goal,
  });
  const atMost = (name: string, goal: number, ratio: Ratio | undefined): Goal => ({
    name,
    wanted: `≤ ${goal}×`,
    ratio,
    met: ratio !== undefined && ratio.median <= goal,
  });
  const goals = workloads.flatMap(({ name, goal, latencyGoal, against = BASELINE }) => {
    const compare = (connections: number, other: string, figure: (sample: Sample) => number) =>
      ratioOf(samples, { workload: name, connections }, [OURS, other], figure);
    return [
      atLeast(
        `${name}: requests/s of ${against}`,
        goal,
        compare(64, against, ({ requestsPerSecond }) => requestsPerSecond),
      ),
      atMost(
        `${name}: p99 of ${BASELINE}`,
        1,
        compare(64, BASELINE, ({ p99 }) => p99),
      ),
      ...(latencyGoal
        ? [
            atMost(
              `${name}: time of one connection's request of ${BASELINE}`,
              latencyGoal,
              compare(1, BASELINE, ({ p50 }) => p50),
            ),
          ]
        : []),
    ];
  });
  const hot = samples.filter(
    ({ workload, connections, server }) => workload === 'list, hot' && connections === 64 && server === OURS,
  );
  const ofPostgres = hot.map(({ requestsPerSecond, round }) => requestsPerSecond / (limits[round - 1] ?? Number.NaN));
  return [...goals, atLeast('list, hot: requests/s of what pgbench selects', 0.6, summarize(ofPostgres))];
}

function rows(samples: Sample[]): string[] {
  const groups = Map.groupBy(
    samples,
    ({ workload, connections, server }) => `${workload} | ${connections} | ${server}`,
  );
  return [...groups]
    .sort(([a], [b]) => order(a) - order(b))
    .map(([name, group]) => {
      const middle = (figure: (sample: Sample) => number) => median(group.map(figure));
      const cpu = [middle(({ serverCpu }) => serverCpu), middle(({ postgresCpu }) => postgresCpu)];
      const figures = [
        Math.round(middle(({ requestsPerSecond }) => requestsPerSecond)),
        middle(({ p50 }) => p50).toFixed(2),
        middle(({ p99 }) => p99).toFixed(2),
        cpu.map((time) => (Number.isNaN(time) ? '–' : Math.round(time))).join(' + '),
      ];
      return `| ${name} | ${figures.join(' | ')} |`;
    });
}

/** By workload, then by connections; servers stay as they were measured. */
function order(row: string): number {
  const [workload, connections] = row.split(' | ');
  return workloads.findIndex(({ name }) => name === workload) * 1_000 + Number(connections);
}

const formatted = (ratio: Ratio | undefined) =>
  ratio ? `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})` : 'not measured';
