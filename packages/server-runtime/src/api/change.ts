/** Changes of one statement. Insertions that wait go to Postgres in one write, as one transaction. */
import { prepare, type Result, run, type Statement, send } from '@petstore-platform/kysely-pipeline';
import type { CompiledQuery } from 'kysely';
import { insertLockQuery } from '../database/insert-lock.ts';
import { knownOf } from '../database/nodes.ts';
import type { Handle } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import type { Answer } from './answer.ts';
import { claimKeys, type IdempotencyKey, type Outcome, refusedIn, storeKeys } from './idempotency.ts';
import { retriesOf } from './retries.ts';
import { statementsOf } from './row.ts';
import type { Schema } from './schema.ts';

/** The success of an operation. */
export interface Success {
  status: number;
  /** The SQL of the JSON of a row; undefined without a body. */
  json: string | undefined;
}

export interface Change {
  statement: Statement;
  /** The tables whose insert locks it takes. */
  locks: readonly string[];
  /** Whether it waits for no row of others, so that those that wait share a transaction. */
  isInsertion: boolean;
}

/** The change that an answer is; undefined for any other, which needs a transaction of its own. */
export function changesOf(operation: string, { json }: Success, { isOrdered }: Schema) {
  const statementOf = statementsOf(operation, json);
  return (answer: Answer, query: CompiledQuery): Change | undefined => {
    const { change, insertions, isEmpty, isInsertion } = knownOf(query);
    if (!change || answer.kind !== 'row') return undefined;
    if (isEmpty) throw new ApiError(400, 'The request changes nothing');
    const { name, sql } = statementOf(answer, query);
    return { statement: prepare(sql, query.parameters, name), locks: insertions.filter(isOrdered), isInsertion };
  };
}

/** A request of a change. */
export interface Changing {
  /** With whom its caller shares the connections for changes. */
  share: string;
  key: IdempotencyKey | undefined;
  change?: Change | undefined;
}

/** One of several that waits for a lock would make all others wait. It then runs alone. */
const QUICK = prepare(`select set_config('lock_timeout', '100', true)`);
const BEGIN = prepare('begin');
export const COMMIT = prepare('commit');
export const ROLLBACK = prepare('rollback');

/** The failure of a statement, which has undone its transaction. */
class Undone extends Error {
  /** The index of the request whose statement has failed. Undefined for that of another statement. */
  readonly at: number | undefined;

  constructor(at: number | undefined, cause: Error) {
    super('The transaction is undone', { cause });
    this.at = at;
  }
}

/**
 * Runs changes in one transaction, which stores the responses with their keys. One whose key has a response, or is in use, does not run.
 *
 * @throws Undone if one fails: nothing is changed
 */
function runTogether(handle: Handle, { status }: Success, requests: readonly Changing[], share: unknown) {
  const keyed = [...requests.keys()].filter((index) => requests[index]?.key);
  const keys = keyed.map((index) => requests[index]?.key as IdempotencyKey);
  return handle.transact(share, async (client, commits): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    const refused = new Set<number>();
    // They come before the changes, which might wait for rows that the first request with the key has locked.
    const [, ...claims] = keys.length > 0 ? await run(client, BEGIN, ...claimKeys(keys)) : [];
    for (const [at, first] of refusedIn(claims)) {
      outcomes[keyed[at] as number] = first;
      refused.add(keyed[at] as number);
    }
    const fresh = [...requests.keys()].filter((index) => !refused.has(index));
    if (fresh.length === 0) {
      await run(client, ROLLBACK);
      return outcomes;
    }
    const changes = fresh.map((index) => requests[index]?.change as Change);
    const locks = [...new Set(changes.flatMap((change) => change.locks))].sort();
    // Keys are locked before tables, and tables in the order of their names: others would wait for each other.
    const before = [...locks.map(insertLockQuery), ...(fresh.length > 1 ? [QUICK] : [])];
    const answer = () => {
      for (const [at, index] of fresh.entries()) {
        const [row] = (results[before.length + at] as Result).rows as { body: string | null; headers?: string }[];
        const fingerprint = requests[index]?.key?.$fingerprint ?? null;
        outcomes[index] = {
          status: row ? status : 404,
          body: row?.body ?? null,
          headers: row?.headers ?? null,
          fingerprint,
        };
      }
    };
    const store = () => {
      answer();
      commits();
      const stored = fresh.flatMap((index) => ({ ...requests[index]?.key, ...outcomes[index] }));
      return [storeKeys(stored.filter((each) => '$key' in each)), COMMIT];
    };
    if (keys.length === 0) commits();
    const statements = [...before, ...changes.map(({ statement }) => statement)];
    const { results, ended } = send(client, statements, keys.length > 0 ? store : undefined);
    const failure = await ended;
    if (failure) throw new Undone(fresh[failure.at - before.length], failure.error);
    if (keys.length === 0) answer();
    return outcomes;
  });
}

/** Runs one change. A deadlock or a serialization failure has stored nothing: it runs again. */
export async function runChange(
  handle: Handle,
  success: Success,
  request: Changing,
  isTriedAgain = retriesOf(handle.timeout),
): Promise<Outcome> {
  try {
    const [outcome] = await runTogether(handle, success, [request], request.share);
    return outcome;
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    if (!(await isTriedAgain(error.cause))) throw error.cause;
    return runChange(handle, success, request, isTriedAgain);
  }
}

/**
 * Runs insertions in one transaction. One that fails leaves it, and the others run again without it. If it is not known which one has
 * failed, each half runs again.
 *
 * @param alone - runs the request with an index by itself: it may wait for a row that is locked
 * @returns for each request its outcome, or the promise of that
 */
export async function runInsertions(
  handle: Handle,
  success: Success,
  requests: readonly Changing[],
  alone: (index: number) => Promise<Outcome>,
): Promise<(Outcome | Promise<Outcome>)[]> {
  const outcomes: (Outcome | Promise<Outcome>)[] = [];
  const groups = [[...requests.keys()]];
  for (let group = groups.pop(); group; group = groups.pop()) {
    const [first, ...others] = group;
    if (first === undefined) continue;
    if (others.length === 0) {
      outcomes[first] = alone(first);
      continue;
    }
    const all = group;
    try {
      const together = all.map((index) => requests[index] as Changing);
      const results = await runTogether(handle, success, together, runInsertions);
      for (const [at, index] of all.entries()) outcomes[index] = results[at];
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      const failed = error.at === undefined ? undefined : all[error.at];
      if (failed !== undefined) outcomes[failed] = alone(failed);
      const rest = all.filter((index) => index !== failed);
      const half = failed === undefined ? rest.length / 2 : rest.length;
      groups.push(rest.slice(half), rest.slice(0, half));
    }
  }
  return outcomes;
}
