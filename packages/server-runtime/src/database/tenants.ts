/** Rows that belong to the owners of callers. Postgres limits each statement by policies, which tenant-check.ts looks at. */
import type { ReadOptions, Settings } from '@petstore-platform/kysely-pipeline';
import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type CompiledQuery,
  IdentifierNode,
  type JoinNode,
  type KyselyPlugin,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  type QueryId,
  ReferenceNode,
  type RootOperationNode,
  TableNode,
  ValueNode,
  WhereNode,
} from 'kysely';
import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { factsOf, isStatement, quoted } from './nodes.ts';

/** The tables whose rows belong to somebody, each with the column of the owner. */
export type Tenants = Readonly<Record<string, string>>;

/** The code of the failure of a caller without an owner. It is not stored with an `Idempotency-Key`, as a key may get an owner. */
export const NO_OWNER = 'no_owner';

/** The role as which statements of `unscoped` run. */
export const unscopedRole = (service: string): string => `${service}_unscoped`;

/**
 * The SQL of a migration that gives tables to owners: their policies, and the defaults of the owners' columns, which exist. Its text never
 * changes, as migrations may have run.
 *
 * @param service - its name
 * @example
 * migration(`create table invoices (…, tenant text not null); ${policiesOf('shop', { invoices: 'tenant' })}`, 'drop table invoices');
 */
export function policiesOf(service: string, tenants: Tenants): string {
  const [role, owner] = [unscopedRole(service), `nullif(current_setting('app.owner', true), '')`];
  const tables = Object.entries(tenants).map(([name, column]) => {
    const [table, ownerColumn] = [quoted(name), quoted(column)];
    return `alter table ${table} enable row level security;
      alter table ${table} force row level security;
      alter table ${table} alter ${ownerColumn} set default ${owner};
      create policy owner on ${table} using (${ownerColumn} = ${owner});
      create policy unscoped on ${table} to ${role} using (true);`;
  });
  return `do $$ begin
      if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;
    exception when duplicate_object or unique_violation then null; end $$;
    ${tables.join('')}`;
}

const unbound = (): never => {
  throw new Error('A statement was sent without the owner of its rows');
};
/** The owner's place among the parameters, so that one text serves all owners. Nothing can send it. */
const OWNER = { toJSON: unbound, toPostgres: unbound };
const OWNER_NODE = ValueNode.create(OWNER);

/** A mark of a query: whether it uses tables of tenants. A part that has it is transformed already. */
const USES = Symbol('uses');
/** A mark of a query for the rows of all owners. */
const UNSCOPED = Symbol('unscoped');

const both = (existing: OperationNode | undefined, condition: OperationNode) =>
  existing ? AndNode.create(ParensNode.create(existing), condition) : condition;

/** The parts of a statement that name its tables. */
interface Parts {
  from?: { froms: readonly OperationNode[] };
  using?: { tables?: readonly OperationNode[] };
  table?: OperationNode;
  into?: OperationNode;
  joins?: readonly JoinNode[];
  where?: WhereNode;
  with?: { expressions: readonly { name: { table: TableNode } }[] };
}

/**
 * Adds `owner = $n` for each table of tenants. The planner needs it, as it applies a policy before a condition whose operator is not
 * leakproof, and so without its index. Nothing else depends on it: the policy says the same of tables that are not seen here.
 */
class OwnerConditions extends OperationNodeTransformer {
  readonly #tenants: Tenants;
  /** Names of `with`, which may be those of tables. */
  readonly #hidden = new Set<string>();
  #uses = false;

  constructor(tenants: Tenants) {
    super();
    this.#tenants = tenants;
  }

