import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import plugin from 'fastify-plugin';
import type { HTTPMethod } from 'find-my-way';
import { ApiError } from '../errors.ts';
import { createRouter, isComplete } from '../http/templates.ts';

/**
 * 2. Finds the operation, or tells an unknown path (404) from an unsupported method (405 with `Allow`, RFC 9110 section 15.5.6). It has a
 * router of its own, as Fastify's does not list the methods of a path. A failure is answered in step 5, once it is counted: paths cannot
 * be guessed at speed.
 */
export const path = plugin(
  async (app: FastifyInstance, { basePath }: { basePath: string }) => {
    const router = createRouter();
    app.addHook('onRoute', ({ url, method, constraints = {} }) => {
      if (!url.includes('*')) router.on(method as HTTPMethod | HTTPMethod[], url, { constraints }, () => {});
    });
    const unmatched = ({ is404, params, url }: FastifyRequest) => {
      if (!is404 && isComplete(params)) return undefined;
      const allow = app.supportedMethods.filter((method) => router.find(method, url));
      if (allow.length === 0)
        return new ApiError(404, `There is no such path: those of the API begin with ${basePath}/`);
      const list = allow.sort().join(', ');
      return new ApiError(405, `This path supports ${list}`, { headers: { Allow: list } });
    };
    app.addHook('onRequest', (request, _reply, done) => {
      const { state } = request.raw;
      state.failure ??= unmatched(request);
      if (!state.failure) state.operation = request.routeOptions.config.operation;
      done();
    });
  },
  { name: 'path', dependencies: ['arrival'] },
);

/** Fails unknown paths outside the API, which counts and answers its own failures. */
export const refuseUnmatched: onRequestHookHandler = (request, _reply, done) => done(request.raw.state.failure);
