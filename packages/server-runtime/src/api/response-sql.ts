/** The texts around the queries of answers: Postgres writes their JSON. */
import {
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  type CompiledQuery,
  createQueryId,
  PostgresQueryCompiler,
  RawNode,
  type ReturningNode,
  type UpdateQueryNode,
  WithNode,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { MAX_CACHED_TEXTS } from '../database/nodes.ts';
import { type Named, named } from '../database/statement.ts';
import type { QueryResponse } from './query-response.ts';

/** A row as JSON, and the headers as a JSON object. */
export interface ResponseRow {
  body: string | null;
  headers?: string | null;
}

/** The columns that hold headers, by the name of the header. */
const headersIn = (headers: Record<string, string> = {}): string | undefined => {
  const named = Object.entries(headers).map(
    ([name, column]) => `${pg.escapeLiteral(name)}, row.${pg.escapeIdentifier(column)}::text`,
  );
  return named.length > 0 ? `json_strip_nulls(json_build_object(${named.join(', ')}))` : undefined;
};

/** The selection from the rows of an answer, which have the name `row`. @param json - the SQL of a row's JSON */
function frameOf({ kind, row }: QueryResponse, json: string | undefined): string {
  if (kind === 'rows') return `'[' || coalesce(string_agg(${json}, ','), '') || ']' as body`;
  const headers = headersIn(row.headers);
  return `${json ?? 'null'} as body${headers ? `, ${headers}::text as headers` : ''}`;
}

/** The `returning` of a change that has none, so that its rows are counted. */
const NOTHING = {
  kind: 'ReturningNode',
  selections: [RawNode.createWithSql('null as "$none"')],
} as unknown as ReturningNode;

/** The text that reads an answer. Its own `with` may change rows, for which it has to stay at the top. */
function responseText(response: QueryResponse, { sql, query }: CompiledQuery, json: string | undefined): string {
  const frame = frameOf(response, json);
  if (query.kind === 'SelectQueryNode' || query.kind === 'RawNode') return `select ${frame} from (${sql}) as row`;
  const { with: shared, ...rest } = query as UpdateQueryNode;
  if (!shared)
    return `with row as (${sql}${rest.returning ? '' : ' returning null as "$none"'}) select ${frame} from row`;
  // A transformer of Kysely sets absent parts to undefined.
  const change = { ...rest, returning: rest.returning ?? NOTHING } as UpdateQueryNode;
  const rowTable = CommonTableExpressionNode.create(CommonTableExpressionNameNode.create('row'), change);
  const whole = RawNode.create(['', ` select ${frame} from row`], [WithNode.cloneWithExpression(shared, rowTable)]);
  return new PostgresQueryCompiler().compileQuery(whole, createQueryId()).sql;
}

/** The texts in which answers of the same kind select the same. */
function signatureOf({ kind, row }: QueryResponse, text: string): string {
  // No new string for most answers: a map would have to hash it.
  if (kind === 'row' && !row.headers) return text;
  return `${kind} ${JSON.stringify(row.headers)} ${text}`;
}

/** The statements of an operation's answers, each made once. @param json - the SQL of a row's JSON; undefined without a body */
export function statementsOf(operation: string, json: string | undefined) {
  const statements = new LRUCache<string, Named, { response: QueryResponse; query: CompiledQuery }>({
    max: MAX_CACHED_TEXTS,
    memoMethod: (_signature, _stale, { context: { response, query } }) =>
      named(operation, responseText(response, query, json)),
  });
  return (response: QueryResponse, query: CompiledQuery): Named =>
    statements.memo(signatureOf(response, query.sql), { context: { response, query } });
}
