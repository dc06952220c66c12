import { Overdue, prepare, queryResultOf, type Result, type Statement } from '@petstore-platform/kysely-pipeline';
import type { CompiledQuery, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Caller } from '../caller.ts';
import type { RequestContext } from '../contract.ts';
import { HandlerDb } from '../database/kysely.ts';
import { type RequestDb, type Sent, traced } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import { type Changing, SHORT_WAIT } from './change.ts';
import type { HandlerResult } from './handler.ts';
import { type IdempotencyKey, type Outcome, type StoredResponse, toStored } from './idempotency.ts';
import type { OperationParts } from './operation-parts.ts';
import { HandlerContext, QueryResponse } from './query-response.ts';
import { type Run, responseOf } from './read.ts';
import type { ResponseRow } from './response-sql.ts';
import { isContended, retriesOf } from './retries.ts';
import { type Step, type Steps, WriteTransaction } from './write-transaction.ts';

export type AnyRequest = { headers: { 'idempotency-key'?: string | undefined }; path?: object };

/** A request of a write. */
export interface Item extends Changing {
  caller: Caller;
  request: AnyRequest;
  state?: RequestContext['state'];
  /** The run that has begun. A further attempt has a new one. */
  handlerRun?: HandlerRun | undefined;
  response?: QueryResponse | undefined;
}

type Runner = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

/** A run of a handler, which waits at its first statement until its transaction is open. */
export class HandlerRun extends HandlerDb {
  readonly result: Promise<QueryResponse | HandlerResult>;
  /** Resolves to the answer of a handler that has run no statement; to undefined when it waits at one, or ends without an answer. */
  readonly responseBeforeStatement: Promise<QueryResponse | undefined>;
  readonly open: (run: Runner) => void;

  constructor(handler: Run, { request, caller, state }: Item, { scope }: OperationParts) {
    const opening = Promise.withResolvers<Runner>();
    const firstStatement = Promise.withResolvers<undefined>();
    super(async (query) => {
      firstStatement.resolve(undefined);
      return (await opening.promise)(query);
    }, scope && { scope, caller });
    this.open = opening.resolve;
    const { db } = this;
    // An exception before its first `await` is a rejection, too.
    this.result = (async () => handler(request as never, db as never, new HandlerContext(caller, state) as never))();
    const response = this.result.then(
      (result) => (result instanceof QueryResponse ? result : undefined),
      () => undefined,
    );
    this.responseBeforeStatement = Promise.race([firstStatement.promise, response]);
  }

  /** A handler that still waits at its first statement ends, too, as it may hold something. */
  override end(): boolean {
    this.open(() => Promise.reject(new Error(CANNOT_COMMIT)));
    return super.end();
  }
}

/** A row that others have changed since the first statement fails a change of it (SQLSTATE 40001). */
const BEGIN_SNAPSHOT = prepare('begin isolation level repeatable read');

/** No lock timeout: a wait takes as long as a statement may. */
const FULL_WAIT = prepare(`select set_config('lock_timeout', '0', true)`);

/**
 * The transaction in which a handler runs. After a plain select, a change waits briefly for a lock: those who hold rows that it has read
 * mostly change them, so that waiting would only lead to a deadlock. forUpdate() waits as long as any statement.
 */
class HandlerTransaction extends WriteTransaction {
  readonly #handler: HandlerDb;
  #hasRead = false;
  /** Undefined where a savepoint may have changed it. */
  #wait: Statement | undefined = FULL_WAIT;

  constructor(client: pg.PoolClient, sent: Sent, key: IdempotencyKey | undefined, handler: HandlerDb) {
    super(client, sent, key ? [key] : [], BEGIN_SNAPSHOT);
    this.#handler = handler;
  }

