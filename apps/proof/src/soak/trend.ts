import { median } from '@petstore/testkit/statistics';
import { slope } from '../statistics.ts';

/** What is measured over time, and by how much it may grow. */
export interface Series {
  name: string;
  unit: string;
  /** Time in seconds, and value. */
  points: [time: number, value: number][];
  /** How much it may grow from the beginning to the end: a share of what is usual, or this much, whichever is more. */
  tolerance: { share: number; absolute: number };
}

export interface Trend {
  usual: number;
  /** By its slope, from the end of the warm-up to the end. */
  growth: number;
  flat: boolean;
}

/** The share of the run during which code is compiled and caches and pools are filled. */
const WARM_UP = 0.2;

/** Whether a series stays where it is. Falling is fine. */
export function trendOf({ points, tolerance }: Series): Trend {
  const settled = points.slice(Math.floor(points.length * WARM_UP));
  const usual = median(settled.map(([, value]) => value));
  const time = (settled.at(-1)?.[0] ?? 0) - (settled[0]?.[0] ?? 0);
  const growth = slope(settled) * time;
  return { usual, growth, flat: growth <= Math.max(usual * tolerance.share, tolerance.absolute) };
}
