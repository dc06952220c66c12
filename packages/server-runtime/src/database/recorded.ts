import { type CompiledQuery, createQueryId } from 'kysely';
import { isObject } from '../objects.ts';

/** A query of Kysely, or Kysely itself. */
type Builder = { [method: string]: Method };
type Method = (...args: unknown[]) => unknown;

/** Calls a method of a builder. */
const make = (on: Builder, method: string, args: unknown[]) => (on[method] as Method)(...args);

/** Stands for a value, by its number. */
class Mark {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** A text, and its parameters. */
interface Text {
  sql: string;
  /** With marks in place of values. */
  parameters: readonly unknown[];
  /** Whether the parameters are the values, in their order. */
  isInOrder: boolean;
}

/**
 * The most shapes that are remembered of the queries that begin in the same way, as in `updateTable('books')`. Clients may choose the columns
 * of a change: they must not fill the memory, and not take the room of other queries.
 */
const MOST = 1_000;

/** The calls of a query without their values. Queries of one shape have one text. */
class Shape {
  readonly #names = new Map<unknown, Shape>();
  readonly #expressions = new WeakMap<object, Shape>();
  /** Undefined at the beginning of a query: its first call, and the table. */
  readonly #room: { left: number } | undefined;
  readonly #isKept: boolean;
  text: Text | undefined;

  constructor(room?: { left: number }, isKept = true) {
    this.#room = room;
    this.#isKept = isKept;
  }

