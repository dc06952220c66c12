import type { Place, Places } from '@petstore-platform/openapi';
import { describe } from '../describe.ts';
import { compareEntry, compareFlag, type Direction, type Effect, type Finding, finding, LIMIT } from '../finding.ts';
import { compareRest } from '../rest.ts';
import { compareChoices, compareFurtherChoice } from './choices.ts';
import { compareLimits } from './limits.ts';
import { type Pair, type Schemas, Shape } from './shape.ts';
import {
  compareDefault,
  compareDiscriminators,
  compareKnownValues,
  compareReadOnly,
  compareTypes,
  compareValues,
} from './values.ts';
import { compareProperties, compareWithin } from './within.ts';

interface Link extends Pair {
  node?: Node;
}

/** The findings of a pair of schemas, and the links to nested pairs. */
type Node = (Finding | Link)[];

/**
 * The maximum number of trial comparisons of a small contract, such as of each alternative with each other one. Nested alternatives
 * have exponentially many combinations. Those beyond the maximum count as changed.
 */
export const MOST_TRIALS = 10_000;

/**
 * Compares versions of schemas, for clients that send or receive their values.
 *
 * Schemas form cycles, and exponentially many paths may lead to one. So each pair is compared once, without its nested
 * pairs, and keeps links to these; all findings of a schema result from walking the links, each pair once.
 */
export class SchemaComparison implements Schemas {
  readonly direction: Direction;
  readonly #gone: ReadonlyMap<string, Finding>;
  readonly nodes = new Map<string, Node>();
  readonly #found = new Map<Node, readonly Finding[]>();
  #trialsLeft: number;

  isImplied: Schemas['isImplied'] = () => false;

  constructor(direction: Direction, gone: ReadonlyMap<string, Finding> = new Map(), trials = MOST_TRIALS) {
    this.direction = direction;
    this.#gone = gone;
    this.#trialsLeft = trials;
  }

  /** Whether the comparison stopped because it had used up its trials. */
  get isCut(): boolean {
    return this.#trialsLeft < 0;
  }

  has(base: Places, head: Places): boolean {
    return this.nodes.has(keyOf(base.map(followed), head.map(followed)));
  }

  /** The findings of a pair and below, breadth first. They are cached, because operations share schemas, such as the error. */
  findings(base: Places, head: Places): readonly Finding[] {
    const node = this.#node(base, head);
    const found = this.#found.get(node) ?? [...this.#walk(node)];
    this.#found.set(node, found);
    return found;
  }

  effectOf(base: Places, head: Places): ReturnType<Schemas['effectOf']> {
    this.#trialsLeft -= 1;
    if (this.isCut) return 'changed';
    const effects = new Set<Effect>();
    for (const { rule, effect } of this.#walk(this.#node(base, head))) {
      // An added property also limits values that were unlisted before, so neither schema includes the other.
      effects.add(rule.startsWith('property-added') ? 'changed' : /guarantee|fewer/.test(effect) ? 'narrower' : effect);
      if (effects.has('changed') || effects.has('gone') || (effects.has('wider') && effects.has('narrower')))
        return 'changed';
    }
    return (['wider', 'narrower', 'compatible'] as const).find((effect) => effects.has(effect));
  }

  /**
   * Compares pairs on demand, because a reader may stop early.
   *
   * @param as - overrides the effect of every finding
   */
  *#walk(first: Node, as?: Effect): Generator<Finding> {
    const seen = new Set([first]);
    for (const node of seen) {
      for (const one of node) {
        if ('rule' in one) {
          yield as && !/documentation|gone/.test(one.effect) ? { ...one, effect: as } : one;
          continue;
        }
        one.node ??= this.#node(one.base, one.head);
        if (one.node.length === 0) continue;
        if (one.as && !as) yield* this.#walk(one.node, one.as);
        else seen.add(one.node);
      }
    }
  }

  #node(base: Places, head: Places): Node {
    const [old, now] = [base.map(followed), head.map(followed)];
    const key = keyOf(old, now);
    const entered = this.nodes.get(key);
    if (entered !== undefined) return entered;
    // The node is registered before the comparison, which a cyclic schema enters again.
    const node: Node = [];
    this.nodes.set(key, node);
    node.push(...this.#compare(new Shape(old), new Shape(now)));
    return node;
  }

  #compare(base: Shape, head: Shape): (Finding | Pair)[] {
    const place = head.places[0] ?? base.places[0];
    if (place === undefined) return [];
    const differences = this.#shapes(base, head, place);
    // An added schema narrows and a removed one widens, whatever its keywords.
    if (base.places[0] === undefined || head.places[0] === undefined) {
      const isLimit = differences.some((one) => !('rule' in one) || one.effect !== 'documentation');
      return isLimit
        ? compareEntry('schema', `The schema of ${describe(place)}`, base.places[0], head.places[0], LIMIT)
        : [];
    }
    const gone = this.#gone.size === 0 ? [] : [...base.seen].flatMap((id) => this.#gone.get(id) ?? []);
    return [...gone, ...differences];
  }

  #shapes(base: Shape, head: Shape, origin: Place): (Finding | Pair)[] {
    if (base.never !== head.never) {
      const [rule, now, effect] = head.never
        ? (['schema-forbidden', 'no longer', 'narrower'] as const)
        : (['schema-allowed', 'now', 'wider'] as const);
      return [finding(rule, effect, origin, `${describe(origin)} is ${now} allowed.`)];
    }
    if (base.never) return [];
    if (base.choices.length !== head.choices.length) return compareFurtherChoice(this, base, head);
    const types = compareTypes(base, head, origin);
    if (types.some(({ rule }) => rule === 'type-changed')) return types;
    return [
      ...compareRest('schema', base.parts, head.parts),
      ...compareFlag('deprecated', base.parts, head.parts),
      // Defaults of properties and parameters are judged with their owners, which say whether a value is required.
      ...compareDefault(this.direction, base, head, this.direction === 'request'),
      ...types,
      ...compareChoices(this, base, head),
      ...compareValues(this.direction, base, head),
      ...compareKnownValues(this, base, head),
      ...compareLimits(base, head),
      ...compareProperties(this, base, head),
      ...compareWithin(this, base, head),
      ...compareDiscriminators(base, head),
      ...(this.direction === 'request' ? compareReadOnly(base.parts, head.parts) : []),
    ];
  }
}

const followed = (place: Place) => place.follow(true);

const keyOf = (...versions: Places[]) => versions.map((places) => places.map(({ id }) => id).join(' ')).join(' | ');
