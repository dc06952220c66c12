/** The parts of Kysely's queries that could leave their place: fragments of SQL, functions, and columns as tables. */
import {
  AliasNode,
  ColumnNode,
  IdentifierNode,
  type OperationNode,
  RawNode,
  ReferenceNode,
  SchemableIdentifierNode,
  TableNode,
  ValueNode,
} from 'kysely';
import { KEYWORDS, Unscoped } from './functions.ts';
import { childrenOf, isNamePart, isStatement } from './nodes.ts';

/** The nodes that may stand where a table is read, or changed. A column there would be the name of a table. */
export const READABLE = new Set(['TableNode', 'SelectQueryNode', 'RawNode', 'FunctionNode', 'ValuesNode']);
export const CHANGEABLE = new Set(['TableNode']);

/** Refuses a node in the place of a table. */
export function requireKind(node: OperationNode, kinds: ReadonlySet<string>): OperationNode {
  const { kind } = AliasNode.is(node) ? node.node : node;
  if (!kinds.has(kind)) throw new Unscoped(`A statement cannot use a ${kind} as a table`);
  return node;
}

/** Stands for SQL that is not looked at as a part of a fragment. No text of Postgres has this character. */
const OTHER = '\0';
/** The nodes that are written in parentheses, so that a name before them is called. */
const PARENTHESIZED = new Set(['ParensNode', 'TupleNode', 'ValueListNode', 'PrimitiveValueListNode']);

/** The text of a fragment. Names in it are read as one text, because `inv` and `oices` may stand beside each other. */
function sqlOf(node: OperationNode): string {
  if (RawNode.is(node)) {
    const { sqlFragments, parameters } = node;
    return sqlFragments.map((text, index) => text + (parameters[index] ? sqlOf(parameters[index]) : '')).join('');
  }
  if (IdentifierNode.is(node)) return quote(node.name);
  // Where a fragment has a place for a column, it could also read a table of this name, or run a function.
  if (ColumnNode.is(node)) return quote(node.column.name);
  if (ReferenceNode.is(node)) return pathOf(node.table, node.column);
  if (TableNode.is(node)) return sqlOf(node.table);
  if (SchemableIdentifierNode.is(node)) return pathOf(node.schema, node.identifier);
  if (ValueNode.is(node) && node.immediate)
    return typeof node.value === 'string' ? `'${node.value.replaceAll("'", "''")}'` : `${node.value}`;
  // Statements are looked at by themselves.
  if (isStatement(node)) return ` ${OTHER} `;
  const inner = OTHER + childrenOf(node).map(sqlOf).join(' ');
  return PARENTHESIZED.has(node.kind) ? `(${inner})` : ` ${inner} `;
}

const pathOf = (...parts: (OperationNode | undefined)[]) =>
  parts
    .filter((each) => each !== undefined)
    .map(sqlOf)
    .join('.');

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

const isSpace = (each: string | undefined) => each !== undefined && each.trim() === '';

export interface Fragment {
  /** The names in it, in lower case, without those before a dot. Any may be a table or a function. */
  names: string[];
  /** The names before parentheses, with their schemas. Each may be a function, as keywords and the columns of an alias are left out. */
  calls: string[];
  /** Whether it closes what it opens, and has nothing that could hide a name. Otherwise it could change the statement around it. */
  isClosed: boolean;
}

/**
 * Reads a fragment. It refuses comments, `;`, `$`, and strings with escapes, rather than to read them as Postgres does.
 *
 * @param before - the keyword before it
 */
export function fragmentOf(node: RawNode, before?: string): Fragment {
  const text = sqlOf(node);
  const names: string[] = [];
  const calls: string[] = [];
  let path: string[] = [];
  let last = before;
  let depth = 0;
  let at = 0;
  /** Ends a name, unless a dot follows. */
  const add = (name: string, isWord = false) => {
    let next = at;
    while (isSpace(text[next])) next += 1;
    path.push(name);
    if (text[next] === '.') return;
    names.push(name);
    const isPlain = isWord && path.length === 1;
    const isCall = text[next] === '(' && !(isPlain && KEYWORDS.has(name)) && last !== 'as' && last !== 'into';
    if (isCall) calls.push(path.join('.'));
    last = isPlain ? name : '';
    path = [];
  };
  while (at < text.length) {
    const each = text[at] as string;
    if (each === "'" || each === '"') {
      const isEscaped = text.slice(at - 2, at).toLowerCase() === 'u&' || (each === "'" && isEscape(text, at));
      const end = endOf(text, at);
      // What stands for it may have quotes, too, and end these.
      const isOpened = text.slice(at, end).includes(OTHER);
      if (isEscaped || isOpened || end < 0) return { names, calls, isClosed: false };
      const name = text
        .slice(at + 1, end)
        .replaceAll('""', '"')
        .toLowerCase();
      at = end + 1;
      if (each === '"') add(name);
      else last = '';
    } else if (isNamePart(each)) {
      const begin = at;
      while (isNamePart(text[at])) at += 1;
      add(text.slice(begin, at).toLowerCase(), true);
    } else {
      const isHidden = each === ';' || each === '$' || ['--', '/*'].includes(text.slice(at, at + 2));
      if (each === '(' || each === '[') depth += 1;
      if (each === ')' || each === ']') depth -= 1;
      if (isHidden || depth < 0) return { names, calls, isClosed: false };
      // As after `t.*`.
      if (!isSpace(each) && each !== '.') [path, last] = [[], ''];
      at += 1;
    }
  }
  return { names, calls, isClosed: depth === 0 };
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
