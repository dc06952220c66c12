import { compareBumps, type Direction, type Effect, type Finding, type Impact } from './finding.ts';
import type { Place } from './place.ts';

export interface Change {
  impact: Impact;
  rule: string;
  /** The affected operations; none for a change of the whole document. */
  operations: Reach[];
  /** In head; in base if it was removed. */
  place: Place;
  message: string;
}

const BOTH = { changed: 'major', compatible: 'minor', words: 'patch', gone: 'major' } as const;

const IMPACTS: Record<Direction, Record<Effect, Impact>> = {
  request: { ...BOTH, narrower: 'major', wider: 'minor', guarantee: 'major' },
  response: { ...BOTH, narrower: 'minor', wider: 'major', guarantee: 'patch' },
};

/** An operation or one of its messages. One object for all of its findings, of which there may be millions. */
export interface Reach {
  /** Of the operation. */
  name: string;
  /** Of an operation that clients call and whose name it is not, such as `GET /pets`. */
  title?: string | undefined;
  message?: Direction;
  /** Whether the client sends or receives the message: reversed for webhooks and callbacks. Default: `response`. */
  direction?: Direction;
  isExperimental?: boolean;
}

/**
 * Collects changes. A finding in a shared place is one change for all its operations, with the largest impact. Only this
 * class assigns operations to changes and applies the exemptions of `x-stability`.
 */
export class Changes {
  readonly #changes = new Map<string, Change>();
  /** The same by finding: operations share schemas, and so findings. */
  readonly #byFinding = new WeakMap<Finding, Change>();

  all(): Change[] {
    return [...this.#changes.values()];
  }

  /**
   * @param reach - without one, changes that an operation already has are ignored
   * @param message - the prefix of the rules
   */
  add(findings: Iterable<Finding>, reach?: Reach, message: string | undefined = reach?.message): void {
    for (const one of findings) this.#add(one, reach, message);
  }

  #add(one: Finding, reach: Reach | undefined, message: string | undefined): void {
    const { rule, effect, place, message: text } = one;
    let change = this.#byFinding.get(one);
    if (!change) {
      const key = `${place.id} ${rule}`;
      const known = this.#changes.get(key);
      change = known ?? { impact: 'patch', rule: '', place, message: '', operations: [] };
      this.#changes.set(key, change);
      this.#byFinding.set(one, change);
    }
    if (change.rule !== '' && !reach) return;
    if (reach && change.operations.at(-1) !== reach) change.operations.push(reach);
    const usual = IMPACTS[reach?.direction ?? 'response'][effect];
    // Experimental operations may break, but not the exported types.
    const isExempt = reach?.isExperimental && effect !== 'gone';
    const impact = usual === 'major' && isExempt ? 'minor' : usual;
    const fullRule = message && effect !== 'words' && effect !== 'gone' ? `${message}-${rule}` : rule;
    // The largest impact applies; of equal ones, the first rule by name.
    if (change.rule !== '' && (compareBumps(change.impact, impact) || (fullRule < change.rule ? -1 : 1)) >= 0) return;
    Object.assign(change, { impact, rule: fullRule, message: text.charAt(0).toUpperCase() + text.slice(1) });
  }
}
