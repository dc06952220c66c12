import {
  AliasNode,
  AndNode,
  type CompiledQuery,
  DeleteQueryNode,
  IdentifierNode,
  type InsertQueryNode,
  type OperationNode,
  ParensNode,
  ReferenceNode,
  type ReturningNode,
  UpdateQueryNode,
  WhereNode,
} from 'kysely';
import { knownOf, quoted } from '../database/nodes.ts';
import { PreparedConnection } from '../database/prepared-connection.ts';
import type { Handle } from '../database/statement.ts';
import { withSql } from '../database/tenants.ts';
import { compiled, insertionIn, jsonValue, NOTHING, rowChangeIn, textNode } from '../database/tree.ts';
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
import { type ChangingRow, type Inserting, type Schema, type Storage, storageOf } from './storage.ts';

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
  /** How the row is inserted while its table is distributed. */
  apart?: {
    storage: Storage;
    texts: Texts;
    inserting?: Inserting;
    /** Further values of the statement. */
    values?(query: CompiledQuery): unknown[];
  };
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
  operation: string,
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
  const answered = returnedBy(returning);
  const storage = storageOf(operation, inserted, answered && table, schema);
  if (!storage) return { texts, rowOf };
  const named = columns.map((column, index) => [column, given[index]] as [string, string]);
  const inserting = storage.insert({ given: named, answered: (answered ?? []).map(([column]) => column) }, schema);
  const { steps, row } = inserting;
  const selected = (answered ?? []).map(([column, name]) => `, own.${quoted(column)} as ${quoted(name)}`);
  const changed = `select own."$n", ${row} as "$row"${selected.join('')} from "$own" as own`;
  const further = (isKeyed: boolean) => ({ ...base(isKeyed), steps, changed, insertLocks: [], row: 'row."$row"' });
  return { texts, rowOf, apart: { storage, inserting, texts: textsOf(further, answer, success) } };
}

/** The columns that an insertion returns, with their names; undefined if it also returns something else. */
function returnedBy({ selections }: ReturningNode): [column: string, name: string][] | undefined {
  const columns = selections.map((each): [string, string] | undefined => {
    const { selection } = each as { selection?: OperationNode };
    const node = selection && AliasNode.is(selection) ? selection.node : selection;
    const column =
      node && ReferenceNode.is(node) && node.column.kind === 'ColumnNode' ? node.column.column.name : undefined;
    if (column === undefined) return undefined;
    const alias = selection && AliasNode.is(selection) ? selection.alias : undefined;
    return [column, alias && IdentifierNode.is(alias) ? alias.name : column];
  });
  return columns.every((column) => column !== undefined) ? columns : undefined;
}

/** Whether an answer is an update or a deletion that can be a step of another statement. */
export const isStep = ({ kind }: Answer, { query }: CompiledQuery): boolean =>
  kind === 'row' && (UpdateQueryNode.is(query) || DeleteQueryNode.is(query)) && !query.with;

/** An update or a deletion of one request, with its own parameters, and the JSON of its key as the last one. */
export function stepOf(
  operation: string,
  answer: Answer,
  query: CompiledQuery,
  success: Success,
  schema: Schema,
): Changing {
  const node = query.query as UpdateQueryNode;
  const count = query.parameters.length;
  const texts = (count: number, further: ChangingRow = { where: '', returning: {}, steps: {} }) => {
    const own = (isKeyed: boolean) => {
      const added = [further.where, isKeyed ? 'exists (select from "$new")' : ''].filter((each) => each !== '');
      const condition = added.length > 0 ? textNode(added.join(' and ')) : undefined;
      const given = node.where && ParensNode.create(node.where.where);
      const where = given && condition ? AndNode.create(given, condition) : (condition ?? node.where?.where);
      const columns = Object.entries(further.returning).map(([name, column]) => `${column} as ${quoted(name)}`);
      const { selections } = node.returning ?? NOTHING;
      const returning = { kind: 'ReturningNode', selections: [...selections, ...columns.map(textNode)] };
      return compiled({ ...node, returning, ...(where && { where: WhereNode.create(where) }) } as UpdateQueryNode);
    };
    return textsOf(
      (isKeyed) => ({
        requests: isKeyed ? requestsIn(`$${count + 1}`, [], true) : '(values (1)) as request',
        columns: [],
        steps: { $own: own(isKeyed), ...further.steps },
        changed: 'select 1 as "$n", "$own".* from "$own" limit 1',
        insertLocks: [],
      }),
      answer,
      success,
    );
  };
  if (knownOf(query).isEmpty) throw new ApiError(400, 'The request changes nothing');
  const { source, columns = [] } = rowChangeIn(node) ?? {};
  const storage = storageOf(operation, query, source?.table, schema);
  if (!storage) return { texts: texts(count) };
  const changing = storage.change({ alias: source?.alias ?? '', columns }, `$${count + 1}::bigint`);
  const values = ({ query }: CompiledQuery) => [storage.blockOf(Number(rowChangeIn(query)?.id))];
  return { texts: texts(count), apart: { storage, values, texts: texts(count + 1, changing) } };
}

type Row = First & { position: number; row?: unknown };

/** Runs a change, which looks up, locks and stores the keys. A deadlock or a serialization failure has stored nothing: it runs again. */
export async function runChange(
  handle: Handle,
  changing: Changing,
  query: CompiledQuery,
  requests: readonly Request[],
  isTriedAgain = retriesOf(handle.timeout),
): Promise<Outcome[]> {
  const isKeyed = requests.some(({ key }) => key);
  let apart: Changing['apart'];
  try {
    // Those that share a statement share a place among the callers.
    const caller = requests[0]?.row ? changing : requests[0]?.share;
    const rows = await handle.transact(caller, async (client, commits) => {
      // The connection may have found that the table is distributed now.
      apart = changing.apart?.storage.isActive(handle) ? changing.apart : undefined;
      const text = (apart ?? changing).texts[isKeyed ? 'keyed' : 'plain'];
      const values = requests[0]?.row
        ? [JSON.stringify(requests.map(({ row }) => row))]
        : [
            ...query.parameters,
            ...(apart?.values?.(query) ?? []),
            ...(isKeyed ? [JSON.stringify(requests.map(({ key }) => key))] : []),
          ];
      commits();
      const connection = new PreparedConnection(client, () => undefined);
      const statement = withSql(query, text, values);
      if (!apart?.inserting) return (await connection.executeQuery<Row>(statement)).rows;
      await client.query('begin');
      const { rows } = await connection.executeQuery<Row>(statement);
      const added = rows.flatMap(({ row }) => (row ? [row] : []));
      await apart.inserting.beforeCommit(handle.db.further(), added);
      await client.query('commit');
      return rows;
    });
    const outcomes: Outcome[] = requests.map(() => undefined);
    for (const { position, status, headers, body, fingerprint } of rows) {
      const { $fingerprint = null } = requests[position - 1]?.key ?? {};
      outcomes[position - 1] = { status, headers, body, fingerprint: fingerprint ?? $fingerprint };
    }
    return outcomes;
  } catch (error) {
    const isAgain =
      (requests.length === 1 && isStoredMeanwhile(error)) ||
      (await isTriedAgain(error)) ||
      (await apart?.inserting?.repair(handle.db.further(), error));
    if (isAgain) return runChange(handle, changing, query, requests, isTriedAgain);
    throw error;
  }
}
