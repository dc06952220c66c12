import {
  AndNode,
  type CompiledQuery,
  DeleteQueryNode,
  type InsertQueryNode,
  type OperationNode,
  ParensNode,
  UpdateQueryNode,
  WhereNode,
} from 'kysely';
import { knownOf, quoted } from '../database/nodes.ts';
import { PreparedConnection } from '../database/prepared-connection.ts';
import type { Handle } from '../database/statement.ts';
import { withSql } from '../database/tenants.ts';
import { compiled, insertionIn, jsonValue, NOTHING, textNode } from '../database/tree.ts';
import { ApiError } from '../errors.ts';
import type { Answer } from './answer.ts';
import {
  type Change,
  changeText,
  type First,
  type IdempotencyKey,
  isStoredMeanwhile,
  type Outcome,
  requestsIn,
} from './idempotency.ts';
import { retriesOf } from './retries.ts';
import { headersIn } from './row.ts';
import type { Typed } from './shared.ts';
import type { Schema } from './storage.ts';

/** The success of an operation. */
export interface Success {
  status: number;
  /** The SQL of the JSON of a row; undefined without a body. */
  json: string | undefined;
}

/** The texts of a change, with keys and without. */
interface Texts {
  keyed: string;
  plain: string;
}

/** A change of one statement. */
export interface Changing {
  texts: Texts;
  /** The values of an insertion, by their names in `$new`. */
  rowOf?(parameters: readonly unknown[]): Record<string, unknown>;
}

/** A request of such a change. */
interface Request {
  share: string;
  key: IdempotencyKey | undefined;
  /** The values of an insertion, with its key. Requests of other statements run alone, with the parameters of the query. */
  row?: Record<string, unknown> | undefined;
}

type Own = Omit<Change, 'status' | 'headers' | 'body'>;

const textsOf = (own: (isKeyed: boolean) => Own, { row }: Answer, { status, json }: Success): Texts => {
  const textOf = (isKeyed: boolean) =>
    changeText({ ...own(isKeyed), status, headers: headersIn(row.headers), body: json }, isKeyed);
  return { keyed: textOf(true), plain: textOf(false) };
};

/** The name of the column with a given value in `$new`. */
const givenName = (column: string) => `=${column}`;

/**
 * The insertion of one row, which concurrent requests share; undefined for any other query. Postgres inserts and returns the rows in their
 * order. The statement fails if a trigger has left out one of several, after which each runs alone.
 */
export function insertionOf(
  answer: Answer,
  inserted: CompiledQuery,
  success: Success,
  schema: Schema,
): Changing | undefined {
  const { query, parameters } = inserted;
  const insertion = answer.kind === 'row' ? insertionIn(query) : undefined;
  if (!insertion || parameters.length === 0 || insertion.columns.length !== parameters.length) return undefined;
  const { table, columns } = insertion;
  const { kind, into, returning = NOTHING, columns: names } = query as InsertQueryNode;
  const values = columns.map((column) => `"$new".${quoted(givenName(column))}`).join(', ');
  const rows = textNode(`select ${values} from "$new" order by "$new"."$n"`);
  const own = compiled({ kind, into, columns: names, values: rows, returning } as OperationNode);
  const typed = columns.map((column): Typed => [givenName(column), schema.typeOf(table, column)]);
  const isWhole = `(select count(*) from "$new") in (1, (select count(*) from "$own"))`;
  const base = (isKeyed: boolean) => ({
    requests: requestsIn('$1', typed, isKeyed),
    columns: typed.map(([name]) => name),
  });
  const texts = textsOf(
    (isKeyed) => ({
      ...base(isKeyed),
      steps: { $own: own },
      changed: `select new."$n", own.* from (select row_number() over () as "$at", * from "$own") as own
      join (select row_number() over (order by "$n") as "$at", "$n" from "$new") as new on new."$at" = own."$at"
      where 1 / (case when ${isWhole} then 1 else 0 end) = 1`,
      insertLocks: [quoted(table)].filter(schema.isListed),
    }),
    answer,
    success,
  );
  const given = columns.map(givenName);
  const rowOf = (parameters: readonly unknown[]) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < given.length; index++) row[given[index] as string] = jsonValue(parameters[index]);
    return row;
  };
  return { texts, rowOf };
}

/** Whether an answer is an update or a deletion that can be a step of another statement. */
export const isStep = ({ kind }: Answer, { query }: CompiledQuery): boolean =>
  kind === 'row' && (UpdateQueryNode.is(query) || DeleteQueryNode.is(query)) && !query.with;

/** An update or a deletion of one request, with its own parameters, and the JSON of its key as the last one. */
export function stepOf(answer: Answer, query: CompiledQuery, success: Success): Changing {
  const node = query.query as UpdateQueryNode;
  const count = query.parameters.length;
  if (knownOf(query).isEmpty) throw new ApiError(400, 'The request changes nothing');
  const own = (isKeyed: boolean) => {
    const isNew = textNode('exists (select from "$new")');
    const given = node.where && ParensNode.create(node.where.where);
    const keyed = given ? AndNode.create(given, isNew) : isNew;
    const where = isKeyed ? WhereNode.create(keyed) : node.where;
    return compiled({ ...node, returning: node.returning ?? NOTHING, ...(where && { where }) } as UpdateQueryNode);
  };
  const texts = textsOf(
    (isKeyed) => ({
      requests: isKeyed ? requestsIn(`$${count + 1}`, [], true) : '(values (1)) as request',
      columns: [],
      steps: { $own: own(isKeyed) },
      changed: 'select 1 as "$n", "$own".* from "$own" limit 1',
      insertLocks: [],
    }),
    answer,
    success,
  );
  return { texts };
}

type Row = First & { position: number };

/** Runs a change, which looks up, locks and stores the keys. A deadlock or a serialization failure has stored nothing: it runs again. */
export async function runChange(
  handle: Handle,
  changing: Changing,
  query: CompiledQuery,
  requests: readonly Request[],
  isTriedAgain = retriesOf(handle.timeout),
): Promise<Outcome[]> {
  const isKeyed = requests.some(({ key }) => key);
  try {
    // Those that share a statement share a place among the callers.
    const caller = requests[0]?.row ? changing : requests[0]?.share;
    const rows = await handle.transact(caller, async (client, commits) => {
      const text = changing.texts[isKeyed ? 'keyed' : 'plain'];
      const values = requests[0]?.row
        ? [JSON.stringify(requests.map(({ row }) => row))]
        : [...query.parameters, ...(isKeyed ? [JSON.stringify(requests.map(({ key }) => key))] : [])];
      commits();
      const connection = new PreparedConnection(client, () => undefined);
      return (await connection.executeQuery<Row>(withSql(query, text, values))).rows;
    });
    const outcomes: Outcome[] = requests.map(() => undefined);
    for (const { position, status, headers, body, fingerprint } of rows) {
      const { $fingerprint = null } = requests[position - 1]?.key ?? {};
      outcomes[position - 1] = { status, headers, body, fingerprint: fingerprint ?? $fingerprint };
    }
    return outcomes;
  } catch (error) {
    const isAgain = (requests.length === 1 && isStoredMeanwhile(error)) || (await isTriedAgain(error));
    if (isAgain) return runChange(handle, changing, query, requests, isTriedAgain);
    throw error;
  }
}
