import rateLimit from '@fastify/rate-limit';
import {
  type DatabaseClock,
  type Decision,
  headersOf,
  type Limiter,
  MINUTE,
  refusalOf,
} from '@petstore-platform/quota';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { SAFE } from '../contract.ts';
import { ApiError } from '../errors.ts';
import { clientAddress } from '../proxies.ts';
import type {} from './1-arrival.ts';

/** The window of an address that has sent nothing. @param max - requests per minute */
export const fullWindow = (clock: DatabaseClock, max: number): Decision => ({
  outcome: 'admitted',
  minute: { limit: max, remaining: max, reset: clock.now() + MINUTE },
});

/**
 * Counts requests for their address, in the memory of this server, in minutes that begin with the first request. An address that goes on
 * after a refusal is refused until it pauses for a minute.
 */
function countAddresses(app: FastifyInstance, clock: DatabaseClock, max: number) {
  // An address gains nothing by being evicted: so many addresses may together send more requests than a server can answer.
  const addresses = { cache: 50_000, keyGenerator: clientAddress, continueExceeding: true };
  const count = app.createRateLimit({ max, timeWindow: MINUTE, ...addresses });
  return async (request: FastifyRequest): Promise<Decision> => {
    const counted = await count(request);
    if (counted.isAllowed) return fullWindow(clock, max);
    const { remaining, ttl, isExceeded } = counted;
    const reset = clock.now() + Math.min(ttl, MINUTE);
    return { outcome: isExceeded ? 'limited' : 'admitted', minute: { limit: max, remaining, reset } };
  };
}

/**
 * Whether a request is a preflight that is refused, as its method is unsupported (405) without CORS. Browsers send it without the key before
 * each call.
 */
const isRefusedPreflight = ({ method, headers, raw }: FastifyRequest) =>
  method === 'OPTIONS' && 'access-control-request-method' in headers && raw.state.failure?.status === 405;

/** A hook of Fastify, for all routes or for one. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * Makes a hook that counts each request for its caller or, without an identity (401, 404, 405, open operations), for its address. A
 * refusal takes precedence over an earlier failure. A read that will probably be admitted does not wait for the statement that counts it;
 * its response does.
 */
export async function limitRequests(app: FastifyInstance, limiter: Limiter, max: number): Promise<Hook> {
  await app.register(rateLimit, { global: false });
  const countAddress = countAddresses(app, limiter.clock, max);
  return (request, _reply, done) => {
    const { state } = request.raw;
    const { identity, failure } = state;
    if (isRefusedPreflight(request)) return done(failure);
    const settle = (decision: Decision) => {
      state.decision = decision;
      return limitFailure(decision, limiter.clock);
    };
    const decision = identity ? limiter.take(identity.quota) : countAddress(request);
    if (!(decision instanceof Promise)) return done(settle(decision) ?? failure);
    const refusal = decision.then(settle);
    // Only the response of an operation waits for the count.
    const isSafe = state.operation && SAFE.includes(request.method);
    const mayRunDuringCount = isSafe && identity && !failure && !app.requests.isBusy;
    // The failure is read late: the body may have failed meanwhile.
    if (!mayRunDuringCount || !limiter.expects(identity.quota))
      return void refusal.then((refused) => done(refused ?? state.failure)).catch(done);
    state.counting = refusal;
    done();
  };
}

interface LimitsOptions {
  limit: Hook;
  limiter: Limiter;
  perAddress: number;
}

/**
 * 5. Counts the request for its caller or, without an identity, for its address: a refusal (429) goes before an earlier failure. All
 * responses from here on say what remains.
 */
export const limits = plugin(
  async (app: FastifyInstance, { limit, limiter: { clock }, perAddress }: LimitsOptions) => {
    app.addHook('onRequest', limit);
    app.addHook('onSend', ({ raw: { state } }, reply, _payload, done) => {
      reply.headers(headersOf(state.decision ?? fullWindow(clock, perAddress), clock.now()));
      done();
    });
  },
  { name: 'limits', dependencies: ['authentication'] },
);

function limitFailure(decision: Decision, clock: DatabaseClock): ApiError | undefined {
  const refusal = refusalOf(decision, clock.now());
  if (!refusal) return undefined;
  const { message, headers } = refusal;
  return new ApiError(429, message, { headers, ...(decision.outcome === 'banned' && { code: 'api_key_banned' }) });
}