  /** The shape with one more part: a name, or an expression. Undefined if there are too many. */
  to(part: unknown): Shape | undefined {
    const isName = typeof part !== 'object';
    const parts: Pick<Map<unknown, Shape>, 'get' | 'set'> = isName ? this.#names : (this.#expressions as never);
    const same = parts.get(part);
    if (same || this.#room?.left === 0) return same;
    const isBeginning = !this.#room && typeof part === 'symbol';
    const next = new Shape(isBeginning ? undefined : (this.#room ?? { left: MOST }), this.#isKept && isName);
    if (next.#isKept && next.#room) next.#room.left -= 1;
    parts.set(part, next);
    return next;
  }
}

/** The calls that are recorded, each with the part of its shape, which is no name. */
const STARTS = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'];
const METHODS = new Map(
  [...STARTS, 'select', 'returning', 'values', 'set', 'where'].map((method) => [method, Symbol(method)]),
);
const START = new Shape();
const COMPARISONS = new Set(['=', '!=', '<>', '<', '<=', '>', '>=', 'like', 'ilike']);

/** A call of a builder. */
interface Call {
  method: string;
  /** The arguments on which its text depends: tables, columns and operators. */
  fixed: readonly unknown[];
  values: readonly unknown[];
}

const isValue = (value: unknown) =>
  isObject(value) ? !('toOperationNode' in value) : value !== undefined && typeof value !== 'function';

const NONE: readonly unknown[] = [];

/** Undefined for a call whose text may depend on more. It copies the arguments, as those of the author may change. */
function callOf(method: string, args: readonly unknown[]): Call | undefined {
  const first = args[0];
  if (method === 'where') {
    const [operator, value] = [args[1], args[2]];
    if (args.length !== 3 || typeof first !== 'string' || Array.isArray(value)) return undefined;
    const fixed = [first, operator];
    if (value === null && (operator === 'is' || operator === 'is not')) return { method, fixed, values: NONE };
    return COMPARISONS.has(operator as string) && isValue(value) ? { method, fixed, values: [value] } : undefined;
  }
  if (args.length !== 1) return undefined;
  if (method !== 'values' && method !== 'set') {
    const fixed = Array.isArray(first) && !STARTS.includes(method) ? [...first] : [first];
    // A function may have another result each time.
    const isKnown = fixed.every((each) => typeof each === 'string' || (isObject(each) && !Array.isArray(each)));
    return isKnown ? { method, fixed, values: NONE } : undefined;
  }
  if (!isObject(first) || Array.isArray(first)) return undefined;
  const row = first as Record<string, unknown>;
  const fixed = Object.keys(row).filter((name) => row[name] !== undefined);
  const values = fixed.map((name) => row[name]);
  return fixed.length > 0 && values.every(isValue) ? { method, fixed, values } : undefined;
}

function argumentsOf({ method, fixed }: Call, values: readonly unknown[]): unknown[] {
  if (method === 'where') return [...fixed, values.length > 0 ? values[0] : null];
  if (method !== 'values' && method !== 'set') return [fixed.length === 1 ? fixed[0] : fixed];
  return [Object.fromEntries(fixed.map((name, index) => [name, values[index]]))];
}

const QUERY_ID = createQueryId();

/** Its tree is built when it is asked for. */
class Compiled implements CompiledQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly queryId = QUERY_ID;
  readonly #treeOf: () => CompiledQuery['query'];

  constructor(sql: string, parameters: readonly unknown[], treeOf: () => CompiledQuery['query']) {
    this.sql = sql;
    this.parameters = parameters;
    this.#treeOf = treeOf;
  }

  get query(): CompiledQuery['query'] {
    return this.#treeOf();
  }
}

/** A query with another text. A copy of its properties would have no tree, or build it. */
export const withText = (query: CompiledQuery, sql: string, parameters = query.parameters): CompiledQuery =>
  new Compiled(sql, parameters, () => query.query);

/**
 * A query that Kysely has not built: to build and compile one takes longer than the server has for a small request. Its text is that of an
 * earlier query of its shape. Its members that are not here are those of Kysely's builder.
 */
class Recorded {
  readonly #on: Recorded | Builder;
  readonly #call: Call;
  readonly #shape: Shape;
  #built: Builder | undefined;

  private constructor(on: Recorded | Builder, call: Call, shape: Shape) {
    this.#on = on;
    this.#call = call;
    this.#shape = shape;
  }

  /** Makes a call, or records it. */
  static #next(on: Recorded | Builder, method: string, args: unknown[]): unknown {
    const call = callOf(method, args);
    let shape = call && (on instanceof Recorded ? on.#shape : START).to(METHODS.get(method));
    for (const part of call?.fixed ?? []) shape = shape?.to(part);
    if (call && shape) return new Recorded(on, call, shape);
    return make(on instanceof Recorded ? on.#query : on, method, args);
  }

  get #query(): Builder {
    this.#built ??= Recorded.#build(this, ({ values }) => values);
    return this.#built;
  }

  static #build(on: Recorded | Builder, valuesOf: (call: Call) => readonly unknown[]): Builder {
    if (!(on instanceof Recorded)) return on;
    const before = Recorded.#build(on.#on, valuesOf);
    return make(before, on.#call.method, argumentsOf(on.#call, valuesOf(on.#call))) as Builder;
  }

  #compileMarked(): Text {
    let marks = 0;
    const marked = Recorded.#build(this, ({ values }) => values.map(() => new Mark(marks++)));
    const { sql, parameters } = (marked as unknown as { compile(): CompiledQuery }).compile();
    const isInOrder =
      parameters.length === marks && parameters.every((each, at) => each instanceof Mark && each.index === at);
    return { sql, parameters, isInOrder };
  }

  /** The values of all calls. */
  get #values(): readonly unknown[] {
    const { values } = this.#call;
    const before = this.#on instanceof Recorded ? this.#on.#values : NONE;
    if (before.length === 0) return values;
    return values.length === 0 ? before : [...before, ...values];
  }

  compile(): CompiledQuery {
    this.#shape.text ??= this.#compileMarked();
    const { sql, parameters, isInOrder } = this.#shape.text;
    const values = this.#values;
    const given = isInOrder ? values : parameters.map((each) => (each instanceof Mark ? values[each.index] : each));
    return new Compiled(sql, given, () => this.#query.toOperationNode?.() as CompiledQuery['query']);
  }

  /** Makes an instance of Kysely record queries. */
  static begin(kysely: object): void {
    const db = kysely as Builder;
    const own = Object.fromEntries(STARTS.map((method) => [method, db[method]?.bind(db)])) as Builder;
    for (const method of STARTS) {
      Recorded.#forward(Object.getPrototypeOf(own[method]?.('')));
      db[method] = (...args) => Recorded.#next(own, method, args);
    }
  }

  /** Makes the members of a builder those of a query that is recorded. */
  static #forward(builder: object): void {
    for (const name of Object.getOwnPropertyNames(builder)) {
      if (name in Recorded.prototype) continue;
      const recorded = {
        value(this: Recorded, ...args: unknown[]) {
          return Recorded.#next(this, name, args);
        },
      };
      const other = {
        get(this: Recorded) {
          const member = this.#query[name];
          return typeof member === 'function' ? member.bind(this.#query) : member;
        },
      };
      Object.defineProperty(Recorded.prototype, name, METHODS.has(name) ? recorded : other);
    }
  }
}

/** Makes an instance of Kysely record its queries: see {@link Recorded}. */
export const recordQueries = (db: object): void => Recorded.begin(db);