  addTo<Node extends RootOperationNode>(node: Node, queryId: QueryId): [node: Node, uses: boolean] {
    this.#hidden.clear();
    this.#uses = false;
    return [this.transformNode(node, queryId), this.#uses];
  }

  protected override transformNodeImpl<Node extends OperationNode>(node: Node, queryId: QueryId): Node {
    if (!isStatement(node)) return super.transformNodeImpl(node, queryId);
    if (USES in node) {
      this.#uses ||= node[USES] as boolean;
      return node;
    }
    for (const { name } of (node as Parts).with?.expressions ?? []) this.#hidden.add(name.table.table.identifier.name);
    const whole = super.transformNodeImpl(node, queryId) as Node & Parts;
    const { from, using, table, into, joins = [] } = whole;
    if (into) this.#conditionOf(into);
    // The rows before a right or full join may be null.
    const isOuter = joins.some(({ joinType }) => /^(Right|Full)/.test(joinType));
    const tables = [...(from?.froms ?? []), ...(using?.tables ?? []), ...(table ? [table] : [])];
    const conditions = tables.flatMap((each) => this.#conditionOf(each) ?? []);
    const where = isOuter ? undefined : conditions.reduce(both, whole.where?.where as OperationNode);
    return {
      ...whole,
      ...(joins.length > 0 && { joins: joins.map((join) => this.#joined(join)) }),
      ...(where && { where: WhereNode.create(where) }),
    };
  }

  #joined(join: JoinNode): JoinNode {
    const condition = this.#conditionOf(join.table);
    if (!condition || !join.on || /^(Right|Full)/.test(join.joinType)) return join;
    return { ...join, on: OnNode.create(both(join.on.on, condition)) };
  }

  #conditionOf(node: OperationNode): OperationNode | undefined {
    const [table, alias] = AliasNode.is(node) ? [node.node, node.alias] : [node, undefined];
    if (!TableNode.is(table) || table.table.schema) return undefined;
    const { name } = table.table.identifier;
    const column = Object.hasOwn(this.#tenants, name) && !this.#hidden.has(name) ? this.#tenants[name] : undefined;
    if (column === undefined) return undefined;
    this.#uses = true;
    const as = TableNode.create(alias && IdentifierNode.is(alias) ? alias.name : name);
    return BinaryOperationNode.create(
      ReferenceNode.create(ColumnNode.create(column), as),
      OperatorNode.create('='),
      OWNER_NODE,
    );
  }
}

const plugin = (transform: (node: RootOperationNode, queryId: QueryId) => RootOperationNode): KyselyPlugin => ({
  transformQuery: ({ node, queryId }) => transform(node, queryId),
  transformResult: async ({ result }) => result,
});

/** Marks queries for the rows of all owners. */
export const unscopedPlugin = plugin((node) => ({ ...node, [UNSCOPED]: true }));

/** The tables of tenants, as the statements of an operation may use them. */
export class Scope {
  readonly tenants: Tenants;
  readonly plugin: KyselyPlugin;

  /** @param isOpen - whether the operation is open to everybody. It uses none of these tables, as nobody owns its rows */
  constructor(tenants: Tenants, isOpen: boolean) {
    this.tenants = tenants;
    const conditions = new OwnerConditions(tenants);
    this.plugin = plugin((node, queryId) => {
      const [transformed, uses] = conditions.addTo(node, queryId);
      if (uses && isOpen)
        throw new Error('An operation that is open to everybody uses rows of owners by unscoped(db) alone');
      return { ...transformed, [USES]: uses };
    });
  }

  /**
   * The query with the owner among its parameters.
   *
   * @throws ApiError 403 if it uses rows of owners, and the caller has none
   */
  bind(query: CompiledQuery, { owner }: Pick<Caller, 'owner'>): CompiledQuery {
    const { [USES]: uses } = query.query as { [USES]?: boolean };
    if (!uses && !query.parameters.includes(OWNER)) return query;
    if (!owner) throw new ApiError(403, 'The credentials belong to no tenant', { code: NO_OWNER });
    return { ...query, parameters: query.parameters.map((each) => (each === OWNER ? owner : each)) };
  }

  /** The settings behind which a query is sent. All are given, so that none of an earlier query holds for it. */
  settings(query: CompiledQuery, { owner }: Pick<Caller, 'owner'>, service: string): Settings {
    return UNSCOPED in query.query
      ? { 'app.owner': null, role: unscopedRole(service) }
      : { 'app.owner': owner || null, role: null };
  }

  /** How a query is read: behind its settings, which its own SQL may change. */
  reading(query: CompiledQuery, caller: Pick<Caller, 'owner'>, service: string): ReadOptions {
    return { settings: this.settings(query, caller, service), hasSql: factsOf(query).hasSql };
  }
}

/** The caller for whom statements run, in a service whose rows have owners. */
export interface TenantScope {
  scope: Scope;
  caller: Pick<Caller, 'owner'>;
  /** Whether the handler is done. Nobody knows for whom a query that was kept would run. */
  isOver?: boolean;
}
