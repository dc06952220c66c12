import { isIP } from 'node:net';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DatabaseClock } from '../database/clock.ts';
import { plans } from '../generated/plans.ts';
import { ApiError } from '../http/errors.ts';
import { withoutPort } from '../http/proxies.ts';
import type { Limiter } from '../limits/limiter.ts';
import { type Decision, MINUTE } from '../limits/usage.ts';

/** Addresses counted at most. As many requests per second are within the limits of their addresses, more than a server answers. */
const ADDRESSES = 50_000;

/** The limit of an address: that of the free plan, in minutes that begin with a request. */
const max: number = plans.free.perMinute;
const UNUSED = { max, remaining: max, ttl: MINUTE, isExceeded: false };

/**
 * Counts each request against its key, or else against its address, in the memory of this server. An address that goes on after a
 * refusal is refused until it pauses for a minute. A refusal goes before an earlier failure.
 */
export async function registerLimits(app: FastifyInstance, limiter: Limiter): Promise<void> {
  const options = { max, timeWindow: MINUTE, cache: ADDRESSES, continueExceeding: true, keyGenerator: addressOf };
  await app.register(rateLimit, { global: false, ...options });
  const countAddress = app.createRateLimit();
  app.addHook('onRequest', (request, _reply, done) => {
    const { exchange } = request.raw;
    const settle = (decision: Decision) => {
      exchange.decision = decision;
      done(limitFailure(decision, limiter.clock) ?? exchange.failure);
    };
    // Nothing is allowed without a count.
    const decision = exchange.apiKey
      ? limiter.take(exchange.apiKey.quota)
      : countAddress(request).then((count) => addressDecision(limiter.clock, count.isAllowed ? UNUSED : count));
    if (decision instanceof Promise) decision.then(settle).catch(done);
    else settle(decision);
  });
}

/** The client's address, or the proxy's if it forwards something else. IPv6 clients are counted by /64. */
function addressOf({ ip, socket }: FastifyRequest): string {
  const forwarded = withoutPort(ip);
  return normalizeIP(isIP(forwarded) ? forwarded : (socket.remoteAddress ?? ''));
}

function addressDecision(clock: DatabaseClock, { max, remaining, ttl, isExceeded }: typeof UNUSED): Decision {
  return { outcome: isExceeded ? 'limited' : 'admitted', minute: { limit: max, remaining, reset: clock.now() + ttl } };
}

/**
 * `X-RateLimit-*` of the window that would stop the client first, and all windows as in
 * draft-ietf-httpapi-ratelimit-headers-11.
 *
 * @param decision - on the request. Default: for a response that is not counted, an unused window of an address
 */
export function limitHeaders(clock: DatabaseClock, decision = addressDecision(clock, UNUSED)): Record<string, string> {
  const { minute, day } = decision;
  const now = clock.now();
  const left = ({ remaining, reset }: typeof minute) => `r=${remaining};t=${secondsUntil(reset, now)}`;
  // The window with the fewest requests remaining; at a tie the one that resets later.
  const first = !day || (minute.remaining - day.remaining || day.reset - minute.reset) < 0 ? minute : day;
  return {
    'X-RateLimit-Limit': String(first.limit),
    'X-RateLimit-Remaining': String(first.remaining),
    // A ban may end within a second.
    'X-RateLimit-Reset': String(Math.ceil(first.reset / 1000)),
    'RateLimit-Policy': `"minute";q=${minute.limit};w=60${day ? `, "day";q=${day.limit};w=86400` : ''}`,
    RateLimit: `"minute";${left(minute)}${day ? `, "day";${left(day)}` : ''}`,
  };
}

/** The failure of a request that is over a limit: 429. */
function limitFailure({ outcome, minute, day = minute }: Decision, clock: DatabaseClock): ApiError | undefined {
  if (outcome === 'admitted') return undefined;
  // The later one of the windows that have nothing left.
  const reset = Math.max(...[minute, day].map((window) => (window.remaining === 0 ? window.reset : 0)));
  const seconds = secondsUntil(reset, clock.now());
  const headers = { 'Retry-After': String(seconds) };
  if (outcome === 'banned') {
    const message = `Temporarily banned for sending more requests after a 429; retry in ${seconds} seconds`;
    return new ApiError(429, message, { code: 'api_key_banned', headers });
  }
  const window =
    day !== minute && day.remaining === 0 ? `${day.limit} requests per day` : `${minute.limit} requests per minute`;
  return new ApiError(429, `The limit of ${window} is reached; retry in ${seconds} seconds`, { headers });
}

/** Rounded up, and at least 1. */
function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000));
}
