import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { expect } from 'vitest';
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

/** The least processor time of three runs of this thread, in microseconds: it does not depend on the load of the machine. */
function timeOf(parse: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    try {
      parse();
    } catch {}
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}

/**
 * Fails if 64 kB cost more than 64 times as much as 4 kB. A linear parser takes 16 times as long, and a quadratic one 256 times, some two
 * seconds. Below 0.2 seconds, it passes.
 */
export function expectLinear(worstCase: (length: number) => () => unknown): void {
  const long = timeOf(worstCase(65_536));
  if (long > 200_000) expect(long).toBeLessThan(64 * timeOf(worstCase(4_096)));
}
