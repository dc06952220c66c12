/** Changes of one statement. Insertions that wait go to Postgres in one write, as one transaction. */
import { prepare, type Result } from '@petstore-platform/kysely-pipeline';
import pg from 'pg';
import { lockKey } from '../database/insert-lock.ts';
import type { RequestDb } from '../database/statement.ts';
import type { IdempotencyKey, Outcome, StoredResponse } from './idempotency.ts';
import type { ResponseRow } from './response-sql.ts';
import { retriesOf } from './retries.ts';
import { Refused, type Step, WriteTransaction } from './write-transaction.ts';

export interface Changing {
  /** Requests with the same value share one caller's part of the connections. */
  fairnessKey: string;
  key: IdempotencyKey | undefined;
  change?: Step | undefined;
}

/** A batch waits for a lock for 100 ms at most, as other insertions wait for the batch. The insertion then runs alone. */
export const SHORT_WAIT = prepare(`select set_config('lock_timeout', '100', true)`);

/** A batch of several callers counts as a caller of its own. */
const SEVERAL = Symbol('several callers');

/** A statement has failed, and Postgres has rolled back the transaction. */
class RolledBack extends Error {
  /** The requests whose statement or lock has failed. Empty if none of theirs has, as when the commit fails. */
  readonly culprits: readonly Changing[];

  constructor(culprits: readonly Changing[], cause: Error) {
    super('The transaction is rolled back', { cause });
    this.culprits = culprits;
  }
}

/**
 * Runs changes in one transaction, which stores the responses with their keys.
 *
 * @param options - whether a wait for a lock ends soon
 * @throws RolledBack if one fails, and Refused for a key that cannot be used: nothing is changed
 */
function runTogether(
  db: RequestDb,
  status: number,
  requests: readonly Changing[],
  { isQuick }: { isQuick: boolean },
): Promise<Outcome[]> {
  const keys = requests.flatMap(({ key }) => key ?? []);
  const steps = requests.map(({ change }) => change as Step);
  const [fairnessKey, ...others] = new Set(requests.map((each) => each.fairnessKey));
  return db.transact(others.length === 0 ? fairnessKey : SEVERAL, async (client, sent) => {
    const transaction = new WriteTransaction(client, sent, keys);
    if (!isQuick) await transaction.claim();
    const locks = transaction.planLocks(steps.flatMap((step) => step.locks));
    const statements = [...locks];
    // Without a timeout, a batch waits for the table's lock. Of the locks of several owners, one that is taken must not hold up the others.
    if (isQuick && locks.length > 1) statements.unshift(SHORT_WAIT);
    else if (isQuick) statements.push(SHORT_WAIT);
    const positions = steps.map((step) => statements.push(...transaction.planStep(step)) - 1);
    const responsesIn = (results: (Result | Error)[]): StoredResponse[] =>
      requests.map(({ key }, index) => {
        const [row] = (results[positions[index] as number] as Result).rows as unknown as ResponseRow[];
        const { body = null, headers = null } = row ?? {};
        return { status: row ? status : 404, body, headers, fingerprint: key?.fingerprint ?? null };
      });
    const store = (results: (Result | Error)[]) =>
      transaction.planCommit(responsesIn(results).filter((_, index) => requests[index]?.key));
    if (keys.length === 0) statements.push(...transaction.planCommit([]));
    const { results, error, failed } = await transaction.send(statements, keys.length > 0 ? store : undefined);
    if (error) {
      const lock = failed && locks.includes(failed) ? lockKey(failed) : undefined;
      const isCulprit = ({ change }: Changing) =>
        change?.statement === failed || change?.locks.some((each) => lockKey(each) === lock);
      throw new RolledBack(requests.filter(isCulprit), error);
    }
    return responsesIn(results);
  });
}

/** Runs one change. A deadlock or a serialization failure has stored nothing: it runs again. */
export async function runChange(
  db: RequestDb,
  status: number,
  request: Changing,
  isTriedAgain = retriesOf(db.timeout),
): Promise<Outcome> {
  try {
    const [outcome] = await runTogether(db, status, [request], { isQuick: false });
    return outcome;
  } catch (error) {
    const cause = error instanceof RolledBack ? error.cause : error;
    if (!(await isTriedAgain(cause))) throw cause;
    return runChange(db, status, request, isTriedAgain);
  }
}

/** A promise that may be rejected before somebody waits for it. */
export const handled = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {});
  return promise;
};

/** Whether a failure is that of the statement, and not of others at the same time. */
const isOfStatement = (error: unknown) => error instanceof pg.DatabaseError && !/^(40|55P03)/.test(error.code ?? '');

/**
 * Runs insertions in one transaction. If it fails, the culprits run alone, and the others together again. Without a known culprit, each
 * half runs again.
 *
 * @param alone - runs a request by itself: it may wait for a row that is locked
 * @returns for each request its outcome, or the promise of that
 */
export async function runInsertions<Item extends Changing>(
  db: RequestDb,
  status: number,
  requests: readonly Item[],
  alone: (request: Item) => Promise<Outcome>,
): Promise<(Outcome | Promise<Outcome>)[]> {
  const outcomes = new Map<Item, Outcome | Promise<Outcome>>();
  const groups = [requests];
  for (let group = groups.pop(); group; group = groups.pop()) {
    const all = group;
    try {
      const results = await runTogether(db, status, all, { isQuick: true });
      for (const [index, request] of all.entries()) outcomes.set(request, results[index]);
    } catch (error) {
      if (!(error instanceof RolledBack || error instanceof Refused)) {
        if (outcomes.size === 0) throw error;
        // All others have an outcome.
        for (const each of [all, ...groups].flat()) outcomes.set(each, handled(Promise.reject(error)));
        break;
      }
      const isSingle = all.length === 1;
      const isCulprit = (each: Item) =>
        error instanceof Refused ? error.responses.has(each.key) : isSingle || error.culprits.includes(each);
      const outcomeOf = (each: Item) => {
        if (error instanceof Refused) return error.responses.get(each.key) ?? handled(alone(each));
        return handled(isSingle && isOfStatement(error.cause) ? Promise.reject(error.cause) : alone(each));
      };
      const culprits = all.filter(isCulprit);
      for (const each of culprits) outcomes.set(each, outcomeOf(each));
      const rest = all.filter((each) => !outcomes.has(each));
      const size = culprits.length > 0 ? rest.length : rest.length / 2;
      groups.push(...[rest.slice(size), rest.slice(0, size)].filter(({ length }) => length > 0));
    }
  }
  return requests.map((request) => outcomes.get(request));
}
