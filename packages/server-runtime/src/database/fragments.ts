/** The parts of Kysely's queries that could leave their place: fragments of SQL, functions, and columns as tables. */
import { AliasNode, ColumnNode, IdentifierNode, type OperationNode, RawNode, TableNode, ValueNode } from 'kysely';
import { childrenOf, isNamePart, isStatement } from './nodes.ts';

/** Refuses a statement that cannot be limited to one owner. It is a bug of its handler: 500. */
export class Unscoped extends Error {}

/** Parts of the names of functions that run SQL from a text, and of views that show values of all rows. */
const SEES_ALL = /_to_xml|^dblink|^ts_stat$|^ts_rewrite$|^crosstab|^connectby|^pg_stat/;

/** Refuses the name of a table or a function that sees the rows of all owners. */
export function refuseSeer(name: string): void {
  if (SEES_ALL.test(name)) throw new Unscoped(`${name} sees the rows of all owners: use unscoped(db)`);
}

/** The nodes that may stand where a table is read, or changed. A column there would be the name of a table. */
export const READABLE = new Set(['TableNode', 'SelectQueryNode', 'RawNode', 'FunctionNode', 'ValuesNode']);
export const CHANGEABLE = new Set(['TableNode']);

/** Refuses a node in the place of a table. */
export function requireKind(node: OperationNode, kinds: ReadonlySet<string>): OperationNode {
  const { kind } = AliasNode.is(node) ? node.node : node;
  if (!kinds.has(kind)) throw new Unscoped(`A statement cannot use a ${kind} as a table`);
  return node;
}

/** The text of a fragment. Names in it are read as one text, because `inv` and `oices` may stand beside each other. */
function sqlOf(node: OperationNode): string {
  if (RawNode.is(node)) {
    const { sqlFragments, parameters } = node;
    return sqlFragments.map((text, index) => text + (parameters[index] ? sqlOf(parameters[index]) : '')).join('');
  }
  if (IdentifierNode.is(node)) return quote(node.name);
  // Where a fragment has a place for a column, it could also read a table of this name.
  if (ColumnNode.is(node)) return quote(node.column.name);
  if (ValueNode.is(node) && node.immediate)
    return typeof node.value === 'string' ? `'${node.value.replaceAll("'", "''")}'` : `${node.value}`;
  // Statements and tables are looked at by themselves, and a table that qualifies a column is not read.
  return isStatement(node) || TableNode.is(node) ? ' ? ' : ` ${childrenOf(node).map(sqlOf).join(' ')} `;
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

const isSpace = (each: string | undefined) => each !== undefined && each.trim() === '';

export interface Fragment {
  /** The names in it, in lower case, without those before a dot. Any may be a table or a function. */
  names: string[];
  /** Whether it closes what it opens, and has nothing that could hide a name. Otherwise it could change the statement around it. */
  isClosed: boolean;
}

/** Reads a fragment. It refuses comments, `;`, `$`, and strings with escapes, rather than to read them as Postgres does. */
export function fragmentOf(node: RawNode): Fragment {
  const text = sqlOf(node);
  const names: string[] = [];
  let depth = 0;
  let at = 0;
  /** Ends a name, unless a dot follows. */
  const add = (name: string) => {
    let next = at;
    while (isSpace(text[next])) next += 1;
    if (text[next] !== '.') names.push(name.toLowerCase());
  };
  while (at < text.length) {
    const each = text[at] as string;
    if (each === "'" || each === '"') {
      const isEscaped = text.slice(at - 2, at).toLowerCase() === 'u&' || (each === "'" && isEscape(text, at));
      const end = endOf(text, at);
      if (isEscaped || end < 0) return { names, isClosed: false };
      const name = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
      if (each === '"') add(name);
    } else if (isNamePart(each)) {
      const begin = at;
      while (isNamePart(text[at])) at += 1;
      add(text.slice(begin, at));
    } else {
      const isHidden = each === ';' || each === '$' || ['--', '/*'].includes(text.slice(at, at + 2));
      if (each === '(' || each === '[') depth += 1;
      if (each === ')' || each === ']') depth -= 1;
      if (isHidden || depth < 0) return { names, isClosed: false };
      at += 1;
    }
  }
  return { names, isClosed: depth === 0 };
}

/** Whether the quote at a position begins a string with escapes, such as `e'\''`. */
const isEscape = (text: string, at: number) => text[at - 1]?.toLowerCase() === 'e' && !isNamePart(text[at - 2]);

/** The position of the quote that closes the one at a position, or -1. */
function endOf(text: string, begin: number): number {
  const mark = text[begin] as string;
  for (let at = text.indexOf(mark, begin + 1); at >= 0; at = text.indexOf(mark, at + 2))
    if (text[at + 1] !== mark) return at;
  return -1;
}
