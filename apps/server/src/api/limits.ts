import { isIP } from 'node:net';
import rateLimit, { type FastifyRateLimitStoreCtor, normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { plans } from '../generated/plans.ts';
import { ApiError } from '../http/errors.ts';
import { withoutPort } from '../http/proxies.ts';
import type { Check, Decision } from '../limits/entry.ts';
import type { Limiter, Limiters } from '../limits/limiter.ts';

/** The safe methods (RFC 9110 section 9.2.1) of operations. */
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Counts each request against its key or, without one, its address. Decides from memory where requests are reserved or known to
 * be refused; @fastify/rate-limit counts all others.
 */
export async function registerLimits(app: FastifyInstance, limiters: Limiters): Promise<void> {
  const countedBy = (request: FastifyRequest): [Limiter, Check] => {
    const { apiKey } = request.raw.exchange;
    return apiKey ? [limiters.keys, apiKey] : [limiters.addresses, addressCheck(request)];
  };
  /** Counts both windows in Postgres. The plugin passes any key on unchanged: the request. */
  class CountStore {
    incr(key: unknown, done: (error: null, result: object) => void): void {
      const request = key as FastifyRequest;
      const [limiter, check] = countedBy(request);
      limiter.count(check).then((decision) => {
        request.raw.exchange.decision = decision;
        // Ignored: the plugin knows only one window.
        done(null, { current: 0, ttl: 0 });
      });
    }
  }
  await app.register(rateLimit, {
    global: false,
    store: CountStore as unknown as FastifyRateLimitStoreCtor,
    keyGenerator: (request) => request as unknown as string,
  });
  const consult = app.createRateLimit();
  app.addHook('onRequest', (request, _reply, done) => {
    const { exchange } = request.raw;
    const [limiter, check] = countedBy(request);
    const earlier = exchange.failure;
    const failure = () => (exchange.decision && limitFailure(exchange.decision, limiters)) ?? earlier;
    exchange.decision = limiter.fromMemory(check);
    if (exchange.decision) return done(failure());
    const counting = consult(request).then(failure);
    if (!exchange.apiKey || !SAFE_METHODS.has(request.method)) return void counting.then(done).catch(done);
    // A read runs in parallel with its count: if refused, it has changed nothing.
    exchange.counting = counting;
    done();
  });
}

/** A client: a request, or a connection without a valid one. */
type Client = Pick<FastifyRequest, 'socket'> & { ip?: string };

/**
 * Counts the client's address, or the proxy's if it forwards something else. Requests without a key have the limits of the free
 * plan; IPv6 clients are counted by /64.
 */
function addressCheck({ ip = '', socket }: Client): Check {
  const forwarded = withoutPort(ip);
  const address = isIP(forwarded) ? forwarded : (socket.remoteAddress ?? '');
  return { subject: `address:${normalizeIP(address, 64)}`, ...plans.free };
}

/**
 * `X-RateLimit-*` of the window that would stop the client first, and both windows as in
 * draft-ietf-httpapi-ratelimit-headers-11.
 *
 * @param decision - on the request. Default: the state of its address, for responses that are not counted
 */
export function limitHeaders(
  client: Client,
  { addresses, clock }: Limiters,
  decision = addresses.peek(addressCheck(client)),
): Record<string, string> {
  const { minute, day } = decision;
  const now = clock.now();
  // The window with the fewest requests remaining; at a tie the one that resets later.
  const first = (minute.remaining - day.remaining || day.reset - minute.reset) < 0 ? minute : day;
  return {
    'X-RateLimit-Limit': String(first.limit),
    'X-RateLimit-Remaining': String(first.remaining),
    // A ban may end within a second.
    'X-RateLimit-Reset': String(Math.ceil(first.reset / 1000)),
    'RateLimit-Policy': `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`,
    RateLimit: `"minute";r=${minute.remaining};t=${secondsUntil(minute.reset, now)}, "day";r=${day.remaining};t=${secondsUntil(day.reset, now)}`,
  };
}

/** The failure of a request that is over a limit: 429. */
function limitFailure({ outcome, minute, day, retryAt }: Decision, { clock }: Limiters): ApiError | undefined {
  if (outcome === 'admitted') return undefined;
  const seconds = secondsUntil(retryAt, clock.now());
  const headers = { 'Retry-After': String(seconds) };
  if (outcome === 'banned') {
    const message = `Temporarily banned for sending more requests after a 429; retry in ${seconds} seconds`;
    return new ApiError(429, message, { code: 'api_key_banned', headers });
  }
  const window = day.remaining === 0 ? `${day.limit} requests per day` : `${minute.limit} requests per minute`;
  return new ApiError(429, `The limit of ${window} is reached; retry in ${seconds} seconds`, { headers });
}

/** Rounded up, and at least 1. */
function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000));
}
