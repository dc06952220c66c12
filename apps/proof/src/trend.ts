import { median } from '@petstore-platform/testkit/statistics';

/** Values at equal intervals, and their allowed growth: a share of the median or an absolute value, whichever is larger. */
export interface Series {
  name: string;
  unit: string;
  values: number[];
  share: number;
  absolute: number;
}

/** The share of the run to ignore: caches and pools fill. */
const WARM_UP = 0.2;

/** Compares the medians of the first and last third, robust against noise and outliers. A falling series is flat. */
export function trendOf({ values, share, absolute }: Series): { usual: number; growth: number; flat: boolean } {
  const settled = values.slice(Math.floor(values.length * WARM_UP));
  const third = Math.ceil(settled.length / 3);
  const usual = median(settled);
  const growth = median(settled.slice(-third)) - median(settled.slice(0, third));
  return { usual, growth, flat: growth <= Math.max(usual * share, absolute) };
}

/** Renders a Mermaid chart from zero, with up to 60 points. */
export function chart({ name, unit, values }: Series): string {
  const step = Math.ceil(values.length / 60);
  const shown = values.filter((_, index) => index % step === 0).map((value) => value.toFixed(1));
  const top = Math.ceil(Math.max(...values) * 1.1) || 1;
  const lines = ['xychart-beta', `title "${name}"`, `y-axis "${unit}" 0 --> ${top}`, `line [${shown.join(', ')}]`];
  return `\`\`\`mermaid\n${lines.join('\n  ')}\n\`\`\``;
}
