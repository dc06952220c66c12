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

/** Takes down a change of something that is no schema. */
export type Note = (impact: Impact, rule: string, place: Place, message: string) => void;

/** The message that a finding is about, and what the client does with it: webhooks and callbacks turn that round. */
export interface Message {
  /** As it was in base. */
  operation: Operation;
  /** Where the operation is in head. */
  head: Place;
  kind: 'request' | 'response';
  direction: Direction;
  /** `listPets (response)` */
  label: string;
  /** It is new, and compared with the more general one that it takes the place of: their words have nothing in common. */
  isNew?: boolean;
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

  /** What was found in a message of an operation. */
  found(one: Finding, { operation, head, kind, direction, label, isNew = false }: Message): void {
    const { rule, effect, place, message } = one;
    if (isNew && effect === 'words') return;
    const impact = effect === 'gone' ? 'major' : exempted(impactOf(effect, direction), operation);
    const isPlain = effect === 'words' || effect === 'gone';
    // Words that stand in the operation itself are the operation's.
    const isOwn = effect === 'words' && [operation.place, head].some(({ id }) => place.id.startsWith(`${id}/`));
    const entry = this.#entries.get(one) ?? this.#entry(place, rule);
    this.#entries.set(one, entry);
    entry.operations.add(isOwn ? operation.name : label);
    rate(entry, impact, isPlain ? rule : `${kind}-${rule}`, message);
  }

  /** What changed in an operation itself. Without one: what concerns none in particular, unless it was found in some. */
  note(impact: Impact, rule: string, place: Place, message: string, operation?: Operation): void {
    if (!operation && this.#changes.has(keyOf(place, rule))) return;
    const entry = this.#entry(place, rule);
    if (operation) entry.operations.add(operation.name);
    rate(entry, operation ? exempted(impact, operation) : impact, rule, message);
  }

  #entry(place: Place, rule: string): Entry {
    const key = keyOf(place, rule);
    const known = this.#changes.get(key);
    if (known) return known;
    const entry: Entry = { impact: 'patch', rule: '', place, message: '', operations: new Set() };
    this.#changes.set(key, entry);
    return entry;
  }
}

type Entry = Omit<Change, 'operations'> & { operations: Set<string> };

const keyOf = (place: Place, rule: string) => `${place.id} ${rule}`;

/** The worst that is known of a change counts; of what is equally bad, the first rule by name. */
function rate(entry: Entry, impact: Impact, rule: string, message: string): void {
  if (entry.rule === rule && entry.impact === impact) return;
  if (entry.rule !== '' && (compareBumps(entry.impact, impact) || rule.localeCompare(entry.rule)) >= 0) return;
  Object.assign(entry, { impact, rule, message: message.charAt(0).toUpperCase() + message.slice(1) });
}

/** `x-stability: experimental` promises nothing: a change that would break is only news. */
function exempted(impact: Impact, { place }: Operation): Impact {
  return impact === 'major' && place.value?.['x-stability'] === 'experimental' ? 'minor' : impact;
}
