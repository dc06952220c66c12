import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Impact } from './bump.ts';
import type { Change } from './compare.ts';
import type { Violation } from './policy.ts';
import { Source } from './source.ts';

/** An accepted exception: an entry of `openapi/.overrides.yaml`. */
interface Override {
  rule: string;
  /** The subject: an operation, or a JSON pointer. */
  operation?: string;
  pointer?: string;
  /** The new impact of a change. Without it, the entry lifts a violation. */
  impact?: Impact;
  reason: string;
  /** The last day on which it applies, as YYYY-MM-DD. */
  expires: string;
}

const FORM =
  'An override needs `rule`, `operation` or `pointer`, `reason` and `expires` (YYYY-MM-DD), and may have an `impact` (major, minor, patch)';

/**
 * Applies the overrides that are not expired. Returns all, for the report.
 *
 * @param file - need not exist
 */
export function applyOverrides(file: string, changes: readonly Change[], violations: readonly Violation[], now: Date) {
  const entries = readOverrides(file);
  const today = now.toISOString().slice(0, 'YYYY-MM-DD'.length);
  const overrides = entries.filter(isValid).map((entry) => ({ ...entry, expired: entry.expires < today }));
  const find = ({ rule, operations = [], place }: Violation) =>
    overrides.filter(({ expired, operation, pointer, ...entry }) => {
      const isThis = operation ? operations.some(({ name }) => name === operation) : pointer === place?.pointer;
      return !expired && rule === entry.rule && isThis;
    });
  const impactOf = (change: Change) => find(change).find(({ impact }) => impact)?.impact ?? change.impact;
  const invalid = entries.filter((entry) => !isValid(entry));
  return {
    changes: changes.map((change) => ({ ...change, impact: impactOf(change) })),
    violations: [
      ...violations.filter((violation) => find(violation).every(({ impact }) => impact)),
      ...invalid.map((entry) => ({ rule: 'override-invalid', message: `${FORM}: ${JSON.stringify(entry)}` })),
    ],
    overrides,
  };
}

function readOverrides(file: string): Override[] {
  if (!existsSync(file)) return [];
  const entries = new Source(file).root.value ?? [];
  if (!Array.isArray(entries)) throw new Error(`${path.relative('', file)}:1:1 must be a list`);
  return entries.map((entry) => entry ?? {});
}

function isValid({ rule, operation, pointer, impact, reason, expires }: Override): boolean {
  const texts: unknown[] = [rule, operation ?? pointer, reason];
  // Any other impact would rank below a patch and hide the change.
  const isImpact = [undefined, 'major', 'minor', 'patch'].includes(impact);
  const isText = texts.every((value) => typeof value === 'string' && value.trim() !== '');
  return isText && isImpact && /^\d{4}-\d{2}-\d{2}$/.test(String(expires));
}
