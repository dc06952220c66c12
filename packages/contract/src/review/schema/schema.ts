import { type Direction, type Effect, type Finding, finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../place.ts';
import { wordsOf } from '../words.ts';
import { compareArrays } from './array.ts';
import { compareChoices } from './choices.ts';
import { compareDiscriminators } from './discriminator.ts';
import { compareKeywords } from './keywords.ts';
import { compareObjects } from './object.ts';
import { compareRare } from './rare.ts';
import { Shape } from './shape.ts';
import { compareKnownValues, compareValues } from './values.ts';

/** Two versions of a part of the value, to be compared in their turn. None stands for a schema that allows anything. */
export interface Pair {
  base: readonly Place[];
  head: readonly Place[];
  /** What a difference in it comes to, whatever it is by itself. */
  as?: Effect | undefined;
}

/** What the comparison of two schemas comes to: what differs by itself, and what is to be compared below. */
export type Difference = Finding | Pair;

/** What the comparison of one keyword needs to look into the schemas within. */
export interface Schemas {
  direction: Direction;
  findings(base: readonly Place[], head: readonly Place[]): Generator<Finding>;
}

interface Node {
  findings: Finding[];
  below: { open: () => Node; as: Effect | undefined }[];
  /** Nothing differs here or below. */
  isQuiet: boolean;
}

/**
 * What changed between two versions of a schema, as the client sees it that sends or receives the value.
 *
 * Schemas lead to one another in circles and along very many paths. So each pair is compared once and by itself, and
 * remembers which pairs it leads to; all that differs in a schema is then found by walking these, each once.
 */
export class SchemaComparison implements Schemas {
  readonly direction: Direction;
  readonly #gone: ReadonlyMap<string, Finding>;
  readonly #nodes = new Map<string, Node>();
  /** What was found in pairs that were walked to the end: operations share them. */
  readonly #whole = new Map<Node, Finding[]>();
  #open = 0;

  /** @param gone - what to tell of component schemas that head no longer has, by the id of their place in base */
  constructor(direction: Direction, gone: ReadonlyMap<string, Finding> = new Map()) {
    this.direction = direction;
    this.#gone = gone;
  }

  /** How many pairs of schemas were compared. */
  get compared(): number {
    return this.#nodes.size;
  }

  /** What differs in a pair and below, the closest first. Pairs are compared as the walk comes to them. */
  *findings(base: readonly Place[], head: readonly Place[]): Generator<Finding> {
    const node = this.#node(base, head);
    const known = this.#whole.get(node);
    if (known) return yield* known;
    const found: Finding[] = [];
    for (const one of this.#walk(node)) {
      found.push(one);
      yield one;
    }
    // A pair that is still being compared may yet turn out to differ.
    if (this.#open === 0) this.#whole.set(node, found);
  }

  *#walk(first: Node): Generator<Finding> {
    const seen = new Set([first]);
    let isQuiet = true;
    for (const node of seen) {
      isQuiet &&= node.findings.length === 0;
      yield* node.findings;
      for (const { open, as } of node.below) {
        const below = open();
        if (below.isQuiet) continue;
        if (as === undefined) seen.add(below);
        else {
          for (const one of this.#walk(below)) yield { ...one, effect: as };
          isQuiet = false;
        }
      }
    }
    if (isQuiet && this.#open === 0) for (const node of seen) node.isQuiet = true;
  }

  #node(base: readonly Place[], head: readonly Place[]): Node {
    const [old, now] = [base.map(followed), head.map(followed)];
    const key = [old, now].map((places) => places.map(({ id }) => id).join(' ')).join(' | ');
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    // A schema that contains itself: what is being compared counts as equal until a difference turns up.
    const node: Node = { findings: [], below: [], isQuiet: false };
    this.#nodes.set(key, node);
    this.#open += 1;
    for (const one of this.#compare(old, now)) {
      if ('rule' in one) node.findings.push(one);
      else node.below.push({ open: once(() => this.#node(one.base, one.head)), as: one.as });
    }
    this.#open -= 1;
    node.isQuiet = node.findings.length === 0 && node.below.length === 0;
    return node;
  }

  #compare(old: readonly Place[], now: readonly Place[]): Difference[] {
    const [base, head] = [new Shape(old), new Shape(now)];
    const differences = this.#shapes(base, head);
    // A schema in place of none refuses some values, whatever it says; none in place of one refuses nothing.
    const place = head.origin ?? base.origin;
    if (place && (base.origin === undefined || head.origin === undefined)) {
      const isLimit = differences.some((one) => !('rule' in one) || one.effect !== 'words');
      const verb = head.origin ? 'added' : 'removed';
      const message = `The schema of ${describe(place)} was ${verb}.`;
      return isLimit ? [finding(`schema-${verb}`, head.origin ? 'narrower' : 'wider', place, message)] : [];
    }
    const gone = this.#gone.size === 0 ? [] : [...base.seen].flatMap((id) => this.#gone.get(id) ?? []);
    return [...gone, ...differences];
  }

  #shapes(base: Shape, head: Shape): Difference[] {
    const origin = head.origin ?? base.origin;
    if (origin === undefined) return [];
    if (base.never !== head.never) {
      const rule = head.never ? 'schema-forbidden' : 'schema-allowed';
      const message = `${describe(origin)} is ${head.never ? 'no longer' : 'now'} allowed.`;
      return [finding(rule, head.never ? 'narrower' : 'wider', origin, message)];
    }
    const choice = compareChoices(this, base, head);
    if (choice.instead) return choice.differences;
    const types = this.#types(base, head, origin);
    if (types.some(({ rule }) => rule === 'type-changed')) return types;
    return [
      ...wordsOf(base.parts, head.parts),
      ...types,
      ...choice.differences,
      ...compareValues(this, base, head),
      ...compareKnownValues(base, head),
      ...compareKeywords(base, head),
      ...compareObjects(this, base, head),
      ...compareArrays(this, base, head),
      ...compareRare(this, base, head),
      ...compareDiscriminators(base, head),
    ];
  }

  #types(base: Shape, head: Shape, origin: Place): Finding[] {
    // What a choice allows is told by its alternatives.
    const [before, after] = [base.ownTypes, head.ownTypes];
    const [lost, gained] = [before.difference(after), after.difference(before)];
    if (lost.size === 0 && gained.size === 0) return [];
    const place = head.having('type')[0] ?? base.having('type')[0] ?? origin;
    const words = (types: Set<string>) =>
      types.size === 7
        ? 'any type'
        : [...types].filter((type) => type !== 'integer' || !types.has('number')).join(' or ');
    const subject = describe(place === origin ? origin : place.parent);
    const message = `${subject} is ${words(after)}; it was ${words(before)}.`;
    const isNull = (types: Set<string>) => [...types].join() === 'null';
    if (gained.size === 0)
      return [finding(isNull(lost) ? 'became-not-nullable' : 'type-narrowed', 'narrower', place, message)];
    if (lost.size === 0) return [finding(isNull(gained) ? 'became-nullable' : 'type-widened', 'wider', place, message)];
    return [finding('type-changed', 'changed', place, message)];
  }
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** A reference with nothing beside it is what it refers to. */
function followed(place: Place): Place {
  let target = place;
  const seen = new Set<string>();
  while (typeof target.value?.$ref === 'string' && Object.keys(target.value).length === 1 && !seen.has(target.id)) {
    seen.add(target.id);
    target = target.target();
  }
  return target;
}
