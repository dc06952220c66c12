import { existsSync } from 'node:fs';
import { Source } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { type Impact, isImpact } from './bump.ts';
import type { Change } from './compare.ts';
import { idOf } from './finding.ts';
import type { Violation } from './policy.ts';
import { written } from './version.ts';
import { code, dateIn } from './words.ts';

export interface Override {
  rule: string;
  /** The subject: the only operation, or a JSON pointer. */
  operation?: string;
  pointer?: string;
  /** The identifier of the change by {@link idOf}. */
  change: string;
  /** The new impact of a change. Without it, the entry lifts a violation. */
  impact?: Impact;
  reason: string;
  /** The last day on which it applies, as YYYY-MM-DD. */
  expires: string;
}

const FORM =
  'An override needs `rule`, `operation` or `pointer`, `change` (from the report), `reason` and `expires` (a day within a year, YYYY-MM-DD), and may have an `impact` (major, minor, patch)';

type Subject = Pick<Violation, 'rule' | 'message' | 'operations' | 'place' | 'detail'>;

/** The exceptions in a file, which apply until they expire. */
export class Overrides {
  readonly all: (Override & { expired: boolean })[] = [];
  readonly #invalid: Violation[] = [];

  constructor(file: string | undefined, now: Date) {
    for (const entry of file && existsSync(file) ? readOverrides(file) : []) {
      const message = `${FORM}: ${code(stringify(entry))}`;
      if (isValid(entry, now)) this.all.push({ ...entry, expired: entry.expires < dateIn(0, now) });
      else this.#invalid.push({ rule: 'override-invalid', message, fix: 'complete the override' });
    }
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

  #find(subject: Subject) {
    const { rule, operations = [], place } = subject;
    const [name, ...others] = new Set(operations.map((operation) => operation.name));
    return this.all.filter(({ expired, operation, pointer, change, ...entry }) => {
      const isThis = operation
        ? operation === name && others.length === 0
        : place && pointer === written(place).pointer;
      return !expired && entry.rule === rule && isThis && change === idOf(subject);
    });
  }
}

/** Entries to paste that lift violations of a policy. They are invalid until their author adds a reason. */
export function overridesFor(violations: readonly Violation[], now: Date): string[] {
  const entries = violations.flatMap((violation) => {
    const { rule, operations, place, change } = violation;
    if (operations === undefined) return [];
    const [key, subject] = change ? ['pointer', place && written(place).pointer] : ['operation', operations[0]?.name];
    const reason = '# Why it harms no client, and who agreed.';
    return `- rule: ${rule}
  ${key}: ${JSON.stringify(subject)}
  change: '${idOf(violation)}'
  reason: ${reason}
  expires: '${dateIn(30, now)}'`;
  });
  return [...new Set(entries)];
}

function readOverrides(file: string): Override[] {
  const source = new Source(file);
  const entries = source.root.value ?? [];
  if (!Array.isArray(entries)) throw new Error(`${source.nameOf(file)}:1:1 must be a list`);
  return entries.map((entry) => entry ?? {});
}

function isValid({ rule, operation, pointer, change, impact, reason, expires }: Override, now: Date): boolean {
  const texts: unknown[] = [rule, operation ?? pointer, change, reason];
  const isText = texts.every((value) => typeof value === 'string' && value.trim() !== '');
  const day = new Date(`${expires}T00:00:00Z`);
  // `Date` turns an invalid day, such as 02-31, into another day.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(String(expires));
  // Any other impact would rank below a patch and hide the change.
  return isText && (impact === undefined || isImpact(impact)) && isDay && expires <= dateIn(366, now);
}
