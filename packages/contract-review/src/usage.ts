/** Reads the number of calls of each operation from the metrics of its service. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Source } from '@repo/openapi';
import type { Change } from './compare.ts';
import type { Violation } from './policy.ts';
import { code } from './words.ts';

export interface Usage {
  /** The calls by operationId. */
  operations: Record<string, number>;
  /** The first day that was counted. */
  since: string;
  /** The number of calls up to which the policy accepts a breaking change. */
  accepted: number | undefined;
}

/** @param contract - the contract's file. The policy is in `.review.yaml` beside it */
export function readUsage(file: string, contract: string): Usage {
  const source = new Source(file);
  const { operations, since } = source.root.value ?? {};
  const counts = Object.values(Object(operations));
  if (counts.length === 0 || !counts.every((count) => typeof count === 'number') || typeof since !== 'string')
    throw new Error(`${source.nameOf(file)}:1:1 needs \`operations\` (calls by operationId) and \`since\``);
  return { operations, since, accepted: acceptedIn(path.join(path.dirname(contract), '.review.yaml')) };
}

function acceptedIn(file: string): number | undefined {
  const { acceptedCalls } = existsSync(file) ? (new Source(file).root.value ?? {}) : {};
  if (acceptedCalls === undefined || typeof acceptedCalls === 'number') return acceptedCalls;
  throw new Error(`${path.relative('', file)}:1:1 needs a number as \`acceptedCalls\``);
}

/** The number of calls that a change would have affected; undefined if one of its operations was not counted. */
export function callsOf({ operations }: Pick<Change, 'operations'>, usage: Usage | undefined): number | undefined {
  const names = [...new Set(operations.map(({ name }) => name))];
  const counts = names.map((name) =>
    Object.hasOwn(usage?.operations ?? {}, name) ? usage?.operations[name] : undefined,
  );
  const isCounted = counts.length > 0 && counts.every((count) => count !== undefined);
  return isCounted ? counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) : undefined;
}

/** The violations with no more calls than the policy accepts; none without a threshold. */
export function rareIn(violations: readonly Violation[], usage: Usage | undefined): Violation[] {
  const most = usage?.accepted;
  if (most === undefined) return [];
  return violations.filter(
    ({ operations = [] }) => (callsOf({ operations }, usage) ?? Number.POSITIVE_INFINITY) <= most,
  );
}

/** `120345 calls since 2026-10-01` */
export function callsText(change: Pick<Change, 'operations'>, usage: Usage): string {
  const calls = callsOf(change, usage);
  if (calls === undefined) return 'not counted';
  return `${calls === 0 ? '**nobody called**' : `${calls} calls`} since ${code(usage.since)}`;
}
