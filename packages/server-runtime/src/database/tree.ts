/** Patterns that the runtime recognizes in the trees of Kysely's queries. */
import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  createQueryId,
  IdentifierNode,
  InsertQueryNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  type ReturningNode,
  SelectQueryNode,
  TableNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import pg from 'pg';
import { ownedIn } from './scope.ts';
import { OWNER } from './tenants.ts';

/** A table of a query, and the name by which the query calls it. */
export interface Source {
  table: string;
  alias: string;
}

const nameOf = (node: TableNode) => (node.table.schema ? undefined : node.table.identifier.name);

const sourceIn = (node: OperationNode | undefined): Source | undefined => {
  if (node && AliasNode.is(node)) {
    const { table } = ownedIn(node.node) ?? sourceIn(node.node) ?? {};
    return table !== undefined && IdentifierNode.is(node.alias) ? { table, alias: node.alias.name } : undefined;
  }
  const table = node && TableNode.is(node) ? nameOf(node) : undefined;
  return table === undefined ? undefined : { table, alias: table };
};

/** The first table of a select. */
export function sourceOf(node: OperationNode): Source | undefined {
  return SelectQueryNode.is(node) ? sourceIn(node.from?.froms[0]) : undefined;
}

/** Whether a select has nothing but its columns, one table and conditions. */
function isPlain(node: OperationNode): node is SelectQueryNode {
  if (!SelectQueryNode.is(node) || node.from?.froms.length !== 1) return false;
  const { kind, queryId, from, selections, where, ...others } = node as SelectQueryNode & { queryId?: unknown };
  return Object.values(others).every((each) => each === undefined || (Array.isArray(each) && each.length === 0));
}

function conditionsIn(node: OperationNode): OperationNode[] {
  if (AndNode.is(node)) return [...conditionsIn(node.left), ...conditionsIn(node.right)];
  return ParensNode.is(node) ? conditionsIn(node.node) : [node];
}

const columnIn = (node: OperationNode): string | undefined => {
  if (!ReferenceNode.is(node)) return undefined;
  return ColumnNode.is(node.column) ? node.column.column.name : undefined;
};

/**
 * The columns that a select of one table compares with the values of its parameters, in their order; undefined for any other query. It may
 * also compare columns with constants, as in `deleted_at is null`.
 */
export function lookUpIn(node: OperationNode): string[] | undefined {
  if (!isPlain(node) || !node.where || !sourceOf(node)) return undefined;
  const columns = conditionsIn(node.where.where).flatMap((condition) => {
    if (!BinaryOperationNode.is(condition) || !ValueNode.is(condition.rightOperand)) return undefined;
    const { operator, leftOperand, rightOperand } = condition;
    const column = columnIn(leftOperand);
    if (rightOperand.immediate) return column === undefined ? undefined : [];
    return OperatorNode.is(operator) && operator.operator === '=' ? column : undefined;
  });
  return columns.every((column) => column !== undefined) ? columns : undefined;
}

/** Whether a node is a parameter alone, also if it is written as SQL to pass the types. */
function isParameter(node: OperationNode): boolean {
  if (ValueNode.is(node)) return !node.immediate;
  if (!RawNode.is(node) || node.parameters.length !== 1) return false;
  return node.sqlFragments.every((fragment) => fragment === '') && isParameter(node.parameters[0] as OperationNode);
}

export interface Insertion {
  table: string;
  /** The columns that are given. */
  columns: string[];
}

/** The insertion of one row of given values; undefined for any other query. */
export function insertionIn(node: OperationNode): Insertion | undefined {
  if (!InsertQueryNode.is(node) || !node.values || !ValuesNode.is(node.values)) return undefined;
  const { kind, into, columns = [], values, returning: _, ...others } = node;
  const { queryId: __, ...further } = others as typeof others & { queryId?: unknown };
  const source = sourceIn(into);
  const [row, ...more] = values.values;
  if (!source || !row || more.length > 0 || Object.values(further).some((each) => each !== undefined && each !== false))
    return undefined;
  if (source.table !== source.alias) return undefined;
  if (!PrimitiveValueListNode.is(row) && !row.values.every(isParameter)) return undefined;
  return { table: source.table, columns: columns.map(({ column }) => column.name) };
}

const QUERY_ID = createQueryId();

/** Compiles a query with columns of `given` in place of its parameters. That of the owner is `$owner`, and has no number. */
class PlacedCompiler extends PostgresQueryCompiler {
  readonly #given: string;

  constructor(given: string) {
    super();
    this.#given = given;
  }

  protected override appendValue(value: unknown): void {
    if (value === OWNER) this.append(`${this.#given}."$owner"`);
    else super.appendValue(value);
  }

  protected override getCurrentParameterPlaceholder(): string {
    return `${this.#given}.${pg.escapeIdentifier(`$${this.numParameters}`)}`;
  }
}

/** The text of a tree that was changed. */
export const compiled = (node: OperationNode): string =>
  new PostgresQueryCompiler().compileQuery(node as never, QUERY_ID).sql;

/** The text of a query whose parameters are the columns `$1`, `$2` and so on of a table. */
export const compileWithColumns = (given: string, node: OperationNode): string =>
  new PlacedCompiler(given).compileQuery(node as never, QUERY_ID).sql;

/** A text in place of a part of a tree. */
export const textNode = (text: string): RawNode => RawNode.createWithSql(text);

/** The `returning` of a change that has none, so that its rows are counted. */
export const NOTHING = {
  kind: 'ReturningNode',
  selections: [textNode('null as "$none"')],
} as unknown as ReturningNode;

/** A parameter as `json_to_recordset` reads it. JSON has no bytes, no large integers and no infinite numbers. */
export function jsonValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return value.map(jsonValue);
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value;
}

/** The values of parameters as columns `$1`, `$2` and so on, beside others. */
export function valuesIn<Values extends Record<string, unknown>>(
  parameters: readonly unknown[],
  values: Values,
): Values {
  const given: Record<string, unknown> = values;
  for (let index = 0; index < parameters.length; index++) given[`$${index + 1}`] = jsonValue(parameters[index]);
  return values;
}
