import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

/**
 * Records every route that is registered later, to tell an unknown path (404) from an unsupported method (405 with `Allow`,
 * RFC 9110 section 15.5.6) before authentication and before the body.
 */
export function trackRoutes(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`);
    if (!url.includes('*')) routes.push({ pattern, methods: [method].flat() });
  });
  const unmatched = (request: FastifyRequest) => {
    // The router matches `/pets/` with an empty parameter.
    const empty = Object.values((request.params ?? {}) as object).includes('');
    if (!request.is404 && !empty) return undefined;
    const path = decodeURI(request.url.split(/[?#]/, 1)[0] ?? '');
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    if (methods.length === 0) return new ApiError(404, 'The requested resource could not be found');
    const allow = [...new Set(methods)].sort().join(', ');
    return new ApiError(405, `This path supports ${allow}`, { headers: { Allow: allow } });
  };
  app.addHook('onRequest', (request, _reply, done) => {
    request.raw.exchange.failure ??= unmatched(request);
    done();
  });
}