  /** Runs a step of the handler. Rows become visible in the order of their ids: the locks for this come before its first insertion. */
  async run(step: Step): Promise<QueryResult<unknown>> {
    const { isPlain, isLocking, isControl } = step.facts;
    // A repetition must not wait for the rows of the first request.
    if (!isPlain) await this.claim();
    // After a rollback, it would be a transaction of its own.
    if (!this.#handler.isOpen) throw new Error(CANNOT_COMMIT);
    this.#hasRead ||= isPlain;
    const wait = this.#hasRead && !isLocking ? SHORT_WAIT : FULL_WAIT;
    const all = [...(isControl || wait === this.#wait ? [] : [wait]), ...this.planStep(step)];
    this.#wait = isControl ? undefined : wait;
    const { results, error } = await traced(step.statement, () => this.send(all));
    const failure = error ?? results.find((result) => result instanceof Error);
    if (failure) throw failure;
    return queryResultOf(results.at(-1) as Result);
  }

  /** @throws Error if nothing is committed */
  async commit(responses: StoredResponse[]): Promise<void> {
    if (!this.isBegun) return;
    const { results, error } = await this.send(this.planCommit(responses));
    if (error && error.code !== IN_FAILED_TRANSACTION) throw error;
    // Postgres answers COMMIT of a failed transaction with ROLLBACK.
    if ((results.at(-1) as Result | undefined)?.command !== 'COMMIT') throw new Error(CANNOT_COMMIT);
  }
}

const CANNOT_COMMIT =
  'The transaction cannot commit: a statement was not awaited, or one failed and the handler ignored it';

const IN_FAILED_TRANSACTION = '25P02';

const MAX_FAIRNESS_KEYS = 1_000;
const CONTENTION =
  'Contention: others have changed, or hold, the rows that the transaction reads. Read them with forUpdate() first';

/** Runs handlers, each in a transaction of its own, again after a failure that says so. */
export function transactionOf(handler: Run, parts: OperationParts, steps: Steps) {
  const { status } = parts.response;
  /** Attempts that have lost a row to others follow each other, among those with the same `fairnessKey`. */
  const losers = new LRUCache<string, Promise<unknown>>({ max: MAX_FAIRNESS_KEYS });

  const attemptIn = (db: RequestDb, item: Item): Promise<Outcome> =>
    db.transact<Outcome>(item.fairnessKey, async (client, sent) => {
      const { key, caller } = item;
      const handlerRun = item.handlerRun ?? new HandlerRun(handler, item, parts);
      item.handlerRun = undefined;
      const transaction = new HandlerTransaction(client, sent, key, handlerRun);
      handlerRun.open(async (query) => transaction.run(steps.stepOf(db, caller, query)));
      const respond = async (response: QueryResponse): Promise<HandlerResult> => {
        const { rows } = await transaction.run(steps.responseStepOf(db, caller, response));
        return responseOf(status, response, rows[0] as ResponseRow | undefined);
      };
      const lost = Promise.withResolvers<never>();
      client.once('error', lost.reject);
      try {
        // The handler may wait for something else meanwhile.
        const result = await Promise.race([handlerRun.result, lost.promise])
          .then((result) => (result instanceof QueryResponse ? respond(result) : result))
          .catch((error: unknown) => {
            if (error instanceof ApiError) return error;
            throw error;
          });
        // The handler may have caught it.
        if (transaction.refused) throw transaction.refused;
        // A statement that was not awaited may still wait for its turn, and would be missing from the commit.
        if (!handlerRun.end() && !(result instanceof ApiError)) throw new Error(CANNOT_COMMIT);
        const outcome = toStored(result, key);
        if (result instanceof ApiError) {
          if (!key || outcome instanceof ApiError) throw result;
          await transaction.restart();
        } else await transaction.claim();
        await transaction.commit(key ? [outcome as StoredResponse] : []);
        return outcome;
      } finally {
        client.off('error', lost.reject);
        handlerRun.end();
      }
    });

  return (db: RequestDb, item: Item): Promise<Outcome> => {
    const isTriedAgain = retriesOf(db.timeout);
    const again = async (error: unknown): Promise<Outcome> => {
      if (await isTriedAgain(error, true)) return attemptIn(db, item).catch(again);
      throw isContended(error) ? new Overdue(CONTENTION, { cause: error }) : error;
    };
    return attemptIn(db, item).catch((error) => {
      if (!isContended(error)) return again(error);
      const turn = (losers.get(item.fairnessKey) ?? Promise.resolve()).then(() => again(error));
      losers.set(item.fairnessKey, Promise.allSettled([turn]));
      return turn;
    });
  };
}
