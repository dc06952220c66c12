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

/** The message that a finding is about, and what the client does with it: webhooks and callbacks turn that round. */
export interface Message {
  /** As it was in base. */
  operation: Operation;
  /** Where the operation is in head. */
  head: Place;
  kind: 'request' | 'response';
  direction: Direction;
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

  /** What was found in a message of an operation. */
  found(finding: Finding, { operation, head, kind, direction }: Message): void {
    const { rule, effect, place, message } = finding;
    const impact = effect === 'gone' ? 'major' : exempted(impactOf(effect, direction), operation);
    const isPlain = effect === 'words' || effect === 'gone';
    // Words that stand in the operation itself are the operation's.
    const isOwn = effect === 'words' && [operation.place, head].some(({ id }) => place.id.startsWith(`${id}/`));
    const label = isOwn ? operation.name : `${operation.name} (${kind})`;
    this.#merge({ impact, rule: isPlain ? rule : `${kind}-${rule}`, place, message }, label, rule);
  }

  /** What changed in an operation itself. */
  note(impact: Impact, rule: string, place: Place, message: string, operation: Operation): void {
    this.#merge({ impact: exempted(impact, operation), rule, place, message }, operation.name, rule);
  }

  /** What concerns no operation in particular, unless it was found in some. */
  add(impact: Impact, { rule, place, message }: Omit<Finding, 'effect'>): void {
    if (!this.#changes.has(keyOf(place, rule))) this.#merge({ impact, rule, place, message }, undefined, rule);
  }

  #merge(change: Omit<Change, 'operations'>, operation: string | undefined, rule: string): void {
    const key = keyOf(change.place, rule);
    const known = this.#changes.get(key);
    const operations = known?.operations ?? new Set();
    if (operation !== undefined) operations.add(operation);
    if (known && (compareBumps(known.impact, change.impact) || change.rule.localeCompare(known.rule)) >= 0) return;
    const message = change.message.charAt(0).toUpperCase() + change.message.slice(1);
    this.#changes.set(key, { ...change, message, operations });
  }
}

const keyOf = (place: Place, rule: string) => `${place.id} ${rule}`;

/** `x-stability: experimental` promises nothing: a change that would break is only news. */
function exempted(impact: Impact, { place }: Operation): Impact {
  return impact === 'major' && place.value?.['x-stability'] === 'experimental' ? 'minor' : impact;
}
