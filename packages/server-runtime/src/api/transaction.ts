import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Caller } from '../caller.ts';
import type { RequestContext } from '../contract.ts';
import { type Locked, watchInsertLocks } from '../database/insert-lock.ts';
import { NeedsSnapshot } from '../database/kysely.ts';
import type { Handle } from '../database/statement.ts';
import { withSql } from '../database/tenants.ts';
import { ApiError } from '../errors.ts';
import { Answer } from './answer.ts';
import { Attempt, type AttemptSchema } from './attempt.ts';
import type { Changing, Success } from './change.ts';
import type { HandlerResult } from './handler.ts';
import { type IdempotencyKey, inTransaction, type Outcome, UNDONE } from './idempotency.ts';
import { type Run, responseOf } from './read.ts';
import { retriesOf } from './retries.ts';
import { type Answered, answerText } from './row.ts';

export type AnyRequest = { headers: { 'idempotency-key'?: string | undefined }; path?: object };

/** A request that waits for its turn. */
export interface Item {
  caller: Caller;
  /** With whom its caller shares the connections for changes: all callers of the same owner, where rows have owners. */
  share: string;
  request: AnyRequest;
  state?: RequestContext['state'];
  key: IdempotencyKey | undefined;
  attempt?: Attempt | undefined;
  answer?: Answer | undefined;
  /** The query of an answer that is a statement of its own. */
  step?: { query: CompiledQuery; changing: Changing };
  /** The values of an answer that is an insertion, with its key. */
  row?: Record<string, unknown> | undefined;
}

/** Milliseconds after which the requests of a transaction run alone. */
const GROUP_TIME = 100;

/** A promise that rejects after a while, unless it is disposed. */
function deadline() {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const timer = setTimeout(() => reject(new Error('The transaction took too long')), GROUP_TIME);
  return { promise, [Symbol.dispose]: () => clearTimeout(timer) };
}

/**
 * Runs the handlers of requests in one transaction, one after the other. If one of several fails, nothing is changed.
 *
 * @returns a function with which each also runs again, after a failure that says so
 */
export function transactionOf(operation: string, run: Run, success: Success, schema: AttemptSchema) {
  const watch = watchInsertLocks(operation);

  /** The answer as a statement of an open transaction. */
  const answerIn = async (answer: Answer, { db, state }: Attempt['transaction']): Promise<HandlerResult> => {
    state.isAnswering = true;
    const query = answer.query.compile();
    const { rows } = await db
      .getExecutor()
      .executeQuery<Answered>(withSql(query, answerText(answer, query, success.json)) as never);
    return responseOf(success.status, answer, rows[0]);
  };

  /** Whether its transactions need a snapshot, as its handler selects rows without locking them: others must not change them meanwhile. */
  let isSnapshot = false;

  /** @param isSnapshot - as known when it begins: another request may learn it while this one waits for a connection */
  const attemptIn = (handle: Handle, items: Item[], isSnapshot: boolean): Promise<Outcome[]> => {
    const locked: Locked = new Map();
    return inTransaction(
      handle,
      { caller: items.length > 1 ? run : items[0]?.share, keys: items.map(({ key }) => key), isSnapshot },
      async (client, begun) => {
        using late = items.length > 1 ? deadline() : undefined;
        const opened = { client, begun, isSnapshot, locked };
        const answer = async ({ result, transaction }: Attempt): Promise<HandlerResult | ApiError> => {
          try {
            const given = await (late ? Promise.race([result, late.promise]) : result);
            return given instanceof Answer ? await answerIn(given, transaction) : given;
          } catch (error) {
            if (!(error instanceof ApiError) || (late && transaction.state.isChanged)) throw error;
            return error;
          }
        };
        const answers: Promise<HandlerResult | ApiError>[] = [];
        const transactions: Attempt['transaction'][] = [];
        for (const item of items) {
          const attempt = item.attempt ?? new Attempt(run, item.request, item.caller, schema, item.state);
          // A further attempt is a new one.
          item.attempt = undefined;
          attempt.open(opened);
          const { transaction } = attempt;
          const answered = answer(attempt);
          answered.catch(() => {});
          answers.push(answered);
          transactions.push(transaction);
          try {
            // The statements of the next handler follow that of the answer in one write.
            await Promise.race([answered, transaction.sent]);
          } finally {
            transaction.end();
          }
        }
        const results = await Promise.all(answers);
        for (const [index, transaction] of transactions.entries()) {
          if (transaction.state.needsSnapshot) throw new NeedsSnapshot('The handler caught the error');
          // A statement that was not awaited may still wait for its turn, and would be missing from the commit.
          if (!transaction.end() && !(results[index] instanceof ApiError)) throw new Error(UNDONE);
        }
        return results;
      },
    ).finally(() => watch(handle, locked));
  };

  return async (handle: Handle, items: Item[]): Promise<Outcome[]> => {
    const isTriedAgain = retriesOf(handle.timeout);
    for (;;)
      try {
        return await attemptIn(handle, items, isSnapshot);
      } catch (error) {
        if (error instanceof NeedsSnapshot) isSnapshot = true;
        else if (!(error instanceof pg.DatabaseError)) throw error;
        // Each of them runs alone, whatever this is.
        else if (items.length > 1) throw new Error('One of several failed', { cause: error });
        else if (!(await isTriedAgain(error, isSnapshot))) throw error;
      }
  };
}
