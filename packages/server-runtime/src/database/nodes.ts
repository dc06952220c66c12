import { isControl } from '@petstore-platform/kysely-pipeline';
import {
  AliasNode,
  type CompiledQuery,
  DeleteQueryNode,
  IdentifierNode,
  InsertQueryNode,
  MergeQueryNode,
  type OperationNode,
  OperationNodeTransformer,
  type QueryId,
  SelectModifierNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';

/** The most texts in a cache. Texts that vary, such as those with a list of values, would fill the memory. */
export const MAX_CACHED_TEXTS = 500;

/** The properties of a statement. They are found once for each text, as the tree takes longer to walk than to compile. */
export interface Facts {
  /** Whether it is a select that locks no rows, as far as Kysely's builder has written it. */
  isPlain: boolean;
  /** Whether it is a select that locks rows. */
  isLocking: boolean;
  isControl: boolean;
  /** Whether it is a change. One that is a part of a select does not count. */
  isChange: boolean;
  /** Whether it inserts values that are given, so that it waits for no row of others. */
  isInsertion: boolean;
  /** Whether it is SQL, or calls a function, that may change its session. */
  hasSql: boolean;
  /** Whether it has an update without values, because the request has none. Postgres would report a mistake in the SQL. */
  isEmpty: boolean;
  /** The tables into which it inserts: see {@link quoted}. */
  insertions: string[];
}

const cache = new LRUCache<string, Facts>({ max: MAX_CACHED_TEXTS });

export const factsOf = (query: CompiledQuery): Facts => cache.get(query.sql) ?? remember(query);

function remember({ query, sql, queryId }: CompiledQuery): Facts {
  const collector = new Nodes();
  collector.transformNode(query, queryId);
  const nodes = collector.all;
  const isSelect = SelectQueryNode.is(query) && !nodes.some(isChange);
  const isLocking = isSelect && nodes.some(isLock);
  const statement = {
    isPlain: isSelect && !isLocking,
    isLocking,
    isControl: isControl(sql),
    isChange: isChange(query),
    isInsertion: InsertQueryNode.is(query) && query.values?.kind === 'ValuesNode' && !query.onConflict && !query.with,
    hasSql: !isStatement(query) || sql.split('(').slice(0, -1).some(endsInCall),
    isEmpty: nodes.some((node) => UpdateQueryNode.is(node) && !node.updates?.length),
    insertions: insertionsOf(nodes),
  };
  cache.set(sql, statement);
  return statement;
}

/** Functions that leave a session as it is, and words before a parenthesis. Others cost a restore. */
const HARMLESS = new Set(
  `all and any array array_agg as avg between bool_and bool_or by cast ceil clock_timestamp coalesce concat conflict count
  current_setting date_trunc distinct else except exists filter floor format from gen_random_uuid greatest group in insert intersect
  join json_agg json_build_array json_build_object jsonb_agg jsonb_build_object lateral least length limit lower materialized max min
  not now nullif numeric on or over replace returning round row row_number select string_agg substring sum then to_char to_json trim
  union unnest upper using values varchar when where`.split(/\s+/),
);

const NO_NAME = /[\s(),|+<>=:-]/;

/** A name before a list of columns. Other names in quotes before a parenthesis are those of functions. */
const WITH_COLUMNS = /\b(as|into|recursive|with) ("[^"]*"\.)?"[^"]*"$/;

/** Whether the text before a parenthesis ends in the name of a function that may change the session. */
function endsInCall(text: string): boolean {
  const before = text.trimEnd();
  const name = before.split(NO_NAME).at(-1) ?? '';
  return name !== '' && !HARMLESS.has(name) && !WITH_COLUMNS.test(before);
}

/** Collects a node of Kysely's tree, and all below it. */
class Nodes extends OperationNodeTransformer {
  readonly all: OperationNode[] = [];

  protected override transformNodeImpl<Node extends OperationNode>(node: Node, queryId: QueryId): Node {
    this.all.push(node);
    return super.transformNodeImpl(node, queryId);
  }
}

/** Whether a node is a query. */
export const isStatement = (node: OperationNode): boolean => SelectQueryNode.is(node) || isChange(node);

/** A table, without its alias. */
const tableIn = (node: OperationNode | undefined): TableNode | undefined => {
  if (node && AliasNode.is(node)) return tableIn(node.node);
  return node && TableNode.is(node) ? node : undefined;
};

const intoOf = (node: OperationNode) =>
  InsertQueryNode.is(node) || MergeQueryNode.is(node) ? tableIn(node.into) : undefined;

/** A name in quotes, as Postgres casts it to `regclass`. */
export const quoted = (...names: string[]): string => names.map(pg.escapeIdentifier).join('.');

/** The tables into which nodes insert, each once, in the order of their names. */
function insertionsOf(nodes: OperationNode[]): string[] {
  const tables = nodes.flatMap((node) => intoOf(node)?.table ?? []);
  const names = tables.map(({ schema, identifier }) => quoted(...(schema ? [schema.name] : []), identifier.name));
  return [...new Set(names)].sort();
}

const isLock = (node: OperationNode) => SelectModifierNode.is(node) && node.modifier?.startsWith('For') === true;

const isChange = (node: OperationNode) =>
  [InsertQueryNode, UpdateQueryNode, DeleteQueryNode, MergeQueryNode].some(({ is }) => is(node));

/** The table of a select, with its alias, unless a subquery or a list stands in its place. */
export function sourceOf({ from }: SelectQueryNode): { table: string; alias: string } | undefined {
  const [node] = from?.froms ?? [];
  const table = tableIn(node);
  if (!node || !table) return undefined;
  const { name } = table.table.identifier;
  return { table: name, alias: AliasNode.is(node) && IdentifierNode.is(node.alias) ? node.alias.name : name };
}
