/** Changes of one statement. Insertions that wait go to Postgres in one write, as one transaction. */
import {
  BEGIN,
  COMMIT,
  prepare,
  type Result,
  ROLLBACK,
  run,
  type Settings,
  type Statement,
  send,
  settingsOf,
} from '@petstore-platform/kysely-pipeline';
import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import { lockKey } from '../database/insert-lock.ts';
import { factsOf } from '../database/nodes.ts';
import type { RequestDb } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import { claimKeys, type First, type IdempotencyKey, type Outcome, refusedIn, storeKey } from './idempotency.ts';
import type { QueryResponse } from './query-response.ts';
import { statementsOf } from './response-sql.ts';
import { retriesOf } from './retries.ts';
import type { Schema } from './schema.ts';

/** The success of an operation. */
export interface Success {
  status: number;
  /** The SQL of the JSON of a row; undefined without a body. */
  json: string | undefined;
}

export interface Change {
  statement: Statement;
  settings: Settings | undefined;
  /** Those of the tables into which it inserts. */
  locks: readonly Statement[];
  /** Whether it waits for no row of others, so that those that wait share a transaction. */
  isInsertion: boolean;
  /** Whether it may change its session. */
  hasSql: boolean;
}

/** The change that an answer is; undefined for any other, which needs a transaction of its own. */
export function changesOf(operation: string, { json }: Success, { locksOf }: Schema) {
  const statementOf = statementsOf(operation, json);
  return (response: QueryResponse, query: CompiledQuery, settings: Settings | undefined): Change | undefined => {
    const { change, insertions, isEmpty, isInsertion, hasSql } = factsOf(query);
    if (!change || response.kind !== 'row') return undefined;
    if (isEmpty) throw new ApiError(400, 'The request changes nothing');
    const { name, sql } = statementOf(response, query);
    const statement = prepare(sql, query.parameters, name);
    return { statement, settings, locks: locksOf(insertions, settings), isInsertion, hasSql };
  };
}

/** A request of a change. */
export interface Changing {
  /** With whom its caller shares the connections for changes. */
  share: string;
  key: IdempotencyKey | undefined;
  change?: Change | undefined;
}

/** An insertion that waits for a lock would make those behind it wait. It then runs alone. */
export const QUICK = prepare(`select set_config('lock_timeout', '100', true)`);

/** The transaction is undone: a statement has failed, or a key cannot be used. */
class Undone extends Error {
  /** The requests that have to leave, by their indexes. None if another statement has failed. */
  readonly leaving: readonly number[];

  constructor(leaving: readonly number[], cause?: Error) {
    super('The transaction is undone', { cause });
    this.leaving = leaving;
  }
}

/** A write of several, or of an insertion: a wait for a lock ends soon. */
interface Together {
  isQuick: boolean;
  /** With whom it shares the connections. */
  share: unknown;
}

/**
 * Runs changes in one transaction, which stores the responses with their keys.
 *
 * @throws Undone if one fails, or has a key that cannot be used: nothing is changed
 */
