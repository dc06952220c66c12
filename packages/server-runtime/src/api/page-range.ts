/** The conditions of a page: its rows are a range of an index. */
import {
  AliasNode,
  AndNode,
  FromNode,
  IdentifierNode,
  type OperationNode,
  ParensNode,
  SelectionNode,
  type SelectQueryNode,
  WhereNode,
} from 'kysely';
import { quoted } from '../database/nodes.ts';
import { compileWithColumns, textNode } from '../database/tree.ts';

/** A value of a page, in the table that has a row for each page of a statement. */
export const given = (name: string): string => `"$query".${quoted(name)}`;

/** A column of a row, and what it is compared with. */
export type Pair = [row: string, query: string];

/** The columns of a table, as they are named and sorted in the statement. */
export const namesIn = (alias: string, isText: (column: string) => boolean) => {
  const stored = (column: string) => `${quoted(alias)}.${quoted(column)}`;
  const sorted = (column: string, value = stored(column)) => `${value}${isText(column) ? ' collate "C"' : ''}`;
  return { stored, sorted };
};

/** Compares columns of the index together, so that Postgres reads a range of it. */
const compare = (pairs: Pair[], how: string) =>
  `(${pairs.map(([row]) => row).join(', ')}) ${how} (${pairs.map(([, query]) => query).join(', ')})`;

/**
 * Whether a row comes after a position, of which values may be null: those are the last ones, or the first ones if the order is descending.
 * Postgres reads all rows before the position, as it cannot compare them together.
 */
function afterNullable([first, ...others]: Pair[], isUp: boolean): string {
  if (!first) return 'false';
  const [row, value] = first;
  const isAfter = isUp
    ? `(${value} is not null and (${row} > ${value} or ${row} is null))`
    : `(${row} < ${value} or (${value} is null and ${row} is not null))`;
  return `(${isAfter} or (${row} is not distinct from ${value} and ${afterNullable(others, isUp)}))`;
}

export interface Range {
  /** The columns that have one value in the range. */
  equals: Pair[];
  /** The columns by whose sort order pages follow each other. */
  positions: Pair[];
  isUp: boolean;
}

/** The rows whose text in a column begins with a prefix. */
export const prefixRange = ({ equals }: Range, sorted: string, column: string): string[] => {
  const bound = (how: string): Pair[] => [...equals, [sorted, given(how + column)]];
  return [compare(bound('>='), '>='), compare(bound('<'), '<')];
};

/**
 * The rows with one value of each column. A range is compared instead of `status = … and id > …`: with skewed statistics, Postgres would scan
 * the primary key past all rows of another status.
 *
 * @param isFirst - whether no position begins the range. The columns are then compared twice: Postgres expects so few rows of one column
 *   between two values that it would sort them
 */
export const equalRange = ({ equals, isUp }: Range, isFirst: boolean): string[] => [
  compare(equals, isUp ? '<=' : '>='),
  ...(isFirst ? [compare([...equals, ...equals], isUp ? '>=' : '<=')] : []),
];

/** The rows after the position of a page. @param isSorted - whether they are read without the index */
export const afterPosition = ({ equals, positions, isUp }: Range, isSorted: boolean): string =>
  compare(isSorted ? positions : [...equals, ...positions], isUp ? '>' : '<');

/** The same where a column of the position may be null. */
export const afterNullablePosition = ({ equals, positions, isUp }: Range): string =>
  [...equals.map((pair) => compare([pair], '=')), afterNullable(positions, isUp)].join(' and ');

/** The text of a query on other rows of its table, with conditions and further columns. */
export function withinRange(
  node: SelectQueryNode,
  alias: string,
  rows: OperationNode,
  conditions: string[],
  keys: { name: string; value: string }[],
): string {
  const [, ...others] = node.from?.froms ?? [];
  const condition = conditions.length > 0 ? textNode(conditions.join(' and ')) : undefined;
  const where = condition && (node.where ? AndNode.create(ParensNode.create(node.where.where), condition) : condition);
  const selected = keys.map(({ name, value }) =>
    SelectionNode.create(AliasNode.create(textNode(value), IdentifierNode.create(name))),
  );
  return compileWithColumns('"$query"', {
    ...node,
    from: FromNode.create([AliasNode.create(rows, IdentifierNode.create(alias)), ...others]),
    selections: [...(node.selections ?? []), ...selected],
    ...(where && { where: WhereNode.create(where) }),
  } as SelectQueryNode);
}
