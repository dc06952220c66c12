import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Change } from './changes.ts';
import type { Impact } from './finding.ts';
import type { Violation } from './policy.ts';
import { Source } from './source.ts';

/** An exception that was decided: an entry of `openapi/.overrides.yaml`. */
interface Override {
  rule: string;
  /** What it is for: an operation, or a JSON pointer. */
  operation?: string;
  pointer?: string;
  /** For a change: what it counts as. Without it, the entry lifts a violation. */
  impact?: Impact;
  reason: string;
  /** The last day on which it holds, as YYYY-MM-DD. */
  expires: string;
}

export interface Overridden {
  changes: Change[];
  violations: Violation[];
  overrides: (Override & { expired: boolean })[];
}

/**
 * Applies the overrides that hold today. All of them are returned to be shown.
 *
 * @param file - may be missing: then there are none
 */
export function applyOverrides(
  file: string,
  changes: readonly Change[],
  violations: readonly Violation[],
  now: Date,
): Overridden {
  const entries = readOverrides(file);
  const today = now.toISOString().slice(0, 'YYYY-MM-DD'.length);
  const invalid = entries.filter((entry) => !isValid(entry));
  const overrides = entries.filter(isValid).map((entry) => ({ ...entry, expired: entry.expires < today }));
  const inForce = overrides.filter(({ expired }) => !expired);
  const lifts = (violation: Violation) =>
    inForce.some(({ rule, operation, pointer, impact }) => {
      const isThis = operation === undefined ? pointer === violation.place?.pointer : operation === violation.operation;
      return impact === undefined && rule === violation.rule && isThis;
    });
  const impactOf = (change: Change) =>
    inForce.find(({ rule, operation, pointer, impact }) => {
      const isThis =
        operation === undefined
          ? pointer === change.place.pointer
          : change.operations.some((name) => name.split(' (')[0] === operation);
      return impact !== undefined && rule === change.rule && isThis;
    })?.impact;
  return {
    changes: changes.map((change) => ({ ...change, impact: impactOf(change) ?? change.impact })),
    violations: [
      ...violations.filter((violation) => !lifts(violation)),
      ...invalid.map((entry) => ({
        rule: 'override-invalid',
        message: `An override needs \`rule\`, \`operation\` or \`pointer\`, \`reason\` and \`expires\` (YYYY-MM-DD), and may have an \`impact\` (major, minor, patch): ${JSON.stringify(entry)}`,
      })),
    ],
    overrides,
  };
}

function readOverrides(file: string): Partial<Override>[] {
  if (!existsSync(file)) return [];
  const entries = new Source(file).root.value ?? [];
  if (!Array.isArray(entries)) throw new Error(`${path.relative('', file)}:1:1 must be a list`);
  return entries.map((entry) => entry ?? {});
}

function isValid(entry: Partial<Override>): entry is Override {
  const { rule, operation, pointer, impact, reason, expires } = entry;
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
  return (
    isText(rule) &&
    isText(operation ?? pointer) &&
    // Any other would rank below a patch, and hide the change.
    [undefined, 'major', 'minor', 'patch'].includes(impact) &&
    isText(reason) &&
    /^\d{4}-\d{2}-\d{2}$/.test(String(expires))
  );
}
