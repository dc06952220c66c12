import {
  AliasNode,
  DeleteQueryNode,
  InsertQueryNode,
  MergeQueryNode,
  type OperationNode,
  RawNode,
  SelectModifierNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  WithNode,
} from 'kysely';

/** A node of Kysely's tree, and all below it. */
export function* nodesOf(node: OperationNode): Generator<OperationNode> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'kind' in child) yield* nodesOf(child as OperationNode);
    }
  }
}

const tableOf = (node: OperationNode | undefined): string[] => {
  if (!node) return [];
  if (AliasNode.is(node)) return tableOf(node.node);
  return TableNode.is(node) ? [node.table.identifier.name] : [];
};

const sorted = (names: string[]) => [...new Set(names)].sort();

function insertedInto(node: OperationNode): string[] {
  return InsertQueryNode.is(node) || MergeQueryNode.is(node) ? tableOf(node.into) : [];
}

/** The tables into which a statement inserts, each once, in the order of their names. */
export const insertionsOf = (root: OperationNode): string[] => sorted([...nodesOf(root)].flatMap(insertedInto));

/** The tables that a statement changes. */
export function changesOf(root: OperationNode): string[] {
  const changed = (node: OperationNode) => {
    if (UpdateQueryNode.is(node)) return tableOf(node.table);
    return DeleteQueryNode.is(node) ? node.from.froms.flatMap(tableOf) : insertedInto(node);
  };
  return sorted([...nodesOf(root)].flatMap(changed));
}

/** The words of SQL, any of which may be a table. Postgres folds the names that are not quoted. */
const wordsOf = (node: OperationNode): string[] =>
  RawNode.is(node)
    ? node.sqlFragments.flatMap((text) => [...text.split(/\W+/), ...text.toLowerCase().split(/\W+/)])
    : [];

/** The tables that a statement names, and the words of SQL in it. */
export const tablesOf = (root: OperationNode): string[] =>
  sorted([...nodesOf(root)].flatMap((node) => [...tableOf(node), ...wordsOf(node)]));

/** Whether it, or a step of its `with`, is a template of SQL, in which tables cannot be found. */
export function isUnknown(root: OperationNode): boolean {
  if (RawNode.is(root)) return true;
  const steps = [...nodesOf(root)].flatMap((node) => (WithNode.is(node) ? node.expressions : []));
  return steps.some(({ expression }) => RawNode.is(expression));
}

const LOCKS = /^For/;

/**
 * Why a statement is no read; undefined for a read. In Postgres only the statement itself and its `with` can change rows, so that a
 * fragment of SQL elsewhere cannot, unless it calls a function that does.
 */
export function writeOf(root: OperationNode): string | undefined {
  if (!SelectQueryNode.is(root)) return `it is a ${root.kind}, not a select`;
  for (const node of nodesOf(root)) {
    const isChange =
      InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node) || MergeQueryNode.is(node);
    if (isChange) return `it has a ${node.kind}`;
    if (SelectModifierNode.is(node) && LOCKS.test(node.modifier ?? '')) return `it locks rows (${node.modifier})`;
  }
  return isUnknown(root) ? 'its `with` has SQL whose kind is unknown' : undefined;
}
