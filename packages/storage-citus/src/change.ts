import {
  type ChangedBy,
  type NamedSteps,
  namedValue,
  nodesOf,
  type Step,
  type Storage,
  tablesOf,
} from '@repo/server-runtime/storage';
import {
  type AliasableExpression,
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  DeleteQueryNode,
  type Expression,
  type OperationNode,
  type OperationNodeSource,
  OperatorNode,
  ParensNode,
  RawNode,
  ReferenceNode,
  sql,
  TableNode,
  UpdateQueryNode,
} from 'kysely';
import { countBlocks, stillCounted } from './counts.ts';
import { blockOf, inTwoPhases, type Layout } from './layout.ts';

/** Kysely's builder of an update or a deletion. */
interface Builder extends OperationNodeSource {
  where(condition: Expression<unknown>): Builder;
  returning(columns: ReturnType<AliasableExpression<unknown>['as']>[]): Builder;
}

/**
 * Adapts changes of rows of a distributed table, whose author does not know of distribution. They leave out rows of unfinished creations,
 * and count rows that match another filter now, so that lists find them.
 *
 * @throws Error for a step that does anything else with the table
 */
export function changeBlocks(layout: Layout, steps: NamedSteps, of: ChangedBy): ReturnType<Storage['change']> {
  const { table, visible, filters } = layout;
  const own: Record<string, Step> = {};
  const keys = new Set<string>();
  const uncounted = new Set<string>();
  for (const [name, step] of Object.entries<Step>(steps)) {
    const root = step.toOperationNode();
    own[name] = step;
    if (!names(root, table)) continue;
    const target = targetOf(root, table);
    if (!target)
      throw new Error(
        `The step ${name} uses ${table}, which may be distributed: a step of Kysely's builder may update or delete its rows, but not read or insert them, nor name it in SQL`,
      );
    const column = (of: string) => sql.ref(`${target}.${of}`);
    let seen = (step as Builder).where(sql<boolean>`${column('id')} <= (select last from ${sql.table(visible)})`);
    const key = of.isBatch ? undefined : keyOf(root, target, of);
    if (key !== undefined) {
      // Without the block, Citus would ask each shard: with eight shards, there would be a thirteenth of the changes per second.
      seen = seen.where(sql<boolean>`${column('block')} = ${namedValue(`${table}_block_${key}`)}::bigint`);
      keys.add(key);
    }
    // An update of other columns leaves the row where lists find it.
    const changed = UpdateQueryNode.is(root) ? columnsOf(root) : [];
    const isCounted = changed.some((column) => filters.has(column));
    for (const column of changed) if (!filters.has(column)) uncounted.add(column);
    const columns = isCounted ? ['id', ...filters] : [];
    own[name] = isCounted ? seen.returning(columns.map((of) => column(of).as(`counted_${of}`))) : seen;
    if (!isCounted) continue;
    const values = columns.map((of) => sql`${sql.ref(`counted_${of}`)} as ${sql.ref(of)}`);
    own[`${name}_counted`] = countBlocks(layout, sql`(select ${sql.join(values)} from ${sql.ref(name)}) as changed`);
  }
  if (Object.keys(steps).every((name) => own[name] === steps[name])) return undefined;
  own[`${table}_commits`] = inTwoPhases(layout);
  if (uncounted.size > 0)
    own[`${table}_uncounted`] = sql`update ${sql.table(visible)} set counted = ${stillCounted('except', uncounted)}
      where counted && ${sql.lit(`{${[...uncounted]}}`)}::text[]`;
  const blockIn = (row: Record<string, unknown>) => (key: string) => [
    `${table}_block_${key}`,
    typeof row[key] === 'number' ? blockOf(row[key]) : null,
  ];
  return { steps: own as NamedSteps, values: (row) => Object.fromEntries([...keys].map(blockIn(row))) };
}

/** Whether a statement, or SQL in it, names a table. */
const names = (root: OperationNode, table: string) => tablesOf(root).includes(table);

const isTable = (node: OperationNode, table: string) => TableNode.is(node) && node.table.identifier.name === table;

/** The name under which a statement changes a table that it does not use otherwise. */
function targetOf(root: OperationNode, table: string): string | undefined {
  const target = UpdateQueryNode.is(root) ? root.table : DeleteQueryNode.is(root) ? root.from.froms[0] : undefined;
  if (!target) return undefined;
  const alias = AliasNode.is(target) && 'name' in target.alias ? String(target.alias.name) : table;
  let uses = 0;
  for (const node of nodesOf(root)) {
    if (isTable(node, table)) uses += 1;
    // A column that names its table does not count as another use.
    if (ReferenceNode.is(node) && node.table && isTable(node.table, table)) uses -= 1;
    if (RawNode.is(node) && names({ ...node, parameters: [] } as OperationNode, table)) return undefined;
  }
  const isTarget = isTable(AliasNode.is(target) ? target.node : target, table);
  return isTarget && uses === 1 ? alias : undefined;
}

const conjunctsOf = (node: OperationNode | undefined): OperationNode[] => {
  if (!node) return [];
  if (AndNode.is(node)) return [node.left, node.right].flatMap(conjunctsOf);
  return ParensNode.is(node) ? conjunctsOf(node.node) : [node];
};

/** The column of `new` with the id of the row to change. */
function keyOf(root: OperationNode, target: string, { columns }: ChangedBy): string | undefined {
  const where = UpdateQueryNode.is(root) || DeleteQueryNode.is(root) ? root.where?.where : undefined;
  for (const node of conjunctsOf(where)) {
    if (!BinaryOperationNode.is(node) || !OperatorNode.is(node.operator) || node.operator.operator !== '=') continue;
    const [left, right] = [node.leftOperand, node.rightOperand].map(nameOf);
    for (const [one, other] of [
      [left, right],
      [right, left],
    ])
      if (
        one?.column === 'id' &&
        one.table === target &&
        other &&
        columns.includes(other.column) &&
        (other.table ?? 'new') === 'new'
      )
        return other.column;
  }
  return undefined;
}

const nameOf = (node: OperationNode) =>
  ReferenceNode.is(node) && ColumnNode.is(node.column)
    ? { table: node.table?.table.identifier.name, column: node.column.column.name }
    : undefined;

const columnsOf = ({ updates = [] }: UpdateQueryNode): string[] =>
  updates.flatMap(({ column }) =>
    [...nodesOf(column)].flatMap((node) => (ColumnNode.is(node) ? node.column.name : [])),
  );
