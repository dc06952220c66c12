import { compareBumps, type Direction, type Effect, type Finding, type Impact } from './finding.ts';
import type { Operation } from './operations.ts';
import type { Place } from './place.ts';

export interface Change {
  impact: Impact;
  rule: string;
  /** The affected operations with the direction: `listPets (response)`. */
  operations: string[];
  /** In head; in base if it was removed. */
  place: Place;
  message: string;
}

const BOTH = { changed: 'major', compatible: 'minor', words: 'patch', gone: 'major' } as const;

const IMPACTS: Record<Direction, Record<Effect, Impact>> = {
  request: { ...BOTH, narrower: 'major', wider: 'minor', guarantee: 'major' },
  response: { ...BOTH, narrower: 'minor', wider: 'major', guarantee: 'patch' },
};

/** The operation or message of a finding; neither for a finding on the whole document. */
export interface Reach {
  /** In base; in head if it is new. */
  operation?: Operation;
  /** Its place in head. */
  head?: Place;
  message?: Direction | 'component-schema';
  /** `listPets (response)`. One shared string per message, as there may be millions of findings. */
  label?: string;
  /** Whether the client sends or receives the message. Reversed for webhooks and callbacks. */
  direction?: Direction;
}

/**
 * Collects changes. A finding in a shared place is one change for all its operations, with the largest impact. Only this
 * class assigns operations to changes and applies the exemptions of `x-stability`.
 */
export class Changes {
  readonly #changes = new Map<string, Entry>();
  /** The same by finding: operations share schemas, and so findings. */
  readonly #entries = new WeakMap<Finding, Entry>();

  all(): Change[] {
    return [...this.#changes.values()].map((change) => ({ ...change, operations: [...change.operations] }));
  }

  /** @param reach - ignored without an operation if an operation already has the change */
  add(findings: Iterable<Finding>, reach: Reach = {}): void {
    for (const one of findings) this.#add(one, reach);
  }

  #add(one: Finding, { operation, head, message, label, direction = 'response' }: Reach): void {
    const { rule, effect, place, message: text } = one;
    const key = this.#entries.has(one) ? '' : `${place.id} ${rule}`;
    const known = this.#entries.get(one) ?? this.#changes.get(key);
    if (known && !operation) return;
    const entry: Entry = known ?? { impact: 'patch', rule: '', place, message: '', operations: new Set() };
    if (!known) this.#changes.set(key, entry);
    this.#entries.set(one, entry);
    // Documentation of the operation itself has no direction.
    const isOwn = effect === 'words' && [operation?.place, head].some((at) => place.id.startsWith(`${at?.id}/`));
    if (operation) entry.operations.add(label && !isOwn ? label : operation.name);
    const usual = IMPACTS[direction][effect];
    // Experimental operations may break, but not the exported types.
    const isExempt = operation?.place.value['x-stability'] === 'experimental' && effect !== 'gone';
    const impact = usual === 'major' && isExempt ? 'minor' : usual;
    const fullRule = message && effect !== 'words' && effect !== 'gone' ? `${message}-${rule}` : rule;
    // The largest impact applies; of equal ones, the first rule by name.
    if (known && (compareBumps(entry.impact, impact) || (fullRule < entry.rule ? -1 : 1)) >= 0) return;
    Object.assign(entry, { impact, rule: fullRule, message: text.charAt(0).toUpperCase() + text.slice(1) });
  }
}

type Entry = Omit<Change, 'operations'> & { operations: Set<string> };
