import type { Kysely } from 'kysely';
import type { Caller } from '../caller.ts';
import type { RequestContext } from '../contract.ts';
import { type Open, type Opening, transactionOn } from '../database/kysely.ts';
import type { Scope } from '../database/tenants.ts';
import { Answer, HandlerContext } from './answer.ts';
import type { HandlerResult } from './handler.ts';
import type { Run } from './read.ts';

export type AttemptSchema = Omit<Opening, 'open' | 'own'> & { scope: Scope | undefined };

/** Runs a handler, which waits at its first statement until the transaction is open. */
export class Attempt {
  readonly result: Promise<Answer | HandlerResult>;
  /** Resolves to whether the handler has a statement, or is done without one. */
  readonly hasStatement: Promise<boolean>;
  readonly transaction: ReturnType<typeof transactionOn<never>>;
  readonly open: (open: Open) => void;

  constructor(
    run: Run,
    request: unknown,
    caller: Caller,
    { scope, ...opened }: AttemptSchema,
    state?: RequestContext['state'],
  ) {
    const opening = Promise.withResolvers<Open>();
    const asked = Promise.withResolvers<boolean>();
    this.open = opening.resolve;
    const open = () => {
      asked.resolve(true);
      return opening.promise;
    };
    const transaction = transactionOn<never>({ ...opened, open, own: scope && { scope, caller } });
    this.transaction = transaction;
    this.result = (async () =>
      run(request as never, transaction.db as never, new HandlerContext(caller, state) as never))();
    const done = () => asked.resolve(false);
    this.result.then(done, done);
    this.hasStatement = asked.promise;
  }
}

/**
 * The answer of a handler that answers at once, without a statement before.
 *
 * @param db - builds its query, and runs nothing
 * @param told - called with an exception, or if it returns a promise. By default, it runs in a transaction instead, where its failure is
 *   stored with the key
 */
export function tryToAnswer(
  run: Run,
  db: Kysely<never>,
  request: unknown,
  caller: Caller,
  state?: RequestContext['state'],
  told: { failed?(error: unknown): void; promised?(): void } = {},
): Answer | undefined {
  try {
    const result = run(request as never, db as never, new HandlerContext(caller, state) as never);
    if (result instanceof Answer) return result;
    told.promised?.();
    result.catch(() => {});
  } catch (error) {
    told.failed?.(error);
  }
  return undefined;
}

/** A request whose fields are all texts. */
const ANY: Record<string, unknown> = new Proxy({}, { get: (_, name) => (typeof name === 'string' ? '0' : undefined) });
export const PROBE = { path: ANY, query: ANY, headers: ANY, body: ANY };
export const PROBE_CALLER = { kind: 'token', id: '0', owner: '0', scopes: [], plan: '0', claims: ANY } as const;
