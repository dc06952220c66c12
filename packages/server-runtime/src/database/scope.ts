/** Limits Kysely's statements to the rows of one owner. */
import {
  AggregateFunctionNode,
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  CommonTableExpressionNameNode,
  DeleteQueryNode,
  FromNode,
  FunctionNode,
  IdentifierNode,
  InsertQueryNode,
  MergeQueryNode,
  type OnConflictNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
} from 'kysely';
import { CHANGEABLE, fragmentOf, READABLE, requireKind } from './fragments.ts';
import { refuseFunction, refuseSeer, Unscoped } from './functions.ts';
import { isChange, isNode, isStatement } from './nodes.ts';

/** The tables whose rows belong to somebody, each with the column of the owner. */
export type Tenants = Readonly<Record<string, string>>;

const NAME = /^[a-z_][\w.]*$/i;

/** The nodes in which a table only qualifies a column, or is a row of what `from` has already. */
const QUALIFIED = new Set(['ReferenceNode', 'SelectModifierNode', 'FunctionNode', 'AggregateFunctionNode']);
/** The nodes whose tables are read. */
const READING = new Set(['FromNode', 'JoinNode', 'UsingNode']);

const nameOf = ({ table }: TableNode) => table.identifier.name;

/**
 * Limits a statement to the rows of an owner. A table that is read becomes the select of the owner's rows, which Postgres flattens; a
 * predicate beside a join would change outer joins. A change gets a condition, and an insertion the owner. A table in any other place is
 * refused, so that a node of a new version of Kysely opens nothing.
 *
 * @param owner - the node of the owner's value. Undefined: all tables of tenants are refused
 * @param functions - that a statement may use, besides those of Postgres: see {@link refuseFunction}
 * @throws Unscoped
 */
