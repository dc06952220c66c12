import { compareBumps, type Direction, type Finding, type Impact, impactOf } from './finding.ts';
import type { Operation } from './operations.ts';
import type { Place } from './place.ts';

export interface Change {
  impact: Impact;
  rule: string;
  /** The operations that it reaches, with the direction: `listPets (response)`. */
  operations: string[];
  /** In head, or in base if it was removed. */
  place: Place;
  message: string;
}

/** The operation that something was found in, or the message of it; neither where it concerns none in particular. */
export interface Reach {
  /** As it was in base, or is in head if it is new. */
  operation?: Operation;
  /** Where it is in head. */
  head?: Place;
  message?: Direction | 'component-schema';
  /** `listPets (response)`. One string for all that the message has, as there may be millions of findings. */
  label?: string;
  /** What the client does with the message: webhooks and callbacks turn that round. */
  direction?: Direction;
}

/**
 * The changes found so far. A place that operations share is one change for all of them, rated by the one that it hits
 * hardest; which operations a change reaches, and what their stability exempts, is decided here and nowhere else.
 */
export class Changes {
  readonly #changes = new Map<string, Entry>();
  /** The same, by what was found: operations share schemas, and so findings. */
  readonly #entries = new WeakMap<Finding, Entry>();

  all(): Change[] {
    return [...this.#changes.values()].map((change) => ({ ...change, operations: [...change.operations] }));
  }

  /** @param reach - without an operation, it counts only if it was found in none. */
  add(one: Finding, { operation, head, message, label, direction = 'response' }: Reach = {}): void {
    const { rule, effect, place, message: text } = one;
    const key = this.#entries.has(one) ? '' : `${place.id} ${rule}`;
    const known = this.#entries.get(one) ?? this.#changes.get(key);
    if (known && !operation) return;
    const entry: Entry = known ?? { impact: 'patch', rule: '', place, message: '', operations: new Set() };
    if (!known) this.#changes.set(key, entry);
    this.#entries.set(one, entry);
    // Words that stand in the operation itself are the operation's.
    const isOwn = effect === 'words' && [operation?.place, head].some((at) => place.id.startsWith(`${at?.id}/`));
    if (operation) entry.operations.add(label && !isOwn ? label : operation.name);
    const usual = impactOf(effect, direction);
    // `x-stability: experimental` promises nothing: a change that would break is only news. But types stay exported.
    const isExempt = operation?.place.value['x-stability'] === 'experimental' && effect !== 'gone';
    const impact = usual === 'major' && isExempt ? 'minor' : usual;
    const fullRule = message && effect !== 'words' && effect !== 'gone' ? `${message}-${rule}` : rule;
    // The worst that is known of a change counts; of what is equally bad, the first rule by name.
    if (known && (compareBumps(entry.impact, impact) || (fullRule < entry.rule ? -1 : 1)) >= 0) return;
    Object.assign(entry, { impact, rule: fullRule, message: text.charAt(0).toUpperCase() + text.slice(1) });
  }
}

type Entry = Omit<Change, 'operations'> & { operations: Set<string> };
