import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { Limiter, type LimiterOptions } from './limiter.ts';
import { headersOf, refusalOf } from './response.ts';
import type { Quota } from './usage.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts other things than requests, such as the items of a batch. */
    limiter: Limiter;
  }
}

export interface QuotaOptions extends LimiterOptions {
  /** Returns the subject of a request and its limits. Undefined: the request is not counted. Called in the hook. */
  quotaOf(request: FastifyRequest): Quota | undefined | Promise<Quota | undefined>;
  /** The hook that counts. Default: `onRequest`. */
  hook?: 'onRequest' | 'preParsing' | 'preValidation' | 'preHandler';
}

/** Counts the requests of all routes, and refuses those over a limit with a `QuotaError` (429). Each response says what remains. */
export const quota = plugin(
  async (app: FastifyInstance, { quotaOf, hook = 'onRequest', onChange, ...options }: QuotaOptions) => {
    const log = (away: boolean, err?: unknown) => {
      if (away) app.log.error({ err }, 'counting requests without Postgres');
      else app.log.info('counting requests in Postgres again');
    };
    const limiter = new Limiter({ ...options, onChange: onChange ?? log });
    app.decorate('limiter', limiter);
    app.addHook('onClose', () => limiter.close());
    app.addHook(hook as 'onRequest', async (request, reply) => {
      const quota = await quotaOf(request);
      if (!quota) return;
      const decision = await limiter.take(quota);
      const now = limiter.clock.now();
      reply.headers(headersOf(decision, now));
      const refusal = refusalOf(decision, now);
      if (refusal) throw refusal;
    });
  },
  { name: '@petstore-platform/quota', fastify: '5.x' },
);
