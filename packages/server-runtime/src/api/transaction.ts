import type { Transaction } from 'kysely';
import pg from 'pg';
import type { RequestContext } from '../contract.ts';
import { transactionOn } from '../database/prepared.ts';
import { STALE } from '../database/prepared-connection.ts';
import type { Handle } from '../database/statement.ts';
import { ApiError, checkHeaders } from '../errors.ts';
import { EXPIRED_TEXT, type FailureOf, type First, type Item, idempotent } from './idempotency.ts';
import type { HandlerResult } from './resources.ts';
import { refuseDistributed, type Schema } from './storage.ts';

/**
 * SQLSTATEs of a serialization failure, a deadlock, and a statement whose columns have changed. Postgres has undone everything, so the
 * transaction is tried again.
 */
const AGAIN = ['40001', '40P01', STALE];
const RETRIES = 3;

/**
 * These are plain texts, because they are sent in one write with `begin` and `commit`. A key that is in use or stored raises an error, so
 * that the handler's first select, sent in the same write, does not run.
 */
const LOCK = {
  name: 'runtime_lock_key',
  text: `select (case when pg_try_advisory_xact_lock(hashtextextended($1::bigint || ':' || $2::text, 0))
    then 'true' else 'Idempotency-Key in use' end)::boolean`,
};

const FIRST_ROW = `from idempotency_keys where (api_key_id, key) = ($1::bigint, $2::text) and not (${EXPIRED_TEXT})`;

const REFUSE_STORED = {
  name: 'runtime_refuse_stored_key',
  text: `select (case when exists (select ${FIRST_ROW}) then 'Idempotency-Key stored' else 'true' end)::boolean`,
};

/** SQLSTATE of these errors. */
const INVALID_TEXT = '22P02';

const FIRST = {
  name: 'runtime_select_key',
  text: `select status, headers::text, nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint ${FIRST_ROW}`,
};

const STORE = {
  name: 'runtime_store_key',
  text: `insert into idempotency_keys (api_key_id, key, fingerprint, status, headers, answer, created_at)
    values ($1, $2, decode($3, 'hex'), $4, $5::json, $6::json, service_now())
    on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      headers = excluded.headers, answer = excluded.answer, created_at = excluded.created_at`,
};

const UNDONE = 'A statement was not awaited, or it failed and its error was not thrown';

/** Thrown for a key whose first request is in progress, or has a response. */
class Repeated extends Error {}

type Run = (request: never, db: Transaction<never>, context: RequestContext) => Promise<HandlerResult>;

export interface TransactionOptions<Request> {
  /** The message of the 409 for a change that a constraint refuses. */
  conflict?: FailureOf<Request>;
}

/**
 * Creates the handler of an operation that reads, decides in TypeScript, and changes: all in one transaction, with its key and response.
 * A thrown `ApiError` undoes the changes; it is the stored response, except 408, 409, 429 and 5xx.
 *
 * @param decide - may run again, after a deadlock, and begins before a repetition is known as such, so that it must have no effects
 *   outside the database
 */
export function transaction(
  operation: string,
  _uses: object,
  decide: Run,
  { conflict }: TransactionOptions<never>,
  schema: Schema,
) {
  const check = refuseDistributed(operation, schema.distributed, false);
  const attempt = (db: Handle, { $apiKey, $key, $fingerprint, request, context }: Item) =>
    db.transact<First | undefined>(async (client, commits) => {
      const isKeyed = $key !== undefined;
      const key = [$apiKey, $key];
      const open = async (...before: string[]) => {
        // The look-up has its own snapshot, taken after the lock, so it sees a key that was stored meanwhile.
        const keyed = isKeyed ? [LOCK, REFUSE_STORED].map((each) => ({ ...each, values: key })) : [];
        await together(client, [...before, 'begin', ...keyed]).catch((error) => {
          throw error.code === INVALID_TEXT ? new Repeated() : error;
        });
      };
      const store = async ({ status, headers, body }: HandlerResult) => {
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        // In the table, `null` without a space is the absence of a body.
        const answer = text === 'null' ? ' null' : (text ?? null);
        const named = headers ? JSON.stringify(headers) : null;
        // A failure after the commit would be the response to the key for ever.
        checkHeaders(headers);
        commits();
        const stored = { ...STORE, values: [...key, $fingerprint, status, named, answer ?? 'null'] };
        const ended = await together(client, isKeyed ? [stored, 'commit'] : ['commit']);
        // Postgres answers COMMIT of a failed transaction with ROLLBACK.
        if (ended.at(-1)?.command !== 'COMMIT') throw new Error(UNDONE);
        return { status, headers: named, body: answer, fingerprint: ($fingerprint as string) ?? null };
      };
      // The handler's first look-up does not wait, but is sent with `begin`. A change waits.
      const begun = open();
      begun.catch(() => {});
      const decided = async () => {
        const { db: trx, end } = transactionOn<never>(client, { begun, isListed: schema.isListed, check });
        let isDone = true;
        let result: HandlerResult;
        try {
          result = await decide(request as never, trx, context as RequestContext);
        } finally {
          isDone = end();
        }
        // A statement that was not awaited may still wait for its turn, and would be missing from the commit.
        if (!isDone) throw new Error(UNDONE);
        await begun;
        return result;
      };
      const refused = async (error: unknown) => {
        await begun;
        if (!isKeyed || !isStored(error)) throw error;
        // This frees the key for a moment, in which another request may take it.
        await open('rollback');
        return { status: error.status, headers: error.headers, body: error.body() };
      };
      try {
        return await store(await decided().catch(refused));
      } catch (error) {
        if (!(error instanceof Repeated)) throw error;
        const [, first] = await together(client, ['rollback', { ...FIRST, values: key }]);
        return first?.rows[0];
      }
    });
  const run = async (db: Handle, items: Item[]) => {
    for (let retries = 0; ; retries++) {
      try {
        return [await attempt(db, items[0] as Item)];
      } catch (error) {
        if (retries === RETRIES || !(error instanceof pg.DatabaseError && AGAIN.includes(error.code ?? '')))
          throw error;
      }
    }
  };
  const row = (request: never, context: unknown) => ({ request, context });
  return idempotent(run, { row, ...(conflict && { failures: { 409: conflict } }) });
}

/**
 * Whether a failure is stored, so that a repetition gets it again. A conflict is not stored, because the client may resolve it. A time-out
 * or an overload is not a decision.
 */
const isStored = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && ![408, 409, 429].includes(error.status);

/**
 * Sends statements in one write, with any that follow in this turn, and without waiting for answers in between: sending takes half of a
 * transaction's CPU time. The client has to be in pipeline mode.
 */
async function together(client: pg.PoolClient, statements: (string | pg.QueryConfig)[]): Promise<pg.QueryResult[]> {
  const { stream } = (client as pg.PoolClient & pg.Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
  // All answers are awaited, so that no statement is on its way when the connection is used again.
  const results = await Promise.allSettled(statements.map((each) => client.query(each)));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
