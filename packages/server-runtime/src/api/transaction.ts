import {
  COMMIT,
  isControl,
  Overdue,
  prepare,
  queryResultOf,
  type Result,
  ROLLBACK,
  run,
  type Settings,
  type Statement,
  send,
  settingsOf,
} from '@petstore-platform/kysely-pipeline';
import type { CompiledQuery, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Caller } from '../caller.ts';
import type { RequestContext } from '../contract.ts';
import { type Locked, lockKey, watchInsertLocks } from '../database/insert-lock.ts';
import { HandlerTransaction } from '../database/kysely.ts';
import { factsOf } from '../database/nodes.ts';
import { type RequestDb, type Sent, traced } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import { type Changing, QUICK, type Success } from './change.ts';
import type { HandlerResult } from './handler.ts';
import { claimKeys, type First, firstOf, type Outcome, refusedIn, storeKey } from './idempotency.ts';
import { HandlerContext, QueryResponse } from './query-response.ts';
import { type Run, responseOf } from './read.ts';
import { type ResponseRow, statementsOf } from './response-sql.ts';
import { isContended, retriesOf } from './retries.ts';
import type { Schema } from './schema.ts';

export type AnyRequest = { headers: { 'idempotency-key'?: string | undefined }; path?: object };

/** A request of a write. */
export interface Item extends Changing {
  caller: Caller;
  request: AnyRequest;
  state?: RequestContext['state'];
  /** The handler that has begun. A further attempt is a new one. */
  attempt?: Attempt | undefined;
  response?: QueryResponse | undefined;
}

/** A run of a handler, which waits at its first statement until its transaction is open. */
export class Attempt {
  readonly result: QueryResponse | Promise<QueryResponse | HandlerResult>;
  /** Resolves to the answer of a handler that has run no statement; to undefined when it waits at one, or ends without an answer. */
  readonly first: Promise<QueryResponse | undefined> | QueryResponse;
  readonly transaction: HandlerTransaction;
  readonly #opening = Promise.withResolvers<Pick<OpenTransaction, 'run'>>();

  constructor(handler: Run, { request, caller, state }: Item, { scope }: Schema) {
    const firstStatement = Promise.withResolvers<undefined>();
    this.transaction = new HandlerTransaction(async (query) => {
      firstStatement.resolve(undefined);
      return (await this.#opening.promise).run(query);
    }, scope && { scope, caller });
    this.result = begin(() =>
      handler(request as never, this.transaction.db as never, new HandlerContext(caller, state) as never),
    );
    if (this.result instanceof QueryResponse) this.first = this.result;
    else {
      const response = this.result.then(
        (result) => (result instanceof QueryResponse ? result : undefined),
        () => undefined,
      );
      this.first = Promise.race([firstStatement.promise, response]);
    }
  }

  open(transaction: Pick<OpenTransaction, 'run'>): void {
    this.#opening.resolve(transaction);
  }

  /** Ends it. A handler that still waits at its first statement ends, too, as it may hold something. */
  end(): void {
    this.transaction.end();
    this.open({ run: () => Promise.reject(new Error(UNDONE)) });
  }
}

/** The result of a handler. An exception before its first `await` is a rejection, too. */
function begin(handler: () => QueryResponse | Promise<QueryResponse | HandlerResult>): Attempt['result'] {
  try {
    return handler();
  } catch (error) {
    const failed = Promise.reject(error);
    failed.catch(() => {});
    return failed;
  }
}

/** A row that others have changed since the first statement fails a change of it (SQLSTATE 40001). */
const BEGIN_SNAPSHOT = prepare('begin isolation level repeatable read');

/** Thrown for a key whose first request is in progress, or has a response. */
class Repeated extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('The key cannot be used');
    this.outcome = outcome;
  }
}

interface TransactionParts {
  client: pg.PoolClient;
  sent: Sent;
  handler: HandlerTransaction;
  item: Item;
  schema: Schema;
  service: string;
}

/** The transaction of a request. It begins with its first statement, in the same write. */
class OpenTransaction {
  readonly locked: Locked = new Map();
  repeated: Repeated | undefined;
  readonly #parts: TransactionParts;
  /** Undefined after an unscoped statement, whose role could come back by a savepoint, and after one of these. */
  #settings: Settings | undefined = {};
  #isBegun = false;
  /** Whether it waits for no lock for long. */
  #isQuick = false;

  constructor(parts: TransactionParts) {
    this.#parts = parts;
  }

