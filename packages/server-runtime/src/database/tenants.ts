/** The statements of a service whose rows belong to its callers' owners. */
import {
  type CompiledQuery,
  DefaultQueryExecutor,
  PostgresQueryCompiler,
  type QueryExecutor,
  type QueryId,
  type RootOperationNode,
  ValueNode,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { Unscoped } from './functions.ts';
import { NAMED } from './nodes.ts';
import { scoped, type Tenants } from './scope.ts';

/** The code of the failure of a caller without an owner. It is not stored with an `Idempotency-Key`, as a key may get an owner. */
export const NO_OWNER = 'no_owner';

const unbound = (): never => {
  throw new Error('A statement was sent without the owner of its rows');
};
/** The owner's place among the parameters, so that one text serves all owners. Nothing can send it. */
export const OWNER = { toJSON: unbound, toPostgres: unbound };
const OWNER_NODE = ValueNode.create(OWNER);

/** A query that a compiler of this file has written. */
class WrittenQuery implements CompiledQuery<never> {
  /** Nothing else has it, so that a query which is made by hand is told apart. */
  readonly #node: () => RootOperationNode;
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly queryId: QueryId;

  constructor(node: () => RootOperationNode, { sql, parameters, queryId }: Omit<CompiledQuery, 'query'>) {
    this.#node = node;
    this.sql = sql;
    this.parameters = parameters;
    this.queryId = queryId;
  }

  /** Limited again, as its text is cached, and the tree of another request has that one's values. */
  get query(): RootOperationNode {
    return this.#node();
  }

  withParameters(parameters: readonly unknown[]): WrittenQuery {
    return new WrittenQuery(this.#node, { sql: this.sql, parameters, queryId: this.queryId });
  }
}

/** The place of the owner among the parameters of the original. */
const OWN = -1;

/** Kysely's compiler, which limits each statement first. It is below all plugins, so that none undoes it. */
class ScopedCompiler extends PostgresQueryCompiler {
  readonly #limit: ((node: RootOperationNode) => RootOperationNode) | undefined;
  /** By the text without owners, to which both texts of a statement belong. To limit a tree takes as long as to compile it. */
  readonly #limited = new LRUCache<string, { sql: string; places: readonly number[] }>({ max: NAMED });

  /** @param limit - default: none, for {@link unscoped} */
  constructor(limit?: (node: RootOperationNode) => RootOperationNode) {
    super();
    this.#limit = limit;
  }

  override compileQuery(node: never, queryId: QueryId): CompiledQuery<never> {
    const original = super.compileQuery(node, queryId);
    const { sql, parameters } = original;
    const limit = this.#limit;
    if (!limit) return new WrittenQuery(() => node, { sql, parameters, queryId });
    const limited = this.#limited.get(sql) ?? this.#compileLimited(limit(node), original);
    const values = limited.places.map((place) => (place === OWN ? OWNER : parameters[place]));
    return new WrittenQuery(() => limit(node), { sql: limited.sql, parameters: values, queryId });
  }

  #compileLimited(node: RootOperationNode, original: CompiledQuery) {
    const { sql, parameters } = super.compileQuery(node as never, original.queryId);
    let place = 0;
    const places = parameters.map((each) => (each === OWNER ? OWN : place++));
    if (!parameters.every((each, index) => each === OWNER || Object.is(each, original.parameters[places[index] ?? 0])))
      throw new Error('The parameters of a limited statement have another order');
    this.#limited.set(original.sql, { sql, places });
    return { sql, places };
  }
}

const compiler = new ScopedCompiler();

/** The tables of tenants, as the statements of an operation may use them. */
export class Scope {
  readonly tenants: Tenants;
  readonly compiler: PostgresQueryCompiler;

  /**
   * @param isOpen - whether the operation is open to everybody. It uses none of these tables, as nobody owns its rows
   * @param functions - see {@link scoped}
   */
  constructor(tenants: Tenants, isOpen: boolean, functions: readonly string[] = []) {
    this.tenants = tenants;
    this.compiler = new ScopedCompiler((node) => scoped(node, tenants, isOpen ? undefined : OWNER_NODE, functions));
  }

  /**
   * The owner to whose rows a query is limited; undefined if it uses no table of tenants.
   *
   * @throws Unscoped for a query of another origin, such as `CompiledQuery.raw`
   * @throws ApiError 403 if the caller has no owner
   */
  ownerOf(query: CompiledQuery, { owner }: Pick<Caller, 'owner'>): string | undefined {
    if (!(query instanceof WrittenQuery))
      throw new Unscoped('A service whose rows have owners runs only queries that Kysely builds');
    if (!query.parameters.includes(OWNER)) return undefined;
    if (!owner) throw new ApiError(403, 'The credentials belong to no tenant', { code: NO_OWNER });
    return owner;
  }

  /** The query with the owner among its parameters. */
  bind(query: CompiledQuery, caller: Pick<Caller, 'owner'>): CompiledQuery {
    const owner = this.ownerOf(query, caller);
    return owner === undefined || !(query instanceof WrittenQuery)
      ? query
      : query.withParameters(query.parameters.map((each) => (each === OWNER ? owner : each)));
  }
}

/** The caller for whom statements run, in a service whose rows have owners. */
export interface Own {
  scope: Scope;
  caller: Pick<Caller, 'owner'>;
  /** Whether the handler is done. Nobody knows for whom a query that was kept would run. */
  isOver?: boolean;
}

/** The same executor, on the same connections, for the rows of all owners. */
export const unscopedExecutor = (executor: QueryExecutor): QueryExecutor =>
  new DefaultQueryExecutor(compiler, executor.adapter, {
    provideConnection: (run, options) => executor.provideConnection(run, options),
  });
