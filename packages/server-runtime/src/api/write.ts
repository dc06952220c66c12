import {
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  type CompiledQuery,
  RawNode,
  type UpdateQueryNode,
  WithNode,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { Batcher } from '../batcher.ts';
import type { ErrorBody, Operation, RequestContext } from '../contract.ts';
import { jsonOf } from '../database/json.ts';
import { NAMED, privilegesOf } from '../database/nodes.ts';
import { NeedsSnapshot } from '../database/prepared.ts';
import { STALE } from '../database/prepared-connection.ts';
import type { Handle } from '../database/statement.ts';
import { compiled } from '../database/tree.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';
import { Answer } from './answer.ts';
import { Attempt, PROBE, tryToAnswer } from './attempt.ts';
import type { Handler, HandlerResult } from './handler.ts';
import { type First, inTransaction, type Key, type Outcome, UNDONE } from './keys.ts';
import { type Run, responseOf } from './read.ts';
import { type Answered, frameOf, signatureOf } from './row.ts';
import { type Changing, insertionOf, isStep, rowOf, runChange, type Success, stepOf } from './statement.ts';
import { refuseDistributed, type Schema } from './storage.ts';

/**
 * The message of a failure, or the failure with a code of its own.
 *
 * @param constraint - the name of the constraint that refused the change
 */
export type FailureOf<Request> = (request: Request, constraint?: string) => string | ApiError;

export interface WriteOptions<Request> {
  /** The message of the 409 for a change that a constraint refuses. */
  conflict?: FailureOf<Request>;
}

type AnyRequest = { headers: { 'idempotency-key'?: string | undefined }; path?: object };

/** A request that waits for its turn. */
interface Item {
  /** The id of the API key. */
  caller: number;
  request: AnyRequest;
  key: Key | undefined;
  attempt?: Attempt | undefined;
  answer?: Answer | undefined;
  /** The query of an answer that is a statement of its own. */
  step?: { query: CompiledQuery; changing: Changing };
  /** The values of an answer that is an insertion. */
  row?: Record<string, unknown>;
}

/**
 * SQLSTATEs of a serialization failure, a deadlock, and a statement whose columns have changed. Postgres has undone everything, so the
 * transaction is tried again.
 */
const AGAIN = ['40001', '40P01', STALE];
const RETRIES = 3;
/** The most retries of a transaction whose rows others have changed: one of two that meet succeeds, so that all make progress. */
const SNAPSHOT_RETRIES = 20;

const isTriedAgain = (error: unknown, retries: number, isSnapshot: boolean): boolean => {
  if (!(error instanceof pg.DatabaseError && AGAIN.includes(error.code ?? ''))) return false;
  return retries < (isSnapshot && error.code === '40001' ? SNAPSHOT_RETRIES : RETRIES);
};

/** The most paths that have a queue of their own. Requests for further paths wait for each other in Postgres. */
const QUEUES = 1_000;

/**
 * The number of queues that a caller has for an operation without parameters in its path. A request that waits for a row delays only those
 * behind it in its queue, and all queues together leave connections to the caller's other operations.
 */
const ABREAST = 3;

/** The most insertions that share a statement. Each key takes a lock until the commit, and Postgres has room for 64 of each connection. */
const MAX = 128;

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
  { conflict }: WriteOptions<never>,
  schema: Schema & Pick<Operation, 'response'>,
) {
  const { response, distributed, isListed } = schema;
  const { status, fields } = response;
  const success: Success = { status, json: fields && jsonOf(fields, 'row') };
  const check = refuseDistributed(operation, distributed);
  const isAsync = run.constructor.name === 'AsyncFunction';

  /** The answer as a statement of an open transaction. */
  const answerIn = async (answer: Answer, { db, state }: Attempt['transaction']): Promise<HandlerResult> => {
    state.isAnswering = true;
    const query = answer.query.compile();
    const { rows } = await db
      .getExecutor()
      .executeQuery<Answered>({ ...query, sql: answerText(answer, success.json) } as never);
    return responseOf(status, answer, rows[0]);
  };

  /** Whether its transactions need a snapshot, as its handler selects rows without locking them: others must not change them meanwhile. */
  let isSnapshot = false;

  const attemptIn = (handle: Handle, items: Item[]): Promise<Outcome[]> =>
    inTransaction(
      handle,
      { caller: items[0]?.caller, keys: items.map(({ key }) => key), isSnapshot },
      async (client, begun) => {
        const results: (HandlerResult | ApiError)[] = [];
        for (const item of items) {
          const attempt = item.attempt ?? new Attempt(run, item.request, { isListed, check });
          // A further attempt is a new one.
          item.attempt = undefined;
          attempt.open({ client, begun, isSnapshot });
          const { transaction } = attempt;
          let isDone = true;
          try {
            const result = await attempt.result;
            results.push(result instanceof Answer ? await answerIn(result, transaction) : result);
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            results.push(error);
          } finally {
            isDone = transaction.end();
          }
          if (transaction.state.needsSnapshot) throw new NeedsSnapshot('The handler caught the error');
          // A statement that was not awaited may still wait for its turn, and would be missing from the commit.
          if (!isDone && !(results.at(-1) instanceof ApiError)) throw new Error(UNDONE);
        }
        return results;
      },
    );

  const inTurn = async (handle: Handle, items: Item[]): Promise<Outcome[]> => {
    const [{ step } = {} as Item] = items;
    if (step) return runChange(handle, step.changing, step.query, items);
    for (let retries = 0; ; retries++) {
      try {
        return await attemptIn(handle, items);
      } catch (error) {
        if (error instanceof NeedsSnapshot) isSnapshot = true;
        else if (!isTriedAgain(error, retries, isSnapshot)) throw error;
      }
    }
  };

  const bind = (handle: Handle): Handler => {
    const queue = () => new Batcher((items: Item[]) => inTurn(handle, items), { max: 1, kind: 'change' });
    const queues = new LRUCache<string, Batcher<Item, Outcome>>({ max: QUEUES, memoMethod: queue });
    let unkeyed = 0;
    /** A path with parameters has a queue of its own, and a repetition waits in that of the first request. */
    const queueOf = ({ caller, request: { path = {} }, key }: Item) => {
      if (Object.keys(path).length > 0) return queues.memo(JSON.stringify(path));
      const number = key?.$fingerprint === undefined ? unkeyed++ : Number.parseInt(key.$fingerprint.slice(0, 4), 16);
      return queues.memo(`${caller} ${number % ABREAST}`);
    };
    /** How the requests of a text are run: insertions together, other statements each in its turn. */
    const learn = (answer: Answer, query: CompiledQuery): Learned => {
      const insertion = insertionOf(operation, answer, query, success, schema);
      if (!insertion) return isStep(answer, query) ? { step: stepOf(operation, answer, query, success, schema) } : {};
      const run = (items: Item[]) => runChange(handle, insertion, query, items);
      return { batcher: new Batcher(run, { max: MAX, kind: 'change' }) };
    };
    const texts = new LRUCache<string, Learned>({ max: NAMED });

    const submit = async (item: Item): Promise<Outcome> => {
      const { request, key } = item;
      const same = key ? `${key.$apiKey} ${key.$key}` : item;
      let answer: Answer | HandlerResult | undefined;
      if (!isAsync) {
        const result = tryToAnswer(run, request);
        if (result instanceof Answer) answer = result;
      }
      if (!answer) {
        item.attempt = new Attempt(run, request, { isListed, check });
        item.attempt.result.catch(() => {});
        if (!(await item.attempt.hasStatement)) answer = await item.attempt.result.catch(() => undefined);
      }
      if (answer instanceof Answer) {
        item.answer = answer;
        const query = answer.query.compile() as CompiledQuery;
        const signature = signatureOf(answer, query.sql);
        const learned = texts.get(signature) ?? learn(answer, query);
        texts.set(signature, learned);
        if (learned.batcher) {
          item.row = rowOf(query.query);
          return learned.batcher.submit(item, same);
        }
        if (learned.step) item.step = { query, changing: learned.step };
      }
      return queueOf(item).submit(item, same);
    };

    return async (request: AnyRequest, { apiKey, fingerprint }: RequestContext) => {
      // The IETF draft quotes the key, most clients do not. Both forms are the same key.
      const $key = request.headers['idempotency-key']?.replace(/^"(.*)"$/, '$1');
      const key = $key ? { $apiKey: apiKey.id, $key, $fingerprint: fingerprint } : undefined;
      const item: Item = { caller: apiKey.id, request, key };
      const first = await submit(item).catch((error: pg.DatabaseError) => {
        if (!CONFLICT.test(error.code ?? '') || error.table === 'idempotency_keys') throw error;
        const failure = conflict?.(request as never, error.constraint) ?? CONFLICTING;
        throw typeof failure === 'string' ? new ApiError(409, failure) : failure;
      });
      if (first instanceof ApiError) throw first;
      if (!first) throw new ApiError(409, IN_USE, { code: 'idempotency_key_in_use', headers: { 'Retry-After': '1' } });
      if (key && first.fingerprint !== fingerprint) throw new ApiError(422, REUSED, { code: 'idempotency_key_reused' });
      return resultOf(first, item.answer);
    };
  };
  // A statement that is not run shows which tables it changes.
  const answer = isAsync ? undefined : tryToAnswer(run, PROBE);
  return Object.assign(bind, { privileges: answer ? privilegesOf(answer.query.toOperationNode()) : [] });
}

interface Learned {
  batcher?: Batcher<Item, Outcome>;
  step?: Changing;
}

/** The text of an answer in a transaction. Its own `with` may change rows, for which it has to stay at the top. */
function answerText(answer: Answer, json: string | undefined): string {
  const { sql, query } = answer.query.compile() as CompiledQuery;
  const frame = frameOf(answer, json);
  if (query.kind === 'SelectQueryNode') return `select ${frame} from (${sql}) as row`;
  const { with: given, ...rest } = query as UpdateQueryNode;
  if (!given) return `with row as (${sql}) select ${frame} from row`;
  const own = CommonTableExpressionNode.create(CommonTableExpressionNameNode.create('row'), rest);
  return compiled(RawNode.create(['', ` select ${frame} from row`], [WithNode.cloneWithExpression(given, own)]));
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
const CONFLICTING = 'The request conflicts with what is stored';
const IN_USE = 'A request with this Idempotency-Key is in progress';
const REUSED = 'This Idempotency-Key was already used with another request';
