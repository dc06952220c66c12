import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Impact } from './bump.ts';
import type { Change } from './compare.ts';
import { BREAKING, dateIn, type Violation } from './policy.ts';
import { Source } from './source.ts';

/** An accepted exception: an entry of the contract's overrides. */
export interface Override {
  rule: string;
  /** The subject: the only operation, or a JSON pointer. */
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

/** The exceptions in a file, which apply until they expire. */
export class Overrides {
  readonly all: (Override & { expired: boolean })[];
  readonly #invalid: Violation[];

  /** @param file - need not exist */
  constructor(file: string, now: Date) {
    const entries = readOverrides(file);
    this.all = entries.filter(isValid).map((entry) => ({ ...entry, expired: entry.expires < dateIn(0, now) }));
    const messages = entries.filter((entry) => !isValid(entry)).map((entry) => `${FORM}: ${JSON.stringify(entry)}`);
    this.#invalid = messages.map((message) => ({ rule: 'override-invalid', message, fix: 'complete the override' }));
  }

  /** The changes, with the impact that overrides set. */
  rate(changes: readonly Change[]): Change[] {
    const impactOf = (change: Change) => this.#find(change).find(({ impact }) => impact)?.impact ?? change.impact;
    return changes.map((change) => ({ ...change, impact: impactOf(change) }));
  }

  /** The violations that no override lifts, and those of the overrides themselves. */
  lift(violations: readonly Violation[]): Violation[] {
    return [...violations.filter((violation) => this.#find(violation).every(({ impact }) => impact)), ...this.#invalid];
  }

  #find({ rule, operations = [], place }: Pick<Violation, 'rule' | 'operations' | 'place'>) {
    const [name, ...others] = new Set(operations.map((operation) => operation.name));
    return this.all.filter(({ expired, operation, pointer, ...entry }) => {
      const isThis = operation ? operation === name && others.length === 0 : pointer === place?.pointer;
      return !expired && entry.rule === rule && isThis;
    });
  }
}

/** Entries that lift violations of a policy, to paste. Invalid until they have a reason. */
export function overridesFor(violations: readonly Violation[], now: Date): string {
  const entries = violations.flatMap(({ rule, operations, place }) => {
    if (operations === undefined) return [];
    // Exactly this change, and not the next one of the same operation.
    const isChange = rule === BREAKING;
    const subject = isChange ? `pointer: ${JSON.stringify(place?.pointer)}` : `operation: ${operations[0]?.name}`;
    const reason = '# Why it harms no client, and who agreed.';
    return `- rule: ${rule}\n  ${subject}\n  reason: ${reason}\n  expires: '${dateIn(30, now)}'`;
  });
  return [...new Set(entries)].join('\n');
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