function runTogether(
  handle: RequestDb,
  { status }: Success,
  requests: readonly Changing[],
  { isQuick, share }: Together,
): Promise<Outcome[]> {
  const keyed = [...requests.keys()].filter((index) => requests[index]?.key);
  const keys = keyed.map((index) => requests[index]?.key as IdempotencyKey);
  const changes = requests.map(({ change }) => change as Change);
  const locks = new Map(changes.flatMap((change) => change.locks.map((lock) => [lockKey(lock), lock])));
  return handle.transact(share, async (client, sent) => {
    sent.hasSql = changes.some(({ hasSql }) => hasSql);
    let claims = [BEGIN, ...(keys.length > 0 ? claimKeys(keys) : [])];
    if (keys.length > 0 && !isQuick) {
      // They come before the change, which might wait for rows that the first request with the key has locked.
      const [, ...claimed] = await run(client, ...claims);
      for (const [, first] of refusedIn(claimed)) {
        await run(client, ROLLBACK);
        return [first];
      }
      claims = [];
    }
    // Keys are locked before tables, and tables in the order of their names: others would wait for each other.
    const inOrder = [...locks.keys()].sort().map((key) => locks.get(key) as Statement);
    // An owner whose lock is taken does not hold up the others.
    const ofOwners = isQuick && inOrder.length > 1 ? [QUICK] : [];
    const statements = [...claims, ...ofOwners, ...inOrder, ...(isQuick ? [QUICK] : [])];
    let settings: Settings | undefined = {};
    const places = changes.map((change) => {
      statements.push(...settingsOf(change.settings, settings), change.statement);
      settings = change.hasSql ? undefined : (change.settings ?? {});
      return statements.length - 1;
    });
    const responses = () =>
      requests.map(({ key }, index) => {
        const [row] = (results[places[index] as number] as Result).rows as { body: string | null; headers?: string }[];
        const { body = null, headers = null } = row ?? {};
        return { status: row ? status : 404, body, headers, fingerprint: key?.$fingerprint ?? null };
      });
    const refused = () =>
      [...refusedIn(results.slice(1, claims.length) as Result[]).keys()].map((at) => keyed[at] as number);
    let outcomes: First[] = [];
    const store = () => {
      if (refused().length > 0) return [ROLLBACK];
      outcomes = responses();
      sent.mayCommit = true;
      const reset = settingsOf({ ...settings, role: null }, settings);
      const stored = keyed.map((index, at) => storeKey(keys[at] as IdempotencyKey, outcomes[index] as First));
      return [...reset, ...stored, COMMIT];
    };
    sent.mayCommit = keys.length === 0;
    if (keys.length === 0) statements.push(COMMIT);
    const { results, ended } = send(client, statements, keys.length > 0 ? store : undefined);
    const failure = await ended;
    // The change of a repetition may have failed, as by a name that the first has taken.
    const repeated = refused();
    if (repeated.length > 0) throw new Undone(repeated);
    if (failure) {
      const failed = statements[failure.at];
      const sentFor = (one: Change) => [one.statement, ...one.locks.map((lock) => locks.get(lockKey(lock)))];
      const leaving = changes.flatMap((change, at) => (sentFor(change).includes(failed) ? [at] : []));
      throw new Undone(leaving, failure.error);
    }
    return keys.length > 0 ? outcomes : responses();
  });
}

/** Runs one change. A deadlock or a serialization failure has stored nothing: it runs again. */
export async function runChange(
  handle: RequestDb,
  success: Success,
  request: Changing,
  isTriedAgain = retriesOf(handle.timeout),
): Promise<Outcome> {
  try {
    const [outcome] = await runTogether(handle, success, [request], { isQuick: false, share: request.share });
    return outcome;
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    if (!(await isTriedAgain(error.cause))) throw error.cause;
    return runChange(handle, success, request, isTriedAgain);
  }
}

/** A promise that may be rejected before somebody waits for it. */
export const later = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {});
  return promise;
};

/** Whether a failure is that of the statement, and not of others at the same time. */
const isOwn = (error: unknown) => error instanceof pg.DatabaseError && !/^(40|55P03)/.test(error.code ?? '');

/**
 * Runs insertions in one transaction. One that fails leaves it, and the others run again without it. If it is not known which one has
 * failed, each half runs again.
 *
 * @param alone - runs the request with an index by itself: it may wait for a row that is locked
 * @returns for each request its outcome, or the promise of that
 */
export async function runInsertions(
  handle: RequestDb,
  success: Success,
  requests: readonly Changing[],
  alone: (index: number) => Promise<Outcome>,
): Promise<(Outcome | Promise<Outcome>)[]> {
  const outcomes: (Outcome | Promise<Outcome>)[] = [];
  const groups = [[...requests.keys()]];
  for (let group = groups.pop(); group; group = groups.pop()) {
    const all = group;
    if (all.length === 0) continue;
    try {
      const together = all.map((index) => requests[index] as Changing);
      const [share, ...others] = new Set(together.map((each) => each.share));
      const results = await runTogether(handle, success, together, {
        isQuick: true,
        share: others.length === 0 ? share : runInsertions,
      });
      for (const [at, index] of all.entries()) outcomes[index] = results[at];
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      if (all.length === 1 && isOwn(error.cause)) {
        outcomes[all[0] as number] = later(Promise.reject(error.cause));
        continue;
      }
      const leaving = new Set(all.length === 1 ? [0] : error.leaving);
      const rest = all.filter((index, at) => {
        if (leaving.has(at)) outcomes[index] = later(alone(index));
        return !leaving.has(at);
      });
      const half = leaving.size > 0 ? rest.length : rest.length / 2;
      groups.push(rest.slice(half), rest.slice(0, half));
    }
  }
  return outcomes;
}
