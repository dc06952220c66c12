import { median } from '@petstore/testkit/statistics';

/** Values in equal distances from the beginning to the end, and by which share of their usual one or how much they may grow. */
export interface Series {
  name: string;
  unit: string;
  values: number[];
  share: number;
  absolute: number;
}

/** The share of the run during which caches and pools are filled. */
const WARM_UP = 0.2;

/** Tells whether a series stays where it is, whatever its noise and a few outliers are. Falling is fine. */
export function trendOf({ values, share, absolute }: Series): { usual: number; growth: number; flat: boolean } {
  const settled = values.slice(Math.floor(values.length * WARM_UP));
  const third = Math.ceil(settled.length / 3);
  const usual = median(settled);
  const growth = median(settled.slice(-third)) - median(settled.slice(0, third));
  return { usual, growth, flat: growth <= Math.max(usual * share, absolute) };
}

/** A chart from zero of sixty points at most, in Mermaid, which GitHub draws. */
export function chart({ name, unit, values }: Series): string {
  const step = Math.ceil(values.length / 60);
  const shown = values.filter((_, index) => index % step === 0).map((value) => value.toFixed(1));
  const top = Math.ceil(Math.max(...values) * 1.1) || 1;
  const lines = ['xychart-beta', `title "${name}"`, `y-axis "${unit}" 0 --> ${top}`, `line [${shown.join(', ')}]`];
  return `\`\`\`mermaid\n${lines.join('\n  ')}\n\`\`\``;
}
