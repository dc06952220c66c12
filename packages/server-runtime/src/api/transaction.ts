import type { Transaction } from 'kysely';
import pg from 'pg';
import type { RequestContext } from '../contract.ts';
import { transactionOn } from '../database/prepared.ts';
import { run as runPrepared } from '../database/run.ts';
import type { ChangeHandle } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import { EXPIRED_TEXT, type First, type Item, idempotent } from './idempotency.ts';
import { refuseDistributed, type Schema } from './storage.ts';

/** Deadlock and serialization: Postgres has undone everything, and asks for another try. */
const AGAIN = /^40(001|P01)$/;
const TRIES = 3;

const LOCK = {
  name: 'lock_key',
  text: `select pg_try_advisory_xact_lock(hashtextextended($1::bigint || ':' || $2::text, 0)) as free`,
};

const FIRST = {
  name: 'select_key',
  text: `select status, nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint
    from idempotency_keys where (api_key_id, key) = ($1::bigint, $2::text) and not (${EXPIRED_TEXT})`,
};

const STORE = {
  name: 'store_key',
  text: `insert into idempotency_keys (api_key_id, key, fingerprint, status, answer, created_at)
    values ($1, $2, decode($3, 'hex'), $4, $5::json, service_now())
    on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      answer = excluded.answer, created_at = excluded.created_at`,
};

type Run = (
  request: never,
  db: Transaction<never>,
  context: RequestContext,
) => Promise<{ status: number; body?: unknown }>;

/**
 * The handler of an operation that reads, decides in TypeScript, and changes: all in one transaction, with its key and response. A
 * thrown `ApiError` undoes the changes; it is the stored response, except 409 and 5xx.
 *
 * @param decide - may run again, after a deadlock: nothing but the database may know of it
 */
export function transaction(operation: string, _uses: object, decide: Run, { distributed }: Schema) {
  const attempt = (db: ChangeHandle, { $apiKey, $key, $fingerprint, request, context }: Item) =>
    db.transact<First | undefined>(async (client, commits) => {
      const key = [$apiKey, $key];
      if ($key === undefined) await client.query('begin');
      else {
        // The look-up has a snapshot of its own, after the lock: a key that was stored meanwhile is in it.
        const [, lock, first] = await together(client, [
          'begin',
          { ...LOCK, values: key },
          { ...FIRST, values: key },
          'savepoint request',
        ]);
        const isFree = lock?.rows[0].free;
        const stored: First | undefined = first?.rows[0];
        if (!isFree || stored) {
          await client.query('rollback');
          return isFree ? stored : undefined;
        }
      }
      const { db: trx, end } = transactionOn<never>(client, refuseDistributed(operation, distributed, false));
      const result = await decide(request as never, trx, context as RequestContext)
        .catch(async (error) => {
          if ($key === undefined || !isStored(error)) throw error;
          await client.query('rollback to savepoint request');
          return { status: error.status, body: error.body() };
        })
        .finally(end);
      const { status, body } = result;
      const answer = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
      const store = { ...STORE, values: [...key, $fingerprint, status, answer ?? 'null'] };
      commits();
      const ended = await together(client, $key === undefined ? ['commit'] : [store, 'commit']);
      // Of a transaction that has failed, as when the handler caught the error of a statement.
      if (ended.at(-1)?.command !== 'COMMIT') throw new Error('A statement failed, and its error was not thrown');
      return { status, body: answer, fingerprint: ($fingerprint as string) ?? null };
    });
  const run = async (db: ChangeHandle, items: Item[]) => {
    for (let tries = 1; ; tries++) {
      try {
        return [await attempt(db, items[0] as Item)];
      } catch (error) {
        if (tries === TRIES || !(error instanceof pg.DatabaseError && AGAIN.test(error.code ?? ''))) throw error;
      }
    }
  };
  return idempotent(run, { row: (request: never, context: unknown) => ({ request, context }) });
}

/** A repetition gets a failure again. Not a conflict, which the client may resolve, nor what is no decision. */
const isStored = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && ![408, 409, 429].includes(error.status);

/** Sends statements without waiting for the answers in between. */
async function together(client: pg.PoolClient, statements: (string | pg.QueryConfig)[]): Promise<pg.QueryResult[]> {
  const pipelined = client as pg.PoolClient & { pipeline: boolean };
  pipelined.pipeline = true;
  const sent = statements.map((each) =>
    typeof each === 'string' ? client.query(each) : runPrepared<pg.QueryResult>(client, each),
  );
  const results = await Promise.allSettled(sent);
  pipelined.pipeline = false;
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