export function scoped<Node extends OperationNode>(
  root: Node,
  tenants: Tenants,
  owner: OperationNode | undefined,
  functions: readonly string[] = [],
): Node {
  const names = new Map(Object.keys(tenants).map((name) => [name.toLowerCase(), name]));
  const refusal = (table: string, reason: string) =>
    new Unscoped(`The rows of ${table} have owners: ${reason}, or use unscoped(db)`);
  const ownerOf = (table: string) => {
    if (!owner) throw refusal(table, 'an operation that is open to everybody cannot use them');
    return owner;
  };
  const isTenant = (node: OperationNode): node is TableNode =>
    TableNode.is(node) && Object.hasOwn(tenants, nameOf(node));

  /** `alias.owner = $n` */
  const condition = (table: string, alias: string) =>
    BinaryOperationNode.create(
      ReferenceNode.create(ColumnNode.create(tenants[table] as string), TableNode.create(alias)),
      OperatorNode.create('='),
      ownerOf(table),
    );
  /** Without the parentheses, an `or` in a fragment would go past the condition. */
  const both = (where: WhereNode | undefined, one: OperationNode) =>
    WhereNode.create(where ? AndNode.create(one, ParensNode.create(where.where)) : one);

  /** The table that a node names, and its alias, if it is a tenant's. */
  const tableOf = (node: OperationNode): { table: string; alias: string; node: TableNode } | undefined => {
    if (isTenant(node)) return { table: nameOf(node), alias: nameOf(node), node };
    if (!AliasNode.is(node) || !isTenant(node.node)) return undefined;
    if (!IdentifierNode.is(node.alias)) throw refusal(nameOf(node.node), 'give it a simple alias');
    return { table: nameOf(node.node), alias: node.alias.name, node: node.node };
  };
  /** The table that a change names, if it is a tenant's. */
  const targetOf = (node: OperationNode | undefined) => node && tableOf(requireKind(node, CHANGEABLE));
  /** The owner's rows in place of a table. */
  const rowsOf = (node: OperationNode): OperationNode => {
    const target = tableOf(node);
    if (!target) return walk(requireKind(node, READABLE));
    const { table, alias } = target;
    const select: SelectQueryNode = {
      ...SelectQueryNode.createFrom([target.node]),
      selections: [SelectionNode.createSelectAll()],
      where: WhereNode.create(condition(table, table)),
    };
    return AliasNode.create(select, IdentifierNode.create(alias));
  };

  /** Converts the children of a node, except those that are handled elsewhere. */
  const walkBut = (node: OperationNode, ...handled: string[]): OperationNode => {
    const result: Record<string, unknown> = { ...node };
    for (const [key, value] of Object.entries(node)) {
      if (handled.includes(key)) continue;
      const convert = (child: unknown) => (isNode(child) ? inside(child, node, key) : child);
      result[key] = Array.isArray(value) ? value.map(convert) : convert(value);
    }
    return result as unknown as OperationNode;
  };
  const inside = (child: OperationNode, parent: OperationNode, key: string): OperationNode => {
    if (READING.has(parent.kind) && key !== 'on') return rowsOf(child);
    if (QUALIFIED.has(parent.kind) && TableNode.is(child)) return child;
    return walk(child, AliasNode.is(parent) && key === 'alias' ? 'as' : undefined);
  };

  const walk = (node: OperationNode, before?: string): OperationNode => {
    // Values may be objects of a request, which have any properties.
    if (ValueNode.is(node) || PrimitiveValueListNode.is(node)) return node;
    if (isTenant(node)) throw refusal(nameOf(node), 'use it in from, a join, insertInto, updateTable or deleteFrom');
    if (TableNode.is(node)) refuseSeer(nameOf(node));
    if (RawNode.is(node)) refuseLeaving(node, before);
    if (CommonTableExpressionNameNode.is(node) && isTenant(node.table))
      throw refusal(nameOf(node.table), 'give the `with` another name');
    if (FunctionNode.is(node) || AggregateFunctionNode.is(node)) {
      if (!NAME.test(node.func)) throw new Unscoped('The name of a function is no name');
      refuseFunction(node.func.toLowerCase(), functions);
    }
    if (MergeQueryNode.is(node)) targetOf(node.into);
    if (InsertQueryNode.is(node)) return insertion(node);
    if (UpdateQueryNode.is(node)) return update(node);
    if (DeleteQueryNode.is(node)) return deletion(node);
    return walkBut(node);
  };

  const refuseLeaving = (node: RawNode, before: string | undefined) => {
    const { names: found, calls, isClosed } = fragmentOf(node, before);
    for (const name of found) {
      const table = names.get(name);
      if (table) throw refusal(table, 'SQL cannot name it; write the query with Kysely');
      refuseSeer(name, functions);
    }
    for (const call of calls) refuseFunction(call, functions);
    // The text after a change would be a part of its condition.
    if (!isClosed || node.parameters.some(isChange))
      throw new Unscoped('A fragment of SQL closes what it opens; no comment, `;`, `$`, escape or query in quotes');
  };
  /** A fragment at the end of a change, such as `or true`, would go past the condition. */
  const refuseEnd = ({ endModifiers }: { endModifiers?: readonly OperationNode[] | undefined }, table: string) => {
    if (endModifiers && endModifiers.length > 0) throw refusal(table, 'leave out modifyEnd()');
  };

  /** The columns that are set, each to one value: `'x', tenant = 'b'` in a fragment would set another one. */
  const updates = (list: readonly OperationNode[] | undefined, table: string) =>
    list?.map((each) => {
      const { column, value } = each as unknown as { column?: OperationNode; value: OperationNode };
      const name = column && ReferenceNode.is(column) ? column.column : column;
      if (!name || !ColumnNode.is(name)) throw refusal(table, 'name the columns that are set');
      if (name.column.name === tenants[table]) throw refusal(table, `${tenants[table]} never changes`);
      const converted = walk(value);
      const isAlone = ValueNode.is(converted) || SelectQueryNode.is(converted);
      return { ...each, value: isAlone ? converted : ParensNode.create(converted) };
    });

  const update = (node: UpdateQueryNode): OperationNode => {
    const target = targetOf(node.table);
    if (!target) return walkBut(node);
    refuseEnd(node, target.table);
    const walked = walkBut(node, 'table', 'updates') as UpdateQueryNode;
    const where = both(walked.where, condition(target.table, target.alias));
    return { ...walked, updates: updates(node.updates, target.table), where } as OperationNode;
  };

  const deletion = (node: DeleteQueryNode): OperationNode => {
    const [first, ...others] = node.from.froms;
    if (others.length > 0) throw new Unscoped('A deletion has one table, and `using`');
    const target = targetOf(first);
    const walked = walkBut(node, 'from') as DeleteQueryNode;
    if (!target) return { ...walked, from: FromNode.create([walk(first as OperationNode)]) } as OperationNode;
    refuseEnd(node, target.table);
    return { ...walked, where: both(walked.where, condition(target.table, target.alias)) } as OperationNode;
  };

  const insertion = (node: InsertQueryNode): OperationNode => {
    const target = targetOf(node.into);
    if (!target) return walkBut(node);
    const { table, alias } = target;
    refuseEnd(node, table);
    const inserted = { ...walkBut(node, 'into', 'values', 'onConflict', 'columns'), ...given(node, table) };
    const { onConflict } = node;
    if (!onConflict) return inserted as OperationNode;
    const conflict = walkBut(onConflict, 'updates') as OnConflictNode;
    const change = onConflict.updates && {
      updates: updates(onConflict.updates, table),
      updateWhere: both(conflict.updateWhere, condition(table, alias)),
    };
    return { ...inserted, onConflict: { ...conflict, ...change } } as OperationNode;
  };
  /** The columns and values of an insertion, with the owner. */
  const given = ({ columns, values, defaultValues }: InsertQueryNode, table: string): Partial<InsertQueryNode> => {
    const column = ColumnNode.create(tenants[table] as string);
    const own = ownerOf(table);
    if (columns?.some((one) => one.column.name === tenants[table]))
      throw refusal(table, `${tenants[table]} is set for you`);
    if (defaultValues || !values)
      return { defaultValues: false, columns: [column], values: ValuesNode.create([ValueListNode.create([own])]) };
    if (!columns) throw refusal(table, 'name the columns of the insertion');
    const all = [...columns, column];
    if (ValuesNode.is(values)) {
      const lists = values.values.map((list) => {
        const nodes = PrimitiveValueListNode.is(list)
          ? list.values.map((each) => ValueNode.create(each))
          : list.values.map((each) => walk(each));
        return ValueListNode.create([...nodes, own]);
      });
      return { columns: all, values: ValuesNode.create(lists) };
    }
    const select = {
      ...SelectQueryNode.createFrom([AliasNode.create(ParensNode.create(walk(values)), IdentifierNode.create('$new'))]),
      selections: [
        SelectionNode.create(ReferenceNode.createSelectAll(TableNode.create('$new'))),
        SelectionNode.create(AliasNode.create(own, IdentifierNode.create('$owner'))),
      ],
    };
    return { columns: all, values: select };
  };

  if (!isStatement(root) && !(RawNode.is(root) && isReading(root)))
    throw new Unscoped('A service whose rows have owners runs only queries that Kysely builds');
  return walk(root) as Node;
}

/** Whether SQL begins as a select does. */
const isReading = (node: RawNode) => ['select', 'with', 'values'].includes(fragmentOf(node).names[0] ?? '');
