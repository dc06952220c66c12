import { type DatabaseClock, headersOf } from '@petstore-platform/quota';
import type { FastifyRequest } from 'fastify';
import { BEARER, type Caller, type Security } from '../caller.ts';
import { type Authenticate, callerOf } from './4-authentication.ts';
import type { Hook } from './5-limits.ts';

/** Hooks for routes beside the contract, which everybody may call as often as they like without them. */
export interface Guards {
  /**
   * Makes a hook that requires credentials, and refuses others with 401 or 403.
   *
   * @param security - as that of an operation, `contract.operations.createItem.security`. Default: an API key as a bearer
   */
  authenticate(security?: Security): Hook;
  /** A hook that counts the request for its caller or, before `authenticate`, for its address, and refuses it with 429. */
  limit: Hook;
  /** The caller of a request, after `authenticate`. */
  callerOf(request: FastifyRequest): Caller;
}

export function guardsOf(
  authenticator: (security: Security) => Authenticate,
  count: Hook,
  { addressPlan, clock }: { addressPlan: string; clock: DatabaseClock },
): Guards {
  const limit: Hook = (request, reply, done) =>
    count(request, reply, (error) => {
      const { decision } = request.raw.state;
      if (decision) reply.headers(headersOf(decision, clock.now()));
      done(error);
    });
  return {
    authenticate(security = BEARER) {
      const authenticate = authenticator(security);
      return (request, reply, done) =>
        authenticate(request, (error) => {
          // A failure counts, so that keys cannot be guessed at speed.
          if (error || !request.raw.state.failure) done(error);
          else limit(request, reply, done);
        });
    },
    limit,
    callerOf: (request) => callerOf(request, addressPlan),
  };
}
