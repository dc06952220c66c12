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

/** The operation that something was found in, or the message of it. */
export interface Reach {
  /** As it was in base, or is in head if it is new. */
  operation: Operation;
  /** Where it is in head. */
  head: Place;
  message?: Direction;
  /** What the client does with the message: webhooks and callbacks turn that round. */
  direction?: Direction;
}

/**
 * The changes found so far. A place that operations share is one change for all of them, rated by the one that it hits
 * hardest; which operations a change reaches, and what their stability exempts, is decided here and nowhere else.
 */
export class Changes {
  readonly #changes = new Map<string, Omit<Change, 'operations'> & { operations: Set<string> }>();

  all(): Change[] {
    return [...this.#changes.values()].map((change) => ({ ...change, operations: [...change.operations] }));
  }

  /** @param reach - without it, what was found concerns no operation in particular, unless it was found in some. */
  add({ rule, effect, place, message }: Finding, reach?: Reach): void {
    const key = `${place.id} ${rule}`;
    const known = this.#changes.get(key);
    if (known && !reach) return;
    const entry = known ?? { impact: 'patch', rule: '', place, message: '', operations: new Set() };
    this.#changes.set(key, entry);
    if (reach) entry.operations.add(labelOf(reach, effect === 'words' ? place : undefined));
    const usual = impactOf(effect, reach?.direction ?? 'response');
    // `x-stability: experimental` promises nothing: a change that would break is only news. But types stay exported.
    const isExempt = reach?.operation.place.value['x-stability'] === 'experimental' && effect !== 'gone';
    const impact = usual === 'major' && isExempt ? 'minor' : usual;
    const isPlain = effect === 'words' || effect === 'gone' || reach?.message === undefined;
    const fullRule = isPlain ? rule : `${reach.message}-${rule}`;
    // The worst that is known of a change counts; of what is equally bad, the first rule by name.
    if (known && (compareBumps(entry.impact, impact) || (fullRule < entry.rule ? -1 : 1)) >= 0) return;
    const text = message.charAt(0).toUpperCase() + message.slice(1);
    Object.assign(entry, { impact, rule: fullRule, message: text });
  }
}

/** @param words - the place of words: where they stand in the operation itself, they are the operation's */
function labelOf({ operation, head, message }: Reach, words: Place | undefined): string {
  const isOwn = [operation.place, head].some(({ id }) => words?.id.startsWith(`${id}/`));
  return message === undefined || isOwn ? operation.name : `${operation.name} (${message})`;
}
