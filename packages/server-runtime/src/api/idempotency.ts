import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { configure } from 'safe-stable-stringify';
import { Batcher } from '../batcher.ts';
import type { ErrorBody, RequestContext } from '../contract.ts';
import type { Handle } from '../database/statement.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';
import { LEVELS } from '../http/field-errors.ts';

/** The row of a request with its key, which is unique for an API key. */
export interface Item extends Record<string, unknown> {
  $apiKey?: number;
  $key?: string;
  $fingerprint?: string | undefined;
}

/** The response to the first request with a key, and that request's fingerprint. */
export interface First {
  status: number;
  /** A JSON object. */
  headers: string | null;
  body: string | null;
  /** Null in the result of a statement for the first request with the key. */
  fingerprint: string | null;
}

/** The most paths that have a queue of their own. Requests for further paths wait for each other in Postgres. */
const QUEUES = 1_000;

/**
 * The number of queues for an operation without parameters in its path. A request that waits for a row delays only those behind it in its
 * queue, and all queues together leave most connections to other operations.
 */
const ABREAST = 4;

/**
 * The message of a failure, or the failure with a code of its own.
 *
 * @param constraint - the name of the constraint that refused the change, if the status is 409
 */
export type FailureOf<Request> = (request: Request, constraint?: string) => string | ApiError;

export interface Lane {
  batch?: number;
  row(request: never, context: RequestContext): Record<string, unknown>;
  failures?: Record<number, FailureOf<never>>;
}

type AnyRequest = { headers: { 'idempotency-key'?: string | undefined }; path?: object };

/**
 * Creates a handler that runs each request once for its key.
 *
 * @param run - changes the database and stores the response; a result is undefined while the first request with the key is in progress
 */
export function idempotent(run: (db: Handle, items: Item[]) => Promise<(First | undefined)[]>, lane: Lane) {
  const { batch, failures } = lane;
  return (db: Handle) => {
    const queue = (max: number) => new Batcher((items: Item[]) => run(db, items), { max, kind: 'change' });
    const shared = batch ? queue(batch) : undefined;
    const queues = new LRUCache<string, ReturnType<typeof queue>>({ max: QUEUES, memoMethod: () => queue(1) });
    let unkeyed = 0;
    /** The name of a queue. A path with parameters has one of its own, and a repetition waits in that of the first request. */
    const turnOf = (path: object, fingerprint: string | undefined) => {
      if (Object.keys(path).length > 0) return JSON.stringify(path);
      const number = fingerprint === undefined ? unkeyed++ : Number.parseInt(fingerprint.slice(0, 4), 16);
      return `${number % ABREAST}`;
    };
    return async (request: AnyRequest, context: RequestContext) => {
      const { apiKey, fingerprint } = context;
      const { headers, path = {} } = request;
      // The IETF draft quotes the key, most clients do not. Both forms are the same key.
      const key = headers['idempotency-key']?.replace(/^"(.*)"$/, '$1');
      const same = key ? `${apiKey.id} ${key}` : undefined;
      const row: Item = lane.row(request as never, context);
      const item = key ? { ...row, $apiKey: apiKey.id, $key: key, $fingerprint: fingerprint } : row;
      const failureOf = (status: number, other: string, constraint?: string) => {
        const failure = failures?.[status]?.(request as never, constraint) ?? other;
        return typeof failure === 'string' ? new ApiError(status, failure) : failure;
      };
      const queued = shared ?? queues.memo(turnOf(path, key ? fingerprint : undefined));
      const first = await queued.submit(item, same).catch((error) => {
        const { code = '', table, constraint }: pg.DatabaseError = error;
        if (!CONFLICT.test(code) || table === 'idempotency_keys') throw error;
        throw failureOf(409, CONFLICTING, constraint);
      });
      if (!first) throw new ApiError(409, IN_USE, { code: 'idempotency_key_in_use', headers: { 'Retry-After': '1' } });
      if (key && first.fingerprint !== fingerprint) throw new ApiError(422, REUSED, { code: 'idempotency_key_reused' });
      const { status, body } = first;
      const own = first.headers ? { headers: JSON.parse(first.headers) } : {};
      if (status < 400) return body === null ? { status, ...own } : { status, ...own, body };
      if (body === null) throw failureOf(status, NOT_FOUND);
      const { message, ...stored }: ErrorBody = JSON.parse(body);
      throw new ApiError(status, message, { ...stored, ...own });
    };
  };
}

/** Idempotency keys are kept for 24 hours. */
export const EXPIRED_TEXT = `created_at <= service_now() - interval '24 hours'`;
export const EXPIRED = sql.raw<boolean>(EXPIRED_TEXT);

/** Deeper values are refused. The list of the parts of a request is a level, too. */
const stringify = configure({ maximumDepth: LEVELS + 2 });

/** Identifies a request: a repetition must have the same path, query and body, its fields in any order. */
export function fingerprintOf(request: unknown): string {
  return hash('sha256', String(stringify(request)));
}

/**
 * SQLSTATEs of a constraint that refuses a change; 23001 is `on delete restrict` from Postgres 18 on. A missing value (23502) is a bug
 * instead.
 */
const CONFLICT = /^23(001|503|505|514|P01)$/;

const CONFLICTING = 'The request conflicts with what is stored';

const IN_USE = 'A request with this Idempotency-Key is in progress';

const REUSED = 'This Idempotency-Key was already used with another request';
