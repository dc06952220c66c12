import {
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  type CompiledQuery,
  type Kysely,
  RawNode,
  type SelectQueryNode,
  type UpdateQueryNode,
  WithNode,
} from 'kysely';
import pg from 'pg';
import { Batcher } from '../batcher.ts';
import type { Caller } from '../caller.ts';
import { describe } from '../database/describe.ts';
import type { Handle } from '../database/statement.ts';
import { withoutOwner, withSql } from '../database/tenants.ts';
import { compiled, compileWithColumns, lookUpIn, NOTHING, sourceOf, valuesIn } from '../database/tree.ts';
import type { Answer } from './answer.ts';
import { memoize, OWNERS, type Settle, STALLED_AFTER, sharedRead, type Typed, type Values } from './shared.ts';
import type { Schema } from './storage.ts';

/** A row as JSON, and the headers as a JSON object. */
export interface Answered {
  body: string | null;
  headers?: string | null;
}

/** The columns that hold headers, by the name of the header. */
export const headersIn = (headers: Record<string, string> = {}): string | undefined => {
  const named = Object.entries(headers).map(
    ([name, column]) => `${pg.escapeLiteral(name)}, row.${pg.escapeIdentifier(column)}::text`,
  );
  return named.length > 0 ? `json_strip_nulls(json_build_object(${named.join(', ')}))` : undefined;
};

/** The selection from the rows of an answer, which have the name `row`. @param json - the SQL of a row's JSON */
function frameOf({ kind, row }: Answer, json: string | undefined): string {
  if (kind === 'rows') return `'[' || coalesce(string_agg(${json}, ','), '') || ']' as body`;
  const headers = headersIn(row.headers);
  return `${json ?? 'null'} as body${headers ? `, ${headers}::text as headers` : ''}`;
}

/** The text that reads an answer alone. Its own `with` may change rows, for which it has to stay at the top. */
export function answerText(answer: Answer, { sql, query }: CompiledQuery, json: string | undefined): string {
  const frame = frameOf(answer, json);
  if (query.kind === 'SelectQueryNode') return `select ${frame} from (${sql}) as row`;
  const { with: given, ...rest } = query as UpdateQueryNode;
  if (!given && rest.returning) return `with row as (${sql}) select ${frame} from row`;
  const change: UpdateQueryNode = { returning: NOTHING, ...rest };
  if (!given) return `with row as (${compiled(change)}) select ${frame} from row`;
  const own = CommonTableExpressionNode.create(CommonTableExpressionNameNode.create('row'), change);
  return compiled(RawNode.create(['', ` select ${frame} from row`], [WithNode.cloneWithExpression(given, own)]));
}

/** The texts in which answers of the same kind select the same. */
export function signatureOf({ kind, row }: Answer, text: string): string {
  // No new string for most answers: a map would have to hash it.
  if (kind === 'row' && !row.headers) return text;
  return `${kind} ${JSON.stringify(row.headers)} ${text}`;
}

/** Reads the answers of one text: concurrent ones by one statement, or each by its own. */
type Reading = (query: CompiledQuery, caller: Caller) => Promise<Answered | undefined>;

/**
 * The rows of a read's answers. Concurrent requests share the statements that look a row up by the values of its columns.
 *
 * @param json - the SQL of a row's JSON; undefined without a body
 * @param isShared - whether requests share every statement
 */
export function rowsOf(operation: string, json: string | undefined, schema: Schema, isShared: boolean) {
  /** @param onStart - called when a statement is sent, or before its text is known */
  return (db: Handle, reader: Kysely<never>, onStart: () => void) => {
    const readings = memoize<Reading>();
    return (answer: Answer, caller: Caller): Promise<Answered | undefined> => {
      const query = answer.query.compile();
      const compose = () => readingOf(operation, answer, query, json, isShared, schema, { db, reader, onStart });
      const read = readings(signatureOf(answer, query.sql), compose);
      if (!(read instanceof Promise)) return read(query, caller);
      onStart();
      return read.then((run) => run(query, caller));
    };
  };
}

async function readingOf(
  operation: string,
  answer: Answer,
  query: CompiledQuery,
  json: string | undefined,
  isShared: boolean,
  schema: Schema,
  { db, reader, onStart }: { db: Handle; reader: Kysely<never>; onStart: () => void },
): Promise<Reading> {
  const { sql: text, parameters } = query;
  const node = query.query as SelectQueryNode;
  const given = withoutOwner(query, parameters);
  const frame = frameOf(answer, json);
  const aloneText = answerText(answer, query, json);
  const { scope } = schema;
  const alone: Reading = (query, caller) => {
    onStart();
    const bound = withSql(scope?.bind(query, caller) ?? query, aloneText);
    const rows = reader.getExecutor().executeQuery<Answered>(bound as never);
    return rows.then(({ rows: [row] }) => row);
  };
  const columns = answer.kind === 'row' ? (lookUpIn(node) ?? []) : [];
  const source = sourceOf(node);
  const isLookUp = source !== undefined && columns.length > 0 && columns.length === given.length;
  if (!(isLookUp || isShared)) return alone;
  const { types, isShareable } = await describe(db, text);
  if (!isShareable || types.length === 0) return alone;
  const named = withoutOwner(query, types).map((type, index): Typed => [`$${index + 1}`, type]);
  const own = compileWithColumns('"$query"', node);
  const inner = isLookUp ? own : `select * from (${own}) as own`;
  const selectOn = sharedRead<Answered, Answered>(
    operation,
    given.length < parameters.length ? [...named, OWNERS] : named,
    // `offset 0` keeps Postgres from joining the table as a whole.
    `select ${frame} from (${inner} offset 0) as row limit 1`,
    (row) => row,
  );
  const run = (items: Values[], settle: Settle<Answered | undefined>) => {
    onStart();
    return selectOn(db, items, settle);
  };
  const batcher = new Batcher(run, { stalledAfter: STALLED_AFTER, kind: 'read' });
  const valuesOf = (query: CompiledQuery, caller: Caller): Values => {
    const $owner = scope?.ownerOf(query, caller);
    return $owner === undefined
      ? valuesIn(query.parameters, {})
      : valuesIn(withoutOwner(query, query.parameters), { $owner });
  };
  if (isShareable) return (query, caller) => batcher.submit(valuesOf(query, caller));
  return async (query, caller) => (await run([valuesOf(query, caller)], () => {}))[0];
}
