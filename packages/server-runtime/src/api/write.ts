/**
 * A change runs in one of three ways, which `submit` chooses.
 * (a) The handler returns one INSERT and ran nothing before: it is batched with those of other requests (`runInsertions`).
 * (b) It returns one other change: this is a transaction of one statement (`runChange`).
 * (c) Anything else: the handler runs in a transaction (`runInTransaction`).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { type Batcher, batcher } from '../batcher.ts';
import type { ErrorBody, RequestContext } from '../contract.ts';
import { type RequestDb, traced } from '../database/statement.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';
import { handled, runChange, runInsertions } from './change.ts';
import type { Handler, HandlerResult } from './handler.ts';
import { numberOf, type Outcome, type StoredResponse } from './idempotency.ts';
import type { OperationParts } from './operation-parts.ts';
import type { QueryResponse } from './query-response.ts';
import type { Run } from './read.ts';
import { type AnyRequest, HandlerRun, type Item, transactionOf } from './transaction.ts';
import { Refused, stepsOf } from './write-transaction.ts';

/**
 * The message of a failure, or the failure with a code of its own.
 *
 * @param constraint - the name of the constraint that refused the change
 */
type FailureOf<Request> = (request: Request, constraint?: string) => string | ApiError;

export interface WriteOptions<Request> {
  /** The message of the 409 for a change that a constraint refuses. */
  conflict?: FailureOf<Request>;
}

/** The most paths that have a queue of their own. Requests for further paths wait for each other in Postgres. */
const MAX_QUEUES = 1_000;

/**
 * The number of queues that a caller has for an operation without parameters in its path. A request that waits for a row delays only those
 * behind it in its queue, and all queues together leave connections to the caller's other operations.
 */
const QUEUES_PER_CALLER = 3;

/** The most insertions that share a transaction. Each key takes a lock until the commit, and Postgres has room for 64 a connection. */
const MAX_INSERTIONS = 128;

/** Milliseconds after which an insertion no longer holds up others. */
const MAX_INSERTION_WAIT = 100;

/** Milliseconds for which the insertions of a caller run alone after one that has failed among others. */
const SUSPECTED = 1_000;

/**
 * The handler of a change: once for each key. A thrown `ApiError` undoes the changes and is stored, except 408, 409, 429 and 5xx.
 *
 * @param run - may run again, after a deadlock, and begins before a repetition is known as such, so that it must have no effects outside
 *   the database
 */
