import Fastify, { type FastifyInstance } from 'fastify';
import type { Operation } from '../contract.ts';
import type { ApiError } from '../errors.ts';
import type { Schemas } from '../http/schemas.ts';
import { registerValidation } from '../http/validation.ts';

/**
 * A server that only validates requests, by the schemas of the routes that the test adds, as a service does.
 *
 * @param schemas - those to which `$ref`s of the form `#/schemas/<name>` lead
 * @param parameters - of the operation of all routes
 */
export function validatingServer(schemas?: Schemas, parameters: Operation['parameters'] = []): FastifyInstance {
  const app = Fastify({ onProtoPoisoning: 'ignore' });
  app.addHook('onRequest', (request, _reply, done) => {
    Object.assign(request.raw, { state: { operation: { parameters }, rounded: [] } });
    done();
  });
  app.setErrorHandler<ApiError>((error, _request, reply) =>
    reply.code(error.status ?? 500).send(error.body?.() ?? { status: 500, message: error.stack }),
  );
  registerValidation(app, schemas);
  return app;
}
