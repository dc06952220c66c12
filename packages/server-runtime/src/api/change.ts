/** Changes of one statement. Insertions that wait go to Postgres in one write, as one transaction. */
import { prepare, type Result } from '@petstore-platform/kysely-pipeline';
import pg from 'pg';
import { lockKey } from '../database/insert-lock.ts';
import type { RequestDb } from '../database/statement.ts';
import type { IdempotencyKey, Outcome, StoredResponse } from './idempotency.ts';
import type { ResponseRow } from './response-sql.ts';
import { retriesOf } from './retries.ts';
import { Refused, type Step, WriteTransaction } from './write-transaction.ts';

/** A request of a change. */
export interface Changing {
  /** With whom its caller shares the connections for changes. */
  share: string;
  key: IdempotencyKey | undefined;
  change?: Step | undefined;
}

/** An insertion that waits for a lock would make those behind it wait. It then runs alone. */
export const QUICK = prepare(`select set_config('lock_timeout', '100', true)`);

/** A statement has failed: the transaction is undone. */
class Undone extends Error {
  /** The requests whose statement it is. None for another statement. */
  readonly leaving: readonly Changing[];

  constructor(leaving: readonly Changing[], cause: Error) {
    super('The transaction is undone', { cause });
    this.leaving = leaving;
  }
}

/**
 * Runs changes in one transaction, which stores the responses with their keys.
 *
 * @param options - whether a wait for a lock ends soon
 * @throws Undone if one fails, and Refused for a key that cannot be used: nothing is changed
 */
function runTogether(
  handle: RequestDb,
  status: number,
  requests: readonly Changing[],
  { isQuick }: { isQuick: boolean },
): Promise<Outcome[]> {
  const keys = requests.flatMap(({ key }) => key ?? []);
  const steps = requests.map(({ change }) => change as Step);
  const [share, ...others] = new Set(requests.map((each) => each.share));
  // Those of several callers are one more that takes its turn.
  return handle.transact(others.length === 0 ? share : runTogether, async (client, sent) => {
    const transaction = new WriteTransaction(client, sent, keys);
    if (!isQuick) await transaction.claim();
    const locks = transaction.lock(steps.flatMap((step) => step.locks));
    const statements = [...locks];
    // The lock of a table is waited for as long as any. Owners have several, of which one that is taken does not hold up the others.
    if (isQuick) statements.splice(statements.length > 1 ? 0 : statements.length, 0, QUICK);
    const places = steps.map((step) => statements.push(...transaction.statementsFor(step)) - 1);
    const responsesIn = (results: (Result | Error)[]): StoredResponse[] =>
      requests.map(({ key }, index) => {
        const [row] = (results[places[index] as number] as Result).rows as unknown as ResponseRow[];
        const { body = null, headers = null } = row ?? {};
        return { status: row ? status : 404, body, headers, fingerprint: key?.fingerprint ?? null };
      });
    let responses: StoredResponse[] = [];
    const store = (results: (Result | Error)[]) => {
      responses = responsesIn(results);
      return transaction.commitOf(responses.filter((_, index) => requests[index]?.key));
    };
    if (keys.length === 0) statements.push(...transaction.commitOf([]));
    const { results, error, failed } = await transaction.send(statements, keys.length > 0 ? store : undefined);
    if (error) {
      const lock = failed && locks.includes(failed) ? lockKey(failed) : undefined;
      const isLeaving = ({ change }: Changing) =>
        change?.statement === failed || change?.locks.some((each) => lockKey(each) === lock);
      throw new Undone(requests.filter(isLeaving), error);
    }
    return keys.length === 0 ? responsesIn(results) : responses;
  });
}

/** Runs one change. A deadlock or a serialization failure has stored nothing: it runs again. */
export async function runChange(
  handle: RequestDb,
  status: number,
  request: Changing,
  isTriedAgain = retriesOf(handle.timeout),
): Promise<Outcome> {
  try {
    const [outcome] = await runTogether(handle, status, [request], { isQuick: false });
    return outcome;
  } catch (error) {
    const cause = error instanceof Undone ? error.cause : error;
    if (!(await isTriedAgain(cause))) throw cause;
    return runChange(handle, status, request, isTriedAgain);
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
 * @param alone - runs a request by itself: it may wait for a row that is locked
 * @returns for each request its outcome, or the promise of that
 */
export async function runInsertions<Item extends Changing>(
  handle: RequestDb,
  status: number,
  requests: readonly Item[],
  alone: (request: Item) => Promise<Outcome>,
): Promise<(Outcome | Promise<Outcome>)[]> {
  const outcomes = new Map<Item, Outcome | Promise<Outcome>>();
  const groups = [requests];
  for (let group = groups.pop(); group; group = groups.pop()) {
    const all = group;
    try {
      const results = await runTogether(handle, status, all, { isQuick: true });
      for (const [index, request] of all.entries()) outcomes.set(request, results[index]);
    } catch (error) {
      if (!(error instanceof Undone || error instanceof Refused)) {
        if (outcomes.size === 0) throw error;
        // The others have theirs.
        for (const each of [all, ...groups].flat()) outcomes.set(each, later(Promise.reject(error)));
        break;
      }
      const isLast = all.length === 1;
      const isLeaving = (each: Item) =>
        error instanceof Refused ? error.responses.has(each.key) : isLast || error.leaving.includes(each);
      const outcomeOf = (each: Item) => {
        if (error instanceof Refused) return error.responses.get(each.key) ?? later(alone(each));
        return later(isLast && isOwn(error.cause) ? Promise.reject(error.cause) : alone(each));
      };
      const leaving = all.filter(isLeaving);
      for (const each of leaving) outcomes.set(each, outcomeOf(each));
      const rest = all.filter((each) => !outcomes.has(each));
      const half = leaving.length > 0 ? rest.length : rest.length / 2;
      groups.push(...[rest.slice(half), rest.slice(0, half)].filter(({ length }) => length > 0));
    }
  }
  return requests.map((request) => outcomes.get(request));
}
