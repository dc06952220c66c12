import type { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { Batcher } from '../batcher.ts';
import { numberOf } from '../caller.ts';
import type { ErrorBody, Operation, RequestContext } from '../contract.ts';
import { jsonOf } from '../database/json.ts';
import { buildOnly } from '../database/kysely.ts';
import { NAMED, privilegesOf } from '../database/nodes.ts';
import type { Handle } from '../database/statement.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';
import { Answer } from './answer.ts';
import { Attempt, PROBE, PROBE_CALLER, tryToAnswer } from './attempt.ts';
import { type Changing, insertionOf, isStep, runChange, type Success, stepOf } from './change.ts';
import type { Handler, HandlerResult } from './handler.ts';
import { type First, fingerprintOf, type Outcome } from './idempotency.ts';
import type { Run } from './read.ts';
import { signatureOf } from './row.ts';
import type { Schema } from './storage.ts';
import { type AnyRequest, type Item, transactionOf } from './transaction.ts';

/**
 * The message of a failure, or the failure with a code of its own.
 *
 * @param constraint - the name of the constraint that refused the change
 */
type FailureOf<Request> = (request: Request, constraint?: string) => string | ApiError;

export interface WriteOptions<Request> {
  /** The message of the 409 for a change that a constraint refuses. */
  conflict?: FailureOf<Request>;
  /**
   * Whether requests that wait run one after the other in one transaction, and share its commit. For handlers that are quick, and lock no
   * rows for which others wait. If one fails after a change, or all take too long, each runs alone. Default: false.
   */
  grouped?: boolean;
}

/** The most paths that have a queue of their own. Requests for further paths wait for each other in Postgres. */
const QUEUES = 1_000;

/**
 * The number of queues that a caller has for an operation without parameters in its path. A request that waits for a row delays only those
 * behind it in its queue, and all queues together leave connections to the caller's other operations.
 */
const CONCURRENCY = 3;

/** The queue of requests that share a transaction. A statement of its own never does. */
const GROUP = '';

/** The most changes that share a statement. Each key takes a lock until the commit, and Postgres has room for 64 of each connection. */
const MAX = 128;

/** The most requests that share a transaction. More save little, and would take too long on a busy machine. */
const GROUPED = 32;

/**
 * The handler of a change: once for each key. A thrown `ApiError` undoes the changes; it is the stored response, except 408, 409, 429 and
 * 5xx.
 *
 * @param run - may run again, after a deadlock, and begins before a repetition is known as such, so that it must have no effects outside
 *   the database
 */
export function write(
  operation: string,
  run: Run,
  { conflict, grouped = false }: WriteOptions<never>,
  schema: Schema & Pick<Operation, 'response'>,
) {
  const { response, isListed, scope } = schema;
  const { status, fields } = response;
  const success: Success = { status, json: fields && jsonOf(fields, 'row') };
  let isAsync = run.constructor.name === 'AsyncFunction';

  const building = buildOnly(scope);
  const runInTransaction = transactionOf(operation, run, success, { isListed, scope });
  const inTurn = (handle: Handle, items: Item[]) => {
    const [{ step } = {} as Item] = items;
    return step ? runChange(handle, step.changing, step.query, items) : runInTransaction(handle, items);
  };

  let failure: unknown;
  const bind = (handle: Handle): Handler => {
    if (failure !== undefined) handle.warn({ err: failure, operation }, UNPROBED);
    const queue = (name: string) =>
      new Batcher((items: Item[]) => inTurn(handle, items), { max: name === GROUP ? GROUPED : 1, kind: 'change' });
    const queues = new LRUCache<string, Batcher<Item, Outcome>>({ max: QUEUES, memoMethod: queue });
    let unkeyed = 0;
    /**
     * A path with parameters has a queue of its own, and a repetition waits in that of the first request. The same path names another row
     * of another owner, who does not wait.
     */
    const queueOf = ({ caller, request: { path = {} }, key, step }: Item) => {
      if (grouped && !step) return queues.memo(GROUP);
      if (Object.keys(path).length > 0) return queues.memo(JSON.stringify([scope && caller.owner, path]));
      const number = key?.$fingerprint === undefined ? unkeyed++ : Number.parseInt(key.$fingerprint.slice(0, 4), 16);
      return queues.memo(`${caller.id} ${number % CONCURRENCY}`);
    };
    /** How the requests of a text are run: insertions together, other statements each in its turn. */
    const prepare = (answer: Answer, query: CompiledQuery): Prepared => {
      const insertion = insertionOf(answer, query, success, schema);
      if (!insertion) return isStep(answer, query) ? { step: stepOf(answer, query, success) } : {};
      const run = (items: Item[]) => runChange(handle, insertion, query, items);
      return { rowOf: insertion.rowOf, batcher: new Batcher(run, { max: MAX, concurrency: 1, kind: 'change' }) };
    };
    const texts = new LRUCache<string, Prepared>({ max: NAMED });

    const submit = (item: Item, answer?: Answer | HandlerResult): Promise<Outcome> => {
      const { key } = item;
      const same = key ? `${key.$apiKey} ${key.$key}` : item;
      if (answer instanceof Answer) {
        item.answer = answer;
        const written = answer.query.compile();
        const query = scope?.bind(written, item.caller) ?? written;
        const signature = signatureOf(answer, query.sql);
        const prepared = texts.get(signature) ?? prepare(answer, query);
        texts.set(signature, prepared);
        if (prepared.batcher) {
          item.row = Object.assign(prepared.rowOf?.(query.parameters) ?? {}, key);
          return prepared.batcher.submit(item, same);
        }
        if (prepared.step) item.step = { query, changing: prepared.step };
      }
      return queueOf(item).submit(item, same);
    };
    /** Begins the handler, which may answer without a statement. */
    const begin = async (item: Item): Promise<Outcome> => {
      item.attempt = new Attempt(run, item.request, item.caller, { isListed, scope }, item.state);
      const { result, hasStatement } = item.attempt;
      result.catch(() => {});
      return submit(item, (await hasStatement) ? undefined : await result.catch(() => undefined));
    };

    return async (request: AnyRequest, { caller, fingerprint: plain, state }: RequestContext) => {
      // A key that changes its owner repeats nothing of the former one.
      const fingerprint = scope && plain ? fingerprintOf([plain, caller.owner]) : plain;
      // The IETF draft quotes the key, most clients do not. Both forms are the same key.
      const $key = request.headers['idempotency-key']?.replace(/^"(.*)"$/, '$1');
      const key = $key ? { $apiKey: numberOf(caller), $key, $fingerprint: fingerprint } : undefined;
      const share = (scope && caller.owner) || caller.id;
      const item: Item = { caller, share, request, key, state };
      let first: Outcome;
      try {
        const answer = isAsync ? undefined : tryToAnswer(run, building, request, caller, state);
        first = await (answer ? submit(item, answer) : begin(item));
      } catch (error) {
        const { code = '', table, constraint } = error as pg.DatabaseError;
        if (!CONFLICT.test(code) || table === 'idempotency_keys') throw error;
        const failure = conflict?.(request as never, constraint) ?? CONFLICTING;
        throw typeof failure === 'string' ? new ApiError(409, failure) : failure;
      }
      if (first instanceof ApiError) throw first;
      if (!first) throw new ApiError(409, IN_USE, { code: 'idempotency_key_in_use', headers: { 'Retry-After': '1' } });
      if (key && first.fingerprint !== fingerprint) throw new ApiError(422, REUSED, { code: 'idempotency_key_reused' });
      return resultOf(first, item.answer);
    };
  };
  // A statement that is not run shows which tables it changes.
  const answer = isAsync
    ? undefined
    : tryToAnswer(run, building, PROBE, PROBE_CALLER, undefined, {
        failed: (error) => {
          failure = error;
        },
        // Such as one that a wrapper for tracing returns for an `async` handler: it must not run twice for a request.
        promised: () => {
          isAsync = true;
        },
      });
  return Object.assign(bind, { privileges: answer ? privilegesOf(answer.query.toOperationNode()) : [] });
}

interface Prepared {
  batcher?: Batcher<Item, Outcome>;
  rowOf?: Changing['rowOf'];
  step?: Changing;
}

function resultOf({ status, headers, body }: First, answer: Answer | undefined): HandlerResult {
  const own = headers ? { headers: JSON.parse(headers) } : {};
  if (status < 400) return body === null ? { status, ...own } : { status, ...own, body };
  if (body === null) throw new ApiError(status, answer?.row.missing ?? NOT_FOUND);
  const { message, ...stored }: ErrorBody = JSON.parse(body);
  throw new ApiError(status, message, { ...stored, ...own });
}

/**
 * SQLSTATEs of a constraint that refuses a change; 23001 is `on delete restrict` from Postgres 18 on. A missing value (23502) is a bug
 * instead.
 */
const CONFLICT = /^23(001|503|505|514|P01)$/;
const UNPROBED = 'the handler fails for a request of texts, so /readyz does not check the privileges of its changes';
const CONFLICTING = 'The request conflicts with what is stored';
const IN_USE = 'A request with this Idempotency-Key is in progress';
const REUSED = 'This Idempotency-Key was already used with another request';
