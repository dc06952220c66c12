import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { configure } from 'safe-stable-stringify';
import { Batcher } from '../batcher.ts';
import type { ErrorBody, RequestContext } from '../contract.ts';
import type { ChangeHandle } from '../database/statement.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';

/** The row of a request, and its key, unique for an API key. */
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
  /** In results of a statement: null for a request that is the first. */
  fingerprint: string | null;
}

/** Paths whose requests take turns, at most. Requests for a further one wait for each other in Postgres. */
const QUEUES = 1_000;

/**
 * Requests of an operation without parameters in its path that run at once, at most. One that waits for a row delays only those behind
 * it; all of them together leave most connections to others.
 */
const ABREAST = 4;

/**
 * The message of a failure, or the failure with a code of its own.
 *
 * @param constraint - which refused the change, of a 409
 */
export type FailureOf<Request> = (request: Request, constraint?: string) => string | ApiError;

export interface Lane {
  batch?: number;
  row(request: never, context: RequestContext): Record<string, unknown>;
  failures?: Record<number, FailureOf<never>>;
}

type AnyRequest = { headers: { 'idempotency-key'?: string | undefined }; path?: object };

/** @param run - changes and stores; undefined where the first request with the key is still in progress */
export function idempotent(run: (db: ChangeHandle, items: Item[]) => Promise<(First | undefined)[]>, lane: Lane) {
  const { batch, failures } = lane;
  return (db: ChangeHandle) => {
    const queue = (max: number) => new Batcher((items: Item[]) => run(db, items), { max, kind: 'change' });
    const shared = batch ? queue(batch) : undefined;
    const queues = new LRUCache<string, ReturnType<typeof queue>>({ max: QUEUES, memoMethod: () => queue(1) });
    let unkeyed = 0;
    /** The name of a queue: of a path with parameters its own. Repetitions have the same. */
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
      const same = key && `${apiKey.id} ${key}`;
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

/** Each level costs time for all levels above it. Below these, all values are the same. */
const stringify = configure({ maximumDepth: 64 });

/** Identifies a request: a repetition must have the same path, query and body, its fields in any order. */
export function fingerprintOf(request: unknown): string {
  return hash('sha256', String(stringify(request)));
}

/** SQLSTATE of a constraint that refuses a change; 001 is `on delete restrict` from Postgres 18 on. A missing value is a bug. */
const CONFLICT = /^23(001|503|505|514|P01)$/;

const CONFLICTING = 'The request conflicts with what is stored';

const IN_USE = 'A request with this Idempotency-Key is in progress';

const REUSED = 'This Idempotency-Key was already used with another request';
