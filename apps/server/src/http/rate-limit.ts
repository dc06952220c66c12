import { isIP } from 'node:net';
import rateLimit, { type FastifyRateLimitStoreCtor, normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plans } from '../generated/plans.ts';
import type { ApiKey } from '../keys/keys.ts';
import type { Check, Limiter, Limiters } from '../limits/limiter.ts';
import type { Decision, WindowState } from '../limits/windows.ts';
import { ApiError } from './api-error.ts';

/** The headers that a browser's script may read on a response from another origin. */
export const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'X-Request-Id',
  'Link',
  'Deprecation',
  'Sunset',
];

export interface RateLimit {
  /** @throws ApiError 429 */
  countKey(request: FastifyRequest, reply: FastifyReply, apiKey: ApiKey): Promise<void>;
  /** Whether this server knows, without counting, that a key is over its limit or banned. */
  refuses(apiKey: ApiKey): boolean;
  /** The same of the client's address. */
  refusesAddress(request: FastifyRequest): boolean;
  /** @throws ApiError 429 */
  countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** What the plugin hands from its key generator to its store. */
interface Counted {
  decision: Promise<Decision>;
}

/** The pipeline's rate limit: @fastify/rate-limit asks, a store of ours counts both windows in Postgres. */
export async function registerRateLimit(app: FastifyInstance, limiters: Limiters): Promise<RateLimit> {
  const { clock } = limiters;
  const counted = new WeakMap<FastifyRequest, Counted>();
  await app.register(rateLimit, {
    global: false,
    store: PostgresStore as unknown as FastifyRateLimitStoreCtor,
    // The plugin passes the key on as it is.
    keyGenerator: (request) => counted.get(request) as unknown as string,
    max: 0,
  });
  const consult = app.createRateLimit();

  const count = async (request: FastifyRequest, reply: FastifyReply, limiter: Limiter, check: Check) => {
    let decision = limiter.check(check);
    if (decision instanceof Promise) {
      counted.set(request, { decision });
      await consult(request);
      decision = await decision;
    }
    reply.headers(rateLimitHeaders(decision, clock.now()));
    if (decision.outcome !== 'admitted') throw tooManyRequests(decision, clock.now());
  };

  return {
    countKey: (request, reply, apiKey) => count(request, reply, limiters.keys, keyCheck(apiKey)),
    refuses: (apiKey) => limiters.keys.refuses(keyCheck(apiKey)),
    refusesAddress: (request) => limiters.addresses.refuses(addressCheck(addressOf(request))),
    countAddress: (request, reply) => count(request, reply, limiters.addresses, addressCheck(addressOf(request))),
  };
}

/** The plugin's extension point. What it makes of the result is not used: it knows one window only. */
class PostgresStore {
  incr(key: unknown, done: (error: Error | null, result: { current: number; ttl: number }) => void): void {
    (key as Counted).decision.then(() => done(null, { current: 0, ttl: 0 }));
  }

  child(): this {
    return this;
  }
}

/** How an address stands, for answers that are not counted. */
export function addressHeaders({ addresses, clock }: Limiters, address: string): Record<string, string> {
  return rateLimitHeaders(addresses.peek(addressCheck(address)), clock.now());
}

/** The client's address; that of the proxy if it forwards what is none. */
export function addressOf({ ip, socket }: FastifyRequest): string {
  return isIP(ip) ? ip : (socket.remoteAddress ?? '');
}

function keyCheck({ id, limits }: ApiKey): Check {
  return { subject: `key:${id}`, ...limits };
}

/** Without a key, the numbers of the free plan; an IPv6 client is its /64. */
function addressCheck(address: string): Check {
  return { subject: `address:${normalizeIP(address, 64)}`, ...plans.free };
}

/**
 * `X-RateLimit-*` of the window that would stop the client first, and both windows as in
 * draft-ietf-httpapi-ratelimit-headers-11.
 */
export function rateLimitHeaders({ minute, day }: Decision, now: number): Record<string, string> {
  const first = stopsFirst(minute, day);
  return {
    'X-RateLimit-Limit': String(first.limit),
    'X-RateLimit-Remaining': String(first.remaining),
    // A ban need not end at a full second.
    'X-RateLimit-Reset': String(Math.ceil(first.reset / 1000)),
    'RateLimit-Policy': `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`,
    RateLimit: `"minute";r=${minute.remaining};t=${secondsUntil(minute.reset, now)}, "day";r=${day.remaining};t=${secondsUntil(day.reset, now)}`,
  };
}

/** Fewest remaining; at a tie the later reset: that of the day, or of a ban beyond it. */
function stopsFirst(minute: WindowState, day: WindowState): WindowState {
  if (minute.remaining === day.remaining) return minute.reset > day.reset ? minute : day;
  return minute.remaining < day.remaining ? minute : day;
}

function tooManyRequests({ outcome, minute, day, retryAt }: Decision, now: number): ApiError {
  const seconds = secondsUntil(retryAt, now);
  const headers = { 'Retry-After': String(seconds) };
  if (outcome === 'banned') {
    const message = `Banned for going on for more than a second after a 429; retry in ${seconds} seconds`;
    return new ApiError(429, message, { code: 'api_key_banned', headers });
  }
  const window = day.remaining === 0 ? `${day.limit} requests per day` : `${minute.limit} requests per minute`;
  return new ApiError(429, `The limit of ${window} is reached; retry in ${seconds} seconds`, { headers });
}

/** Never earlier than `time`, and never "now". */
function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000));
}
