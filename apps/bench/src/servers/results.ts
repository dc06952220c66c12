import { median } from '@petstore/testkit/statistics';
import type { Measured } from './wrk.ts';

/** One workload on one server in one round. */
export interface Sample extends Measured {
  workload: string;
  connections: number;
  server: string;
  round: number;
  /** Microseconds of processor time for each request; NaN where it cannot be told. */
  serverCpu: number;
  postgresCpu: number;
}

/** A figure of a server, divided by that of another in the same round: the middle of all rounds, and their range. */
export interface Ratio {
  median: number;
  low: number;
  high: number;
}

export function ratioOf(
  samples: Sample[],
  of: Pick<Sample, 'workload' | 'connections'>,
  [server, other]: [string, string],
  figure: (sample: Sample) => number,
): Ratio | undefined {
  const find = (name: string) =>
    samples
      .filter(({ workload, connections }) => workload === of.workload && connections === of.connections)
      .filter((sample) => sample.server === name);
  const others = new Map(find(other).map((sample) => [sample.round, figure(sample)]));
  return summarize(find(server).map((sample) => figure(sample) / (others.get(sample.round) ?? Number.NaN)));
}

export function summarize(ratios: number[]): Ratio | undefined {
  if (ratios.length === 0 || ratios.some(Number.isNaN)) return undefined;
  return { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}
