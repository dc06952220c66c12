import { formatRatio, median } from '../statistics.ts';
import { OURS, PEERS, type Peer } from './start.ts';
import type { Use } from './use.ts';
import { workloads } from './workloads.ts';

/** One workload on one server in one round. */
export interface Sample extends Use {
  workload: string;
  connections: number;
  server: string;
  round: number;
}

/** Our figure divided by a peer's, per round. */
export interface Goal {
  workload: string;
  /** Column of the report, for example `requests/s of node-http`. */
  figure: string;
  connections: number;
  wanted: string;
  ratios: number[];
  met: boolean;
}

const cpuOf = ({ serverCpu, postgresCpu }: Sample) => serverCpu + postgresCpu;

/** Compares the samples with the goals of their workloads. */
export function goalsOf(samples: Sample[]): Goal[] {
  const result: Goal[] = [];
  const counts = new Set(samples.map(({ connections }) => connections));
  for (const { name: workload, goals } of workloads) {
    for (const connections of counts) {
      const group = samples.filter((sample) => sample.workload === workload && sample.connections === connections);
      const ours = group.filter(({ server }) => server === OURS);
      const divide = (peer: Peer, of: (sample: Sample) => number) =>
        ours.flatMap((sample) => {
          const other = group.find(({ server, round }) => server === peer && round === sample.round);
          return other ? [of(sample) / of(other)] : [];
        });
      const add = (figure: string, sign: '≥' | '≤', bound: number | undefined, ratios: number[]) => {
        if (bound === undefined || ratios.length === 0 || ratios.some(Number.isNaN)) return;
        const met = sign === '≥' ? median(ratios) >= bound : median(ratios) <= bound;
        result.push({ workload, figure, connections, wanted: `${sign} ${Number(bound.toFixed(2))}`, ratios, met });
      };
      for (const peer of PEERS)
        add(
          `requests/s of ${peer}`,
          '≥',
          goals[peer]?.[connections],
          divide(peer, (sample) => sample.requestsPerSecond),
        );
      // Those of a single connection depend mainly on other processes.
      if (connections === 1) continue;
      add('CPU per request of node-http', '≤', 1, divide('node-http', cpuOf));
      add(
        'p99 of node-http',
        '≤',
        1,
        divide('node-http', ({ p99 }) => p99),
      );
    }
  }
  return result;
}

/** A table of ratios with a row per workload and figure, and a column per number of connections. Missed goals are in bold. */
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

/** A table of the medians of all rounds, with a row per workload, number of connections and server. */
export function samplesTable(samples: Sample[]): string[] {
  const place = ({ workload, connections }: Sample) =>
    workloads.findIndex(({ name }) => name === workload) * 1_000 + connections;
  const groups = Map.groupBy(
    samples.toSorted((a, b) => place(a) - place(b)),
    ({ workload, connections, server }) => `${workload} | ${connections} | ${server}`,
  );
  const rows = [...groups].map(([name, group]) => {
    const middle = (key: keyof Use) => median(group.map((sample) => sample[key]));
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
