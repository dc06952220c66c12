import { type Direction, type Effect, type Finding, finding } from '../finding.ts';
import type { Place } from '../place.ts';
import { describe, wordsOf } from '../words.ts';
import { compareChoices } from './choices.ts';
import { compareLimits } from './limits.ts';
import { Shape } from './shape.ts';
import { compareDiscriminators, compareKnownValues, compareTypes, compareValues } from './values.ts';
import { compareProperties, compareWithin } from './within.ts';

type Places = readonly Place[];

/** Two versions of a part of the value, to be compared in their turn. None stands for a schema that allows anything. */
interface Pair {
  base: Places;
  head: Places;
  /** What a difference in it comes to, whatever it is by itself. */
  as?: Effect | undefined;
}

/** What the comparison of two schemas comes to: what differs by itself, and what is to be compared below. */
export type Difference = Finding | Pair;

interface Node {
  findings: Finding[];
  below: (Pair & { node?: Node })[];
  /** What differs here and below, once it was walked to the end. */
  whole?: Finding[];
}

/**
 * What changed between two versions of a schema, as the client sees it that sends or receives the value.
 *
 * Schemas lead to one another in circles and along very many paths. So each pair is compared once and by itself, and
 * remembers which pairs it leads to; all that differs in a schema is then found by walking these, each once.
 */
export class SchemaComparison {
  readonly direction: Direction;
  readonly #gone: ReadonlyMap<string, Finding>;
  /** Each pair of schemas that was compared. */
  readonly nodes = new Map<string, Node>();
  #open = 0;

  /** @param gone - what to tell of component schemas that head no longer has, by the id of their place in base */
  constructor(direction: Direction, gone: ReadonlyMap<string, Finding> = new Map()) {
    this.direction = direction;
    this.#gone = gone;
  }

  /** Whether a pair of schemas was compared. */
  has(base: Places, head: Places): boolean {
    return this.nodes.has(keyOf(base.map(followed), head.map(followed)));
  }

  /** What differs in a pair and below, the closest first. Pairs are compared as the walk comes to them. */
  findings(base: Places, head: Places): Generator<Finding> {
    return this.#walk(this.#node(base, head));
  }

  /** Whether two schemas allow the same values. */
  isSame(base: Places, head: Places): boolean {
    return this.findings(base, head).every(({ effect }) => effect === 'words');
  }

  /** What one schema in place of the other comes to; undefined when they allow the same values. */
  effectOf(base: Places, head: Places): 'compatible' | 'wider' | 'narrower' | 'changed' | undefined {
    const effects = new Set<Effect>();
    for (const { rule, effect } of this.findings(base, head)) {
      // A property more is a limit on it, too, where any property went before: neither has all values of the other.
      effects.add(rule.startsWith('property-added') ? 'changed' : effect === 'guarantee' ? 'narrower' : effect);
      if (effects.has('changed') || effects.has('gone') || (effects.has('wider') && effects.has('narrower')))
        return 'changed';
    }
    return (['wider', 'narrower', 'compatible'] as const).find((effect) => effects.has(effect));
  }

  *#walk(first: Node): Generator<Finding> {
    if (first.whole) return yield* first.whole;
    const found: Finding[] = [];
    const seen = new Set([first]);
    for (const node of seen) {
      found.push(...node.findings);
      yield* node.findings;
      for (const pair of node.below) {
        pair.node ??= this.#node(pair.base, pair.head);
        if (pair.node.whole?.length === 0) continue;
        if (pair.as === undefined) seen.add(pair.node);
        else {
          const changed = [...this.#walk(pair.node)].map((one) => ({ ...one, effect: pair.as as Effect }));
          found.push(...changed);
          yield* changed;
        }
      }
    }
    // A pair that is still being compared may yet turn out to differ.
    if (this.#open > 0) return;
    first.whole = found;
    if (found.length === 0) for (const node of seen) node.whole = found;
  }

  #node(base: Places, head: Places): Node {
    const [old, now] = [base.map(followed), head.map(followed)];
    const key = keyOf(old, now);
    const known = this.nodes.get(key);
    if (known !== undefined) return known;
    // A schema that contains itself: what is being compared counts as equal until a difference turns up.
    const node: Node = { findings: [], below: [] };
    this.nodes.set(key, node);
    this.#open += 1;
    for (const one of this.#compare(new Shape(old), new Shape(now))) {
      if ('rule' in one) node.findings.push(one);
      else node.below.push(one);
    }
    this.#open -= 1;
    if (node.findings.length === 0 && node.below.length === 0) node.whole = [];
    return node;
  }

  #compare(base: Shape, head: Shape): Difference[] {
    const place = head.origin ?? base.origin;
    if (place === undefined) return [];
    const differences = this.#shapes(base, head, place);
    // A schema in place of none refuses some values, whatever it says; none in place of one refuses nothing.
    if (base.origin === undefined || head.origin === undefined) {
      const isLimit = differences.some((one) => !('rule' in one) || one.effect !== 'words');
      const [verb, effect] = head.origin ? (['added', 'narrower'] as const) : (['removed', 'wider'] as const);
      return isLimit ? [finding(`schema-${verb}`, effect, place, `The schema of ${describe(place)} was ${verb}.`)] : [];
    }
    const gone = this.#gone.size === 0 ? [] : [...base.seen].flatMap((id) => this.#gone.get(id) ?? []);
    return [...gone, ...differences];
  }

  #shapes(base: Shape, head: Shape, origin: Place): Difference[] {
    if (base.never !== head.never) {
      const [rule, effect, words] = head.never
        ? (['forbidden', 'narrower', 'no longer'] as const)
        : (['allowed', 'wider', 'now'] as const);
      return [finding(`schema-${rule}`, effect, origin, `${describe(origin)} is ${words} allowed.`)];
    }
    const choice = compareChoices(this, base, head);
    if (choice.instead) return choice.differences;
    const types = compareTypes(base, head, origin);
    if (types.some(({ rule }) => rule === 'type-changed')) return types;
    return [
      ...wordsOf(base.parts, head.parts),
      ...types,
      ...choice.differences,
      ...compareValues(this, base, head),
      ...compareKnownValues(base, head),
      ...compareLimits(base, head),
      ...compareProperties(this, base, head),
      ...compareWithin(this, base, head),
      ...compareDiscriminators(base, head),
    ];
  }
}

const followed = (place: Place) => place.follow(true);

const keyOf = (...versions: Places[]) => versions.map((places) => places.map(({ id }) => id).join(' ')).join(' | ');
