/**
 * Express with the guarantees of our server, built from established libraries. Keys are looked up in Postgres and cached for nine
 * seconds, rate-limiter-flexible counts both windows in Postgres, and pino logs a line per request.
 */
import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { pino } from 'pino';
import { pinoHttp } from 'pino-http';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { serve } from './express.ts';
import { pool } from './pets.ts';

const CACHE_TIME = 9_000;

interface Key {
  id: number;
  readAt: number;
}

const keys = new Map<string, Key>();

async function findKey(token: string): Promise<Key | undefined> {
  const cached = keys.get(token);
  if (cached && performance.now() - cached.readAt < CACHE_TIME) return cached;
  const readAt = performance.now();
  const { rows } = await pool.query<{ id: number }>(
    'select id from api_keys where key_hash = $1 and revoked_at is null',
    [hash('sha256', token, 'buffer')],
  );
  const [row] = rows;
  if (!row) return undefined;
  const key = { ...row, readAt };
  keys.set(token, key);
  return key;
}

async function createLimiter(tableName: string, duration: number): Promise<RateLimiterPostgres> {
  return new Promise((resolve, reject) => {
    const options = { storeClient: pool, tableName, points: 1_000_000_000, duration };
    const limiter = new RateLimiterPostgres(options, (error) => (error ? reject(error) : resolve(limiter)));
  });
}

const minute = await createLimiter('peer_limits_minute', 60);
const day = await createLimiter('peer_limits_day', 86_400);

const authenticateAndLimit: RequestHandler = async (request, response, next) => {
  const key = await findKey(/^Bearer (.+)$/i.exec(request.get('Authorization') ?? '')?.[1] ?? '');
  if (!key) {
    response.status(401).json({ message: 'The API key is not valid' });
    return;
  }
  const [inMinute] = await Promise.all([minute.consume(key.id), day.consume(key.id)]);
  response.set('X-RateLimit-Remaining', String(inMinute.remainingPoints));
  next();
};

serve(pinoHttp({ logger: pino(pino.destination('/dev/null')) }), authenticateAndLimit);
