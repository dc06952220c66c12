/** The transaction of one or several writes: it claims keys, locks and sets what its statements need, and stores the responses. */
import {
  BEGIN,
  COMMIT,
  type Failure,
  prepare,
  type Result,
  ROLLBACK,
  type Settings,
  type Statement,
  send,
  settingsOf,
} from '@petstore-platform/kysely-pipeline';
import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { Caller } from '../caller.ts';
import { lockKey } from '../database/insert-lock.ts';
import { jsonOf } from '../database/json.ts';
import { type Facts, factsOf } from '../database/nodes.ts';
import type { RequestDb, Sent } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import { claimKeys, type IdempotencyKey, refusedIn, type StoredResponse, storeKeys } from './idempotency.ts';
import type { OperationParts } from './operation-parts.ts';
import type { QueryResponse } from './query-response.ts';
import { statementsOf } from './response-sql.ts';

/** A statement, with what it needs. */
export interface Step {
  statement: Statement;
  facts: Facts;
  settings: Settings | undefined;
  /** Those of the tables into which it inserts. */
  locks: readonly Statement[];
}

/** Makes the steps of an operation: of the statements of its handlers, and of their responses. */
export function stepsOf(operation: string, { scope, locksOf, response }: OperationParts) {
  const { fields } = response;
  const statementOf = statementsOf(operation, fields && jsonOf(fields, 'row'));
  type Text = { sql: string; name?: string };
  const stepOf = ({ service }: RequestDb, caller: Caller, query: CompiledQuery, { sql, name }: Text = query): Step => {
    const facts = factsOf(query);
    if (facts.isEmpty) throw new ApiError(400, 'The request changes nothing');
    // Settings would fail before the end of a transaction, or the return to a savepoint, after a failure.
    const settings = facts.isControl ? undefined : scope?.settings(query, caller, service);
    const locks = locksOf(facts.insertions, settings);
    return { statement: prepare(sql, query.parameters, name), facts, settings, locks };
  };
  const responseStepOf = (db: RequestDb, caller: Caller, response: QueryResponse): Step => {
    const compiled = response.query.compile();
    const query = scope?.bind(compiled, caller) ?? compiled;
    return stepOf(db, caller, query, statementOf(response, query));
  };
  return { stepOf, responseStepOf };
}

export type Steps = ReturnType<typeof stepsOf>;

/** Thrown for keys that cannot be used: each has its first response, or undefined while the first request with it is in progress. */
export class Refused extends Error {
  readonly responses: ReadonlyMap<IdempotencyKey | undefined, StoredResponse | undefined>;

  constructor(responses: Refused['responses']) {
    super('The key cannot be used');
    this.responses = responses;
  }
}

/** It begins with its first statement, in the same write. Its `plan…` methods return statements, and note what these will change. */
export class WriteTransaction {
  refused: Refused | undefined;
  readonly #client: pg.PoolClient;
  readonly #sent: Sent;
  readonly #keys: readonly IdempotencyKey[];
  #begin: Statement[];
  isBegun = false;
  /** The failure of its beginning. Each further statement would be a transaction of its own. */
  #failure: Error | undefined;
  /** The locks that it holds, by {@link lockKey}. */
  readonly #held = new Set<string>();
  /** Undefined after SQL that may have changed them, and after an unscoped statement, whose role a savepoint could bring back. */
  #settings: Settings | undefined = {};

  constructor(client: pg.PoolClient, sent: Sent, keys: readonly IdempotencyKey[], begin = BEGIN) {
    this.#client = client;
    this.#sent = sent;
    this.#keys = keys;
    this.#begin = [begin];
  }

  /** Begins with the keys, if it has some. A statement behind it does not wait for rows that the first request with a key has locked. */
  async claim(): Promise<void> {
    if (this.#keys.length === 0 || this.isBegun) return;
    const { error } = await this.send([]);
    if (error) throw error;
  }

  /** The locks of them that it lacks, in the order of their tables and owners: others would wait for each other. */
  planLocks(locks: readonly Statement[]): Statement[] {
    const lacking = new Map(locks.map((lock) => [lockKey(lock), lock]));
    for (const key of this.#held) lacking.delete(key);
    return [...lacking.keys()].sort().map((key) => {
      this.#held.add(key);
      return lacking.get(key) as Statement;
    });
  }

  /** The statement of a step, behind the locks and the settings that it lacks. */
  planStep({ statement, facts: { hasSql, isControl }, settings, locks }: Step): Statement[] {
    this.#sent.hasSql ||= hasSql;
    // The return to a savepoint frees those that were taken after it.
    if (isControl) this.#held.clear();
    const changes = settings ? settingsOf(settings, this.#settings) : [];
    this.#settings = hasSql || settings?.role ? undefined : (settings ?? this.#settings);
    return [...this.planLocks(locks), ...changes, statement];
  }

  /** The commit, with the responses to the keys. */
  planCommit(responses: readonly StoredResponse[]): Statement[] {
    this.#sent.mayCommit = true;
    const stored = storeKeys(responses.map((each, index) => ({ ...(this.#keys[index] as IdempotencyKey), ...each })));
    const reset = stored.length > 0 ? settingsOf({ ...this.#settings, role: null }, this.#settings) : [];
    return [...reset, ...stored, COMMIT];
  }

  /**
   * Sends statements in one write.
   *
   * @param next - makes further ones of their results
   * @throws Refused
   */
  async send(statements: Statement[], next?: (results: (Result | Error)[]) => Statement[]) {
    if (this.#failure) throw this.#failure;
    const claims = this.isBegun || this.#keys.length === 0 ? [] : claimKeys(this.#keys);
    const before = this.isBegun ? [] : [...this.#begin, ...claims];
    this.isBegun = true;
    const refused = () =>
      refusedIn(this.#keys, results.slice(before.length - claims.length, before.length) as Result[]);
    const further = next && (() => (refused().size > 0 ? [] : next(results.slice(before.length))));
    const { results, ended } = send(this.#client, [...before, ...statements], further);
    const failure: Failure | undefined = await ended;
    // The change of a repetition may have failed, as by a name that the first has taken.
    if (claims.length > 0 && refused().size > 0) {
      this.refused = new Refused(refused());
      throw this.refused;
    }
    if (failure && failure.at < before.length) this.#failure = failure.error;
    const failed = failure && statements[failure.at - before.length];
    return { results: results.slice(before.length), error: failure?.error, failed };
  }

  /** Undoes everything, and claims the keys again. They are free for a moment, in which another request may take them. */
  async restart(): Promise<void> {
    if (this.isBegun) this.#begin = [ROLLBACK, ...this.#begin];
    this.isBegun = false;
    this.#failure = undefined;
    this.#held.clear();
    this.#settings = {};
    await this.claim();
  }
}
