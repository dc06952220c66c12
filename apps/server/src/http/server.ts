import cors from '@fastify/cors';
import fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { document as contract } from '../generated/document.ts';
import { logging } from '../ops/log.ts';
import { sendError } from './errors.ts';
import { Exchanges, type ExchangesOptions } from './exchanges.ts';
import { serverOptions } from './server-options.ts';

/** Response headers that scripts of other origins may read. */
const EXPOSED_HEADERS = ['X-Request-Id', ...Object.keys(contract.components.headers)];

/** A server without routes: every request has its exchange, every response its id, every failure the Error body. */
export async function createServer(
  config: Config,
  options: Omit<ExchangesOptions, 'isTrusted'>,
): Promise<FastifyInstance> {
  const exchanges = new Exchanges({ isTrusted: config.TRUST_PROXY, ...options });
  const app = fastify({ ...logging(config.LOG_LEVEL), ...serverOptions(config, exchanges) });
  exchanges.observe(app.server);
  app.decorate('exchanges', exchanges);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
    if (exchanges.closing) reply.header('Connection', 'close');
    done();
  });
  if (config.CORS_ORIGINS.length > 0) {
    // Otherwise an OPTIONS that is no preflight gets a 400 in plain text.
    const permissions = { strictPreflight: false, exposedHeaders: EXPOSED_HEADERS, maxAge: 600 };
    await app.register(cors, { origin: config.CORS_ORIGINS, ...permissions });
  }
  return app;
}
