import { median } from '@petstore/testkit/statistics';

/** The value below which a share of all values lies, by the nearest rank. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/**
 * The slope of a series (Theil–Sen): the median of the slopes between all pairs of its points, so that almost a third of
 * them may be anything without moving it.
 */
export function slope(points: [x: number, y: number][]): number {
  const slopes = points.flatMap(([x, y], index) =>
    points.slice(index + 1).map(([laterX, laterY]) => (laterY - y) / (laterX - x)),
  );
  return median(slopes);
}
