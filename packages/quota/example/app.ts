import { quota, table } from '@petstore-platform/quota';
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';

const PLANS = { free: { perMinute: 3, perDay: 500 }, pro: { perMinute: 600, perDay: 50_000 } };
const users = new Map<string, keyof typeof PLANS>([
  ['ada', 'pro'],
  ['bo', 'free'],
]);

/** The limits of a user. A request without one is not counted here: see @fastify/rate-limit. */
function quotaOf({ headers }: FastifyRequest) {
  const user = String(headers['x-user']);
  const plan = users.get(user);
  return plan && { subject: `user:${user}`, ...PLANS[plan] };
}

export async function createApp(connectionString: string) {
  // Counting has connections of its own, and gives up soon, even if Postgres hangs.
  const timeLimits = { statement_timeout: 2_000, query_timeout: 2_500, connectionTimeoutMillis: 2_000 };
  const pool = new pg.Pool({ connectionString, max: 2, ...timeLimits });
  const app = Fastify();
  app.addHook('onClose', () => pool.end());
  await app.register(quota, { pool, quotaOf, ban: { after: 60, duration: 600_000 } });
  app.get('/', async () => 'Hello');
  app.post<{ Body: string[] }>('/letters', async ({ body }, reply) => {
    // A batch counts for each of its letters.
    const limits = { subject: 'letters', perMinute: 2, perDay: 1_000 };
    const decisions = await Promise.all(body.map(() => app.limiter.take(limits)));
    return reply.send(decisions.map(({ outcome }) => outcome));
  });
  return app;
}

/** Once, as a migration. */
export const migrate = (pool: pg.Pool) => pool.query(table.up);
