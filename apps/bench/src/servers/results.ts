import { median } from '@petstore/testkit/statistics';
import { OURS, PEERS } from './start.ts';
import { type Workload, workloads } from './workloads.ts';
import type { Measured } from './wrk.ts';

/** One workload on one server in one round. */
export interface Sample extends Measured {
  workload: string;
  connections: number;
  server: string;
  round: number;
  /** Microseconds of processor time for each request; NaN where there is no /proc. */
  serverCpu: number;
  postgresCpu: number;
}

/** A figure of ours, divided by another's in the same round. */
export interface Goal {
  workload: string;
  /** As in `requests/s of node-http`. */
  figure: string;
  connections: number;
  wanted: string;
  /** The middle of all rounds, and their range. */
  ratio: { median: number; low: number; high: number };
  met: boolean;
}

/** The least ratio to what pgbench selects: lists that are all the same, 64 connections. */
const OF_PGBENCH = 0.6;

/** Every goal of the workloads, as far as these samples measured it. */
export function goalsOf(samples: Sample[], pgbench: (number | undefined)[]): Goal[] {
  const goals = workloads.flatMap((workload) =>
    [...new Set(samples.map(({ connections }) => connections))].flatMap((connections) => {
      const at = samples.filter((sample) => sample.workload === workload.name && sample.connections === connections);
      const compare = (peer: string, figure: (sample: Sample) => number) =>
        at.flatMap((own) => {
          const other = at.find(({ server, round }) => server === peer && round === own.round);
          return own.server === OURS && other ? [figure(own) / figure(other)] : [];
        });
      const rate = ({ requestsPerSecond }: Sample) => requestsPerSecond;
      const ofPgbench = at
        .filter(({ server }) => server === OURS)
        .map((sample) => rate(sample) / (pgbench[sample.round - 1] ?? Number.NaN));
      const goal = goalFor(workload, connections);
      return [
        ...PEERS.map((peer) =>
          goal(`requests/s of ${peer}`, '≥', workload.goals[peer]?.[connections], compare(peer, rate)),
        ),
        goal(
          'p99 of node-http',
          '≤',
          1,
          compare('node-http', ({ p99 }) => p99),
        ),
        goal('requests/s of pgbench', '≥', isSelected(workload, connections) ? OF_PGBENCH : undefined, ofPgbench),
      ];
    }),
  );
  return goals.filter((goal) => goal !== undefined);
}

const isSelected = ({ name }: Workload, connections: number) => name === 'list, hot' && connections === 64;

function goalFor({ name: workload }: Workload, connections: number) {
  return (figure: string, sign: '≥' | '≤', bound: number | undefined, ratios: number[]): Goal | undefined => {
    if (bound === undefined || ratios.length === 0 || ratios.some(Number.isNaN)) return undefined;
    const ratio = { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
    const met = sign === '≥' ? ratio.median >= bound : ratio.median <= bound;
    return { workload, figure, connections, wanted: `${sign} ${Number(bound.toFixed(2))}`, ratio, met };
  };
}

/** A row for each workload and figure, a column for each number of connections: the ratio, in bold where a goal is missed. */
export function goalsTable(goals: Goal[]): string[] {
  const columns = [...new Set(goals.map(({ connections }) => connections))];
  const rows = Map.groupBy(goals, ({ workload, figure }) => `${workload} | ${figure}`);
  const cell = (goal: Goal | undefined) => {
    if (!goal) return '';
    const { wanted, ratio, met } = goal;
    const figure = `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})`;
    return `${met ? figure : `**${figure}**`} ${wanted}`;
  };
  return [
    `| workload | our figure, divided by | ${columns.map((count) => `${count} connection${count === 1 ? '' : 's'}`).join(' | ')} |`,
    `|---|---|${columns.map(() => '---').join('|')}|`,
    ...[...rows].map(
      ([name, row]) =>
        `| ${name} | ${columns.map((count) => cell(row.find(({ connections }) => connections === count))).join(' | ')} |`,
    ),
  ];
}

/** A row for each workload, number of connections and server: medians of the rounds. */
export function samplesTable(samples: Sample[]): string[] {
  const place = ({ workload, connections }: Sample) =>
    workloads.findIndex(({ name }) => name === workload) * 1_000 + connections;
  const groups = Map.groupBy(
    samples.toSorted((a, b) => place(a) - place(b)),
    ({ workload, connections, server }) => `${workload} | ${connections} | ${server}`,
  );
  const rows = [...groups].map(([name, group]) => {
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
  return [
    '| workload | connections | server | requests/s | p50 ms | p99 ms | CPU µs/request: server + Postgres |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ];
}
