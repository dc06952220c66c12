import {
  AliasNode,
  type Compilable,
  FromNode,
  IdentifierNode,
  type Kysely,
  type SelectQueryNode,
  sql,
  TableNode,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { Batcher } from '../batcher.ts';
import { compiledOf } from '../database/beginnings.ts';
import { describe } from '../database/describe.ts';
import { knownOf, NAMED } from '../database/nodes.ts';
import { type Handle, query as reading } from '../database/statement.ts';
import { jsonValue, lookUpIn, placedIn, sourceOf } from '../database/tree.ts';
import type { Answer } from './answer.ts';
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

/** What is selected from the rows of an answer, which have the name `row`. @param json - the SQL of a row's JSON */
export function frameOf({ kind, row }: Answer, json: string | undefined): string {
  if (kind === 'rows') return `'[' || coalesce(string_agg(${json}, ','), '') || ']' as body`;
  const headers = headersIn(row.headers);
  return `${json ?? 'null'} as body${headers ? `, ${headers}::text as headers` : ''}`;
}

/** The texts in which answers of the same kind select the same. */
export const signatureOf = ({ kind, row }: Answer, text: string): string =>
  row.headers ? `${kind} ${JSON.stringify(row.headers)} ${text}` : `${kind} ${text}`;

type Item = Record<string, unknown> & { $onStart?: (() => void) | undefined };

/** How the answers of one text are read: concurrent ones by one statement, or each by its own. */
type Reading = { batcher: Batcher<Item, Answered | undefined> } | { alone: string };

/**
 * The rows of a read's answers. Concurrent requests share the statements that look a row up by the values of its columns.
 *
 * @param json - the SQL of a row's JSON; undefined without a body
 * @param isShared - whether requests share every statement
 */
export function rowsOf(operation: string, json: string | undefined, schema: Schema, isShared: boolean) {
  return (db: Handle, reader: Kysely<never>) => {
    const readings = new LRUCache<string, Reading | Promise<Reading>>({ max: NAMED });
    return async (answer: Answer, onStart: () => void): Promise<Answered | undefined> => {
      const query = compiledOf(answer.query as Compilable);
      const key = signatureOf(answer, query.sql);
      let reading = readings.get(key);
      if (!reading) {
        const learning = readingOf(operation, answer, json, isShared, schema, db);
        readings.set(key, learning);
        learning.then(
          (learned) => readings.set(key, learned),
          () => readings.delete(key),
        );
        reading = learning;
      }
      if (reading instanceof Promise) reading = await reading;
      const { parameters } = query;
      if ('batcher' in reading) {
        const item: Item = { $onStart: onStart };
        for (let index = 0; index < parameters.length; index++) item[`$${index + 1}`] = jsonValue(parameters[index]);
        return reading.batcher.submit(item);
      }
      onStart();
      const { rows } = await reader.getExecutor().executeQuery<Answered>({ ...query, sql: reading.alone } as never);
      return rows[0];
    };
  };
}

async function readingOf(
  operation: string,
  answer: Answer,
  json: string | undefined,
  isShared: boolean,
  { typeOf, distributed }: Schema,
  db: Handle,
): Promise<Reading> {
  const node = answer.query.toOperationNode() as SelectQueryNode;
  const { sql: text, parameters, ...query } = answer.query.compile();
  const frame = frameOf(answer, json);
  const alone = { alone: `select ${frame} from (${text}) as row` };
  const columns = answer.kind === 'row' ? (lookUpIn(node) ?? []) : [];
  const source = sourceOf(node);
  const isLookUp = source !== undefined && columns.length > 0 && columns.length === parameters.length;
  if (knownOf({ ...query, sql: text, parameters }).write || !(isLookUp || isShared)) return alone;
  const storage = isLookUp ? distributed.find(({ table }) => table === source.table) : undefined;
  storage?.get(columns.join());
  let types = isLookUp ? columns.map((column) => typeOf(source.table, column)) : [];
  const isSimple = isLookUp && !/[(]/.test(text);
  if (!isSimple && !storage) {
    const described = await describe(db, node, text);
    if (described.isVolatile) return alone;
    types = described.types;
  }
  if (types.length === 0) return alone;
  const record = types.map((type, index) => `"$${index + 1}" ${type}`).join(', ');
  const names = [...types.map((_, index) => `"$${index + 1}"`), 'position'].join(', ');
  const innerOf = (suffix: string) => {
    if (!isLookUp) return `select * from (${placedIn('"$query"', node)}) as own`;
    if (suffix === '') return placedIn('"$query"', node);
    const shard = AliasNode.create(TableNode.create(source.table + suffix), IdentifierNode.create(source.alias));
    return placedIn('"$query"', { ...node, from: FromNode.create([shard]) } as SelectQueryNode);
  };
  // `offset 0` keeps Postgres from joining the table as a whole.
  const select = reading<{ queries: string }, Answered & { position: number }>(
    operation,
    (value, suffix) => sql`select position::integer, answer.*
      from rows from (json_to_recordset(${value('queries')}::json) as (${sql.raw(record)})) with ordinality as "$query" (${sql.raw(names)}),
        lateral (select ${sql.raw(frame)} from (${sql.raw(innerOf(suffix))} offset 0) as row limit 1) as answer`,
  );
  const selectOn = async (on: Handle, items: Item[]): Promise<(Answered | undefined)[]> => {
    const rows = await select(on, { queries: JSON.stringify(items) });
    const results: (Answered | undefined)[] = items.map(() => undefined);
    for (const { position, body, headers } of rows) results[position - 1] = { body, ...(headers && { headers }) };
    return results;
  };
  const run = async (items: Item[]) => {
    for (const { $onStart } of items) $onStart?.();
    if (!storage?.isActive(db)) return selectOn(db, items);
    const ids = items.map(({ $1 }) => Number($1));
    const found = await storage.rows(db, ids, async (shard, { keys }) => {
      const answers = await selectOn(
        shard,
        keys.map(($1) => ({ $1 })),
      );
      return keys.flatMap((key, index) => (answers[index] ? [{ key, answer: answers[index] }] : []));
    });
    const answers = new Map(found.map(({ key, answer }) => [key, answer]));
    return ids.map((id) => answers.get(id));
  };
  return { batcher: new Batcher(run, { kind: 'read' }) };
}