  /** Runs a statement of the handler. Rows become visible in the order of their ids: the locks for this come before its first insertion. */
  async run(query: CompiledQuery, name?: string): Promise<QueryResult<unknown>> {
    const { sent, handler, item, schema, service } = this.#parts;
    const { isPlain, isEmpty, insertions, hasSql } = factsOf(query);
    if (isEmpty) throw new ApiError(400, 'The request changes nothing');
    sent.hasSql ||= hasSql;
    // A repetition must not wait for the rows of the first request.
    if (!isPlain && item.key) await this.begin();
    // After a rollback, it would be a transaction of its own.
    if (!handler.isOpen) throw new Error(UNDONE);
    const settings = isControl(query.sql) ? undefined : schema.scope?.settings(query, item.caller, service);
    const locks = schema.locksOf(insertions, settings).filter((lock) => !this.locked.has(lockKey(lock)));
    for (const lock of locks) this.locked.set(lockKey(lock), Number.POSITIVE_INFINITY);
    const statement = prepare(query.sql, query.parameters, name);
    // Those who hold rows that it has read mostly change them, so that it has to run again: waiting would only lead to a deadlock.
    const quick = isPlain && !this.#isQuick ? [QUICK] : [];
    this.#isQuick ||= isPlain;
    const all = [...quick, ...locks, ...this.#changesTo(settings, isControl(query.sql)), statement];
    const result = await traced(statement, () => this.#send(...all));
    for (const lock of locks) this.locked.set(lockKey(lock), performance.now());
    return queryResultOf(result);
  }

  #changesTo(settings: Settings | undefined, isControl: boolean): Statement[] {
    const isKnown = this.#settings !== undefined && !isControl;
    const changes = settings ? settingsOf(settings, this.#settings) : [];
    this.#settings = isKnown && !settings?.role ? (settings ?? {}) : undefined;
    return changes;
  }

  /** Begins the transaction, unless it has. @throws Repeated */
  async begin(): Promise<void> {
    if (!this.#isBegun) await this.#send();
  }

  async #send(...statements: Statement[]): Promise<Result> {
    const { client, item } = this.#parts;
    const before = this.#isBegun ? [] : [BEGIN_SNAPSHOT, ...(item.key ? claimKeys([item.key]) : [])];
    this.#isBegun = true;
    const { results, ended } = send(client, [...before, ...statements]);
    const failure = await ended;
    const claims = results.slice(1, before.length) as Result[];
    for (const [, first] of refusedIn(claims)) {
      this.repeated = new Repeated(first);
      throw this.repeated;
    }
    if (failure) throw failure.error;
    const failed = results.find((result) => result instanceof Error);
    if (failed) throw failed;
    return results.at(-1) as Result;
  }

  /** Undoes everything, and begins again, to store a failure. This frees the key for a moment, in which another request may take it. */
  async restart(): Promise<void> {
    if (this.#isBegun) await run(this.#parts.client, ROLLBACK);
    this.#isBegun = false;
    this.#settings = {};
    await this.begin();
  }

  /** @throws Error if nothing is committed */
  async commit(stored: Statement[]): Promise<void> {
    if (!this.#isBegun) return;
    this.#parts.sent.mayCommit = true;
    const reset = stored.length > 0 ? settingsOf({ ...this.#settings, role: null }, this.#settings) : [];
    const results = await run(this.#parts.client, ...reset, ...stored, COMMIT);
    // Postgres answers COMMIT of a failed transaction with ROLLBACK.
    if (results.at(-1)?.command !== 'COMMIT') throw new Error(UNDONE);
  }
}

const UNDONE = 'A statement was not awaited, or it failed and its error was not thrown';

const MAX_SHARES = 1_000;
const CONTENTION =
  'Contention: others have changed, or hold, the rows that the transaction reads. Read them with forUpdate() first';

/** Runs handlers, each in a transaction of its own, again after a failure that says so. */
export function transactionOf(operation: string, handler: Run, success: Success, schema: Schema) {
  const watch = watchInsertLocks(operation);
  const statementOf = statementsOf(operation, success.json);
  /** Attempts that have lost a row to others follow each other, among those of a share. */
  const losers = new LRUCache<string, Promise<unknown>>({ max: MAX_SHARES });

  const respondIn = async (
    response: QueryResponse,
    transaction: OpenTransaction,
    item: Item,
  ): Promise<HandlerResult> => {
    const compiled = response.query.compile();
    const query = schema.scope?.bind(compiled, item.caller) ?? compiled;
    const { name, sql } = statementOf(response, query);
    const { rows } = await transaction.run({ ...query, query: query.query, sql }, name);
    return responseOf(success.status, response, rows[0] as ResponseRow | undefined);
  };

  const attemptIn = (handle: RequestDb, item: Item): Promise<Outcome> =>
    handle.transact<Outcome>(item.share, async (client, sent) => {
      const { key } = item;
      const attempt = item.attempt ?? new Attempt(handler, item, schema);
      item.attempt = undefined;
      const parts = { client, sent, handler: attempt.transaction, item, schema, service: handle.service };
      const opened = new OpenTransaction(parts);
      attempt.open(opened);
      const lost = Promise.withResolvers<never>();
      client.once('error', lost.reject);
      try {
        // The handler may wait for something else meanwhile.
        const result = await Promise.race([attempt.result, lost.promise])
          .then((result) => (result instanceof QueryResponse ? respondIn(result, opened, item) : result))
          .catch((error: unknown) => {
            if (error instanceof ApiError) return error;
            throw error;
          });
        // The handler may have caught it.
        if (opened.repeated) throw opened.repeated;
        // A statement that was not awaited may still wait for its turn, and would be missing from the commit.
        if (!attempt.transaction.end() && !(result instanceof ApiError)) throw new Error(UNDONE);
        const outcome = firstOf(result, key);
        if (result instanceof ApiError) {
          if (!key || outcome instanceof ApiError) throw result;
          await opened.restart();
        } else if (key) await opened.begin();
        await opened.commit(key ? [storeKey(key, outcome as First)] : []);
        return outcome;
      } finally {
        client.off('error', lost.reject);
        attempt.transaction.end();
        watch(handle, opened.locked);
      }
    });

  const inTurns = async (handle: RequestDb, item: Item): Promise<Outcome> => {
    const isTriedAgain = retriesOf(handle.timeout);
    const again = async (error: unknown): Promise<Outcome> => {
      if (await isTriedAgain(error, true)) return attemptIn(handle, item).catch(again);
      throw isContended(error) ? new Overdue(CONTENTION, { cause: error }) : error;
    };
    return attemptIn(handle, item).catch((error) => {
      if (!isContended(error)) return again(error);
      const turn = (losers.get(item.share) ?? Promise.resolve()).then(() => again(error));
      losers.set(
        item.share,
        turn.catch(() => {}),
      );
      return turn;
    });
  };
  return (handle: RequestDb, item: Item): Promise<Outcome> =>
    inTurns(handle, item).catch((error) => {
      if (error instanceof Repeated) return error.outcome;
      throw error;
    });
}
