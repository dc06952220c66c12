import { hash } from 'node:crypto';
import {
  AliasNode,
  type CompiledQuery,
  DeleteQueryNode,
  InsertQueryNode,
  MergeQueryNode,
  type OperationNode,
  PrimitiveValueListNode,
  RawNode,
  SelectModifierNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  ValueNode,
  WithNode,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { isObject } from '../objects.ts';

/**
 * The most named texts, in the process and in each session. Texts that vary, such as those with a list of values, would fill the memory.
 */
export const NAMED = 500;

/** The properties of a statement. They are found once for each text, as the tree takes longer to walk than to compile. */
export interface Known {
  name: string;
  isUnknown: boolean;
  isChange: boolean;
  /** Whether it is a select that does not lock its rows. */
  isUnlocked: boolean;
  /** Whether it has an update without values, because the request has none. Postgres would report a mistake in the SQL. */
  isEmpty: boolean;
  insertions: string[];
  /** Whether it has run in a read-only transaction. */
  isTried?: boolean;
}

const known = new LRUCache<string, Known>({ max: NAMED });

export const knownOf = (query: CompiledQuery): Known => known.get(query.sql) ?? remember(query);

function remember({ query, sql }: CompiledQuery): Known {
  const nodes = [...nodesOf(query)];
  const statement = {
    name: `q_${hash('sha256', sql).slice(0, 16)}`,
    isUnknown: isUnknown(query),
    isChange: nodes.some(isChange),
    isUnlocked: SelectQueryNode.is(query) && !nodes.some(isLock),
    isEmpty: nodes.some((node) => UpdateQueryNode.is(node) && !node.updates?.length),
    insertions: insertionsOf(query),
  };
  known.set(sql, statement);
  return statement;
}

/** The nodes below a node of Kysely's tree. Values may be objects of a request, which have any properties. */
export function childrenOf(node: OperationNode): OperationNode[] {
  if (ValueNode.is(node) || PrimitiveValueListNode.is(node)) return [];
  return Object.values(node).flat().filter(isNode);
}

export const isNode = (value: unknown): value is OperationNode => isObject(value) && 'kind' in value;

/** A node of Kysely's tree, and all below it. */
function* nodesOf(node: OperationNode): Generator<OperationNode> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

/** Whether a node is a query. */
export const isStatement = (node: OperationNode): boolean => SelectQueryNode.is(node) || isChange(node);

/** A table, without its alias. */
const tableIn = (node: OperationNode | undefined): TableNode | undefined => {
  if (node && AliasNode.is(node)) return tableIn(node.node);
  return node && TableNode.is(node) ? node : undefined;
};

const tableOf = (node: OperationNode | undefined): string[] => {
  const table = tableIn(node);
  return table ? [table.table.identifier.name] : [];
};

const sorted = (names: string[]) => [...new Set(names)].sort();

const intoOf = (node: OperationNode) =>
  InsertQueryNode.is(node) || MergeQueryNode.is(node) ? tableIn(node.into) : undefined;

/** A name in quotes, as Postgres casts it to `regclass`. */
export const quoted = (...names: string[]): string => names.map(pg.escapeIdentifier).join('.');

/** The tables into which a statement inserts, each once, in the order of their names: see {@link quoted}. */
function insertionsOf(root: OperationNode): string[] {
  const tables = [...nodesOf(root)].flatMap((node) => intoOf(node)?.table ?? []);
  return sorted(tables.map(({ schema, identifier }) => quoted(...(schema ? [schema.name] : []), identifier.name)));
}

export type Privilege = readonly [table: string, privilege: 'select' | 'insert' | 'update' | 'delete'];

/** The privileges that the changes in a statement need. */
export const privilegesOf = (root: OperationNode): Privilege[] =>
  [...nodesOf(root)].flatMap((node) => {
    if (InsertQueryNode.is(node)) return tableOf(node.into).map((table): Privilege => [table, 'insert']);
    if (UpdateQueryNode.is(node)) return tableOf(node.table).map((table): Privilege => [table, 'update']);
    return DeleteQueryNode.is(node) ? tableOf(node.from.froms[0]).map((table): Privilege => [table, 'delete']) : [];
  });

const isLock = (node: OperationNode) => SelectModifierNode.is(node) && node.modifier?.startsWith('For') === true;

export const isChange = (node: OperationNode) =>
  InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node) || MergeQueryNode.is(node);

/** Whether a character may be in a name without quotes. */
export const isNamePart = (each: string | undefined): each is string =>
  each !== undefined && (each === '_' || (each >= '0' && each <= '9') || each.toLowerCase() !== each.toUpperCase());

/** Whether a statement, or a step of its `with`, is a template of SQL, in which tables cannot be found. */
function isUnknown(root: OperationNode): boolean {
  if (RawNode.is(root)) return true;
  const steps = [...nodesOf(root)].flatMap((node) => (WithNode.is(node) ? node.expressions : []));
  return steps.some(({ expression }) => RawNode.is(expression));
}
