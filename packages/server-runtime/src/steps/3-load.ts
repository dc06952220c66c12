import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';

/** 3. Refuses excess requests (503) before they cost anything, and uncounted. */
export const load = plugin(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', (request, _reply, done) => done(app.requests.work(request.raw.state)));
  },
  { name: 'load', dependencies: ['path'] },
);
