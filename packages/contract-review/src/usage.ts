/** Reads the number of calls of each operation from the metrics of its service. */
import { Source } from '@petstore-platform/openapi';
import type { Change } from './compare.ts';
import { code } from './words.ts';

export interface Usage {
  /** The calls by operationId. */
  operations: Map<string, number>;
  /** The first day that was counted. */
  since: string;
}

export function readUsage(file: string): Usage {
  const source = new Source(file);
  const { operations, since } = source.root.value ?? {};
  const counts = Object.entries<number>(Object(operations));
  if (counts.length === 0 || !counts.every(([, count]) => typeof count === 'number') || typeof since !== 'string')
    throw new Error(`${source.nameOf(file)}:1:1 needs \`operations\` (calls by operationId) and \`since\``);
  return { operations: new Map(counts), since };
}

/** The number of calls that a change would have affected; undefined if one of its operations was not counted. */
export function callsOf({ operations }: Change, usage: Usage | undefined): number | undefined {
  const names = new Set(operations.map(({ name }) => name));
  const counts = [...names].map((name) => usage?.operations.get(name) ?? Number.NaN);
  const sum = counts.reduce((all, count) => all + count, 0);
  return names.size === 0 || Number.isNaN(sum) ? undefined : sum;
}

/** `120345 calls since 2026-10-01` */
export function callsText(change: Change, usage: Usage): string {
  const calls = callsOf(change, usage);
  if (calls === undefined) return 'not counted';
  return `${calls === 0 ? '**nobody called**' : `${calls} calls`} since ${code(usage.since)}`;
}