export function write(operation: string, run: Run, { conflict }: WriteOptions<never>, parts: OperationParts) {
  const { scope } = parts;
  const { status } = parts.response;
  const steps = stepsOf(operation, parts);
  const runInTransaction = transactionOf(run, parts, steps);

  return (db: RequestDb): Handler => {
    const inTurn = async ([item]: Item[]) => {
      const one = item as Item;
      try {
        return [await (one.change ? runChange(db, status, one) : runInTransaction(db, one))];
      } catch (error) {
        if (error instanceof Refused) return [error.responses.get(one.key)];
        throw error;
      }
    };
    const queue = () => batcher(inTurn, { max: 1, kind: 'change' });
    const queues = new LRUCache<string, Batcher<Item, Outcome>>({ max: MAX_QUEUES, memoMethod: queue });
    let unkeyed = 0;
    /**
     * A path with parameters has a queue of its own, and a repetition waits in that of the first request. The same path names another row
     * of another owner, who does not wait.
     */
    const queueOf = ({ caller, request: { path = {} }, key }: Item) => {
      if (Object.keys(path).length > 0) return queues.memo(JSON.stringify([scope && caller.owner, path]));
      const number = key?.fingerprint === undefined ? unkeyed++ : Number.parseInt(key.fingerprint.slice(0, 4), 16);
      return queues.memo(`${caller.id} ${number % QUEUES_PER_CALLER}`);
    };
    /** Callers whose insertion just failed in a batch; for a second, theirs run alone. */
    const suspects = new LRUCache<string, true>({ max: MAX_QUEUES, ttl: SUSPECTED });
    const insert = async (items: Item[]) => {
      const outcomes = runInsertions(db, status, items, (item) => {
        suspects.set(item.fairnessKey, true);
        return queueOf(item).submit(item);
      });
      // Insertions behind these do not wait for them if they take long.
      const isDone = Promise.allSettled([outcomes]).then(() => true);
      if (await Promise.race([isDone, delay(MAX_INSERTION_WAIT, false, { ref: false })])) return outcomes;
      return items.map((_, index) => handled(outcomes.then((all) => all[index])));
    };
    const insertions = batcher<Item, Outcome>(insert, { max: MAX_INSERTIONS, kind: 'change' });

    /**
     * The insertions with keys that have no outcome yet. Four guards catch a repeated key before it changes anything:
     * - While the first request is in a batch of insertions, this map has its outcome.
     * - While it waits in a queue, a repetition in the same queue shares its place, by the batcher's key `id`.
     * - While it runs in a queue, a repetition waits behind it, by the path or the fingerprint, and finds the stored response.
     * - While it runs elsewhere, on another server or as another request, the lock of the key in Postgres refuses the repetition (409).
     */
    const running = new Map<string, Promise<Outcome>>();
    const submit = (item: Item, response: QueryResponse | undefined): Promise<Outcome> => {
      const id = item.key && JSON.stringify([item.key.owner, item.key.callerNumber, item.key.value]);
      const same = running.get(id ?? '');
      if (same !== undefined) return same;
      if (response) {
        item.response = response;
        const step = steps.responseStepOf(db, item.caller, response);
        if (response.kind === 'row' && step.facts.isChange) item.change = step;
      }
      const { change } = item;
      if (!change) return queueOf(item).submit(item, id);
      if (!change.facts.isInsertion || suspects.has(item.fairnessKey))
        return traced(change.statement, () => queueOf(item).submit(item, id));
      const outcome = traced(change.statement, () => insertions.submit(item));
      if (id !== undefined) {
        running.set(id, outcome);
        void Promise.allSettled([outcome]).then(() => running.delete(id));
      }
      return outcome;
    };

    return async (request: AnyRequest, { caller, fingerprint, state }: RequestContext) => {
      // The IETF draft quotes the key, most clients do not. Both forms are the same key.
      const value = request.headers['idempotency-key']?.replace(/^"(.*)"$/, '$1');
      // A key that changes its owner repeats nothing of the former one.
      const owner = (scope && caller.owner) || '';
      const key = value ? { owner, callerNumber: numberOf(caller), value, fingerprint } : undefined;
      const item: Item = { caller, fairnessKey: owner || caller.id, request, key, state };
      let outcome: Outcome;
      try {
        item.handlerRun = new HandlerRun(run, item, parts);
        outcome = await submit(item, await item.handlerRun.responseBeforeStatement);
      } catch (error) {
        const { code = '', table, constraint }: Partial<pg.DatabaseError> = Object(error);
        // Only a row without a partition violates a table, and no constraint of it.
        const isConflict = CONFLICT.test(code) && table !== 'idempotency_keys' && (constraint || !table);
        if (!isConflict) throw error;
        const failure = conflict?.(request as never, constraint) ?? CONFLICTING;
        throw typeof failure === 'string' ? new ApiError(409, failure) : failure;
      } finally {
        item.handlerRun?.end();
      }
      if (outcome instanceof ApiError) throw outcome;
      if (!outcome)
        throw new ApiError(409, IN_USE, { code: 'idempotency_key_in_use', headers: { 'Retry-After': '1' } });
      if (key && outcome.fingerprint !== fingerprint)
        throw new ApiError(422, REUSED, { code: 'idempotency_key_reused' });
      return resultOf(outcome, item.response);
    };
  };
}

function resultOf({ status, headers, body }: StoredResponse, response: QueryResponse | undefined): HandlerResult {
  const sent = headers ? { headers: JSON.parse(headers) } : {};
  if (status < 400) return body === null ? { status, ...sent } : { status, ...sent, body };
  if (body === null) throw new ApiError(status, response?.row.missing ?? NOT_FOUND);
  const { message, ...stored }: ErrorBody = JSON.parse(body);
  throw new ApiError(status, message, { ...stored, ...sent });
}

/**
 * SQLSTATEs of a constraint that refuses a change; 23001 is `on delete restrict` from Postgres 18 on. A missing value (23502) is a bug
 * instead.
 */
const CONFLICT = /^23(001|503|505|514|P01)$/;
const CONFLICTING = 'The request conflicts with what is stored';
const IN_USE = 'A request with this Idempotency-Key is in progress';
const REUSED = 'This Idempotency-Key was already used with another request';
