import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { openapiValidation, RequestError, type ValidationOptions } from '../src/index.ts';

/** A server that validates the requests of the routes that a test adds. Failures have the pointers in their bodies. */
export async function validatingServer(options: ValidationOptions = {}): Promise<FastifyInstance> {
  const app = Fastify();
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const errors = error instanceof RequestError ? error.errors : undefined;
    return reply.code(error.statusCode ?? 500).send({ message: error.message, errors });
  });
  await app.register(openapiValidation, options);
  return app;
}
