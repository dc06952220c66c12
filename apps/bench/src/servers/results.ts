import { formatRatio, median } from '@repo/testkit/statistics';
import { OURS, PEERS, type Peer } from './start.ts';
import { workloads } from './workloads.ts';
import type { Measured } from './wrk.ts';

/** One workload on one server in one round. */
export interface Sample extends Measured {
  workload: string;
  connections: number;
  server: string;
  round: number;
  /** Microseconds of CPU time per request; NaN without /proc. */
  serverCpu: number;
  postgresCpu: number;
  /** The same of each node. */
  nodesCpu: number[];
}

/** Our figure divided by a peer's, per round. */
export interface Goal {
  workload: string;
  /** For example `requests/s of node-http`. */
  figure: string;
  connections: number;
  wanted: string;
  ratios: number[];
  met: boolean;
}

/** Compares the samples with the goals of their workloads. */
export function goalsOf(samples: Sample[], pgbench: (number | undefined)[]): Goal[] {
  const result: Goal[] = [];
  const counts = new Set(samples.map(({ connections }) => connections));
  for (const { name: workload, goals } of workloads) {
    for (const connections of counts) {
      const group = samples.filter((sample) => sample.workload === workload && sample.connections === connections);
      const own = group.filter(({ server }) => server === OURS);
      const divide = (peer: Peer, key: 'requestsPerSecond' | 'p99') =>
        own.flatMap((sample) => {
          const other = group.find(({ server, round }) => server === peer && round === sample.round);
          return other ? [sample[key] / other[key]] : [];
        });
      const add = (figure: string, sign: '≥' | '≤', bound: number | undefined, ratios: number[]) => {
        if (bound === undefined || ratios.length === 0 || ratios.some(Number.isNaN)) return;
        const met = sign === '≥' ? median(ratios) >= bound : median(ratios) <= bound;
        result.push({ workload, figure, connections, wanted: `${sign} ${Number(bound.toFixed(2))}`, ratios, met });
      };
      for (const peer of PEERS)
        add(`requests/s of ${peer}`, '≥', goals[peer]?.[connections], divide(peer, 'requestsPerSecond'));
      add('p99 of node-http', '≤', 1, divide('node-http', 'p99'));
      const ofPgbench = own.map((sample) => sample.requestsPerSecond / (pgbench[sample.round] ?? Number.NaN));
      add('requests/s of pgbench', '≥', goals.pgbench?.[connections], ofPgbench);
    }
  }
  return result;
}

/** A row per workload and figure, a column per number of connections: the ratio, in bold when it misses its goal. */
export function goalsTable(goals: Goal[]): string[] {
  const columns = [...new Set(goals.map(({ connections }) => connections))];
  const rows = Map.groupBy(goals, ({ workload, figure }) => `${workload} | ${figure}`);
  const cell = (goal: Goal | undefined) => {
    if (!goal) return '';
    const { wanted, ratios, met } = goal;
    return `${met ? formatRatio(ratios) : `**${formatRatio(ratios)}**`} ${wanted}`;
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

/** A row per workload, number of connections and server: medians of the rounds. */
export function samplesTable(samples: Sample[]): string[] {
  const place = ({ workload, connections }: Sample) =>
    workloads.findIndex(({ name }) => name === workload) * 1_000 + connections;
  const groups = Map.groupBy(
    samples.toSorted((a, b) => place(a) - place(b)),
    ({ workload, connections, server }) => `${workload} | ${connections} | ${server}`,
  );
  const rows = [...groups].map(([name, group]) => {
    const middle = (key: keyof Measured | 'serverCpu' | 'postgresCpu') => median(group.map((sample) => sample[key]));
    const cpu = [middle('serverCpu'), middle('postgresCpu')];
    const figures = [
      Math.round(middle('requestsPerSecond')),
      middle('p50').toFixed(2),
      middle('p99').toFixed(2),
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
