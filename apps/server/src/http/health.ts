import type { FastifyInstance } from 'fastify';

/** `/livez`: the process runs. `/readyz`: it can serve, with the reason when it cannot. */
export function registerHealth(app: FastifyInstance, checkReady: () => Promise<void>): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    try {
      await checkReady();
      return { status: 'ok' };
    } catch {
      return reply.code(503).send({ status: 'unavailable', reason: 'the database does not answer' });
    }
  });
}
