import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import plugin from 'fastify-plugin';
import type { Handler } from '../api/handler.ts';
import { acceptedOf, headersOf, negotiate } from '../api/response-body.ts';
import type { routesOf } from '../api/routing.ts';
import { whileClientSends } from '../api/stream.ts';
import type { Issue } from '../caller.ts';
import type { Contract } from '../contract.ts';
import { callerOf } from './4-authentication.ts';
import { answer } from './9-response.ts';

interface HandlerOptions extends ReturnType<typeof routesOf> {
  operations: Contract['operations'];
  handlers: Record<string, Handler>;
  issue: Issue | undefined;
  /** The plan of callers without an identity. */
  addressPlan: string;
}

/** 8. Calls the handler of the operation. An exception is an ApiError, a lost database (503) or a bug (500). */
export const handler = plugin(
  async (app: FastifyInstance, options: HandlerOptions) => {
    await app.register(openapiGlue, {
      specification: options.document,
      // The glue adds the method, the URL and the schema.
      operationResolver: (id: string) => routeOf(id, options) as RouteOptions,
    });
  },
  { name: 'handler', dependencies: ['validation'] },
);

/** @throws Error for an operation without a handler, such as one of a document from which the handlers were not generated */
function routeOf(id: string, options: HandlerOptions): Partial<RouteOptions> {
  const { operations, handlers, templates, addressPlan, issue } = options;
  const [operation, handler, template] = [operations[id], handlers[id], templates[id]];
  if (!operation || !handler) throw new Error(`The contract's operation ${id} has no handler`);
  const declared = headersOf(operation);
  const accepted = acceptedOf(operation);
  const call = (handler.isStream ? whileClientSends(handler) : handler) as ReturnType<typeof whileClientSends>;
  return {
    // `openapi` is read by openapi-validation.
    config: { operation, openapi: operation, hasChoice: accepted !== undefined, isStream: handler.isStream },
    ...(accepted && { preHandler: async (request: FastifyRequest) => negotiate(request, accepted) }),
    ...(template?.constraints && { constraints: template.constraints as never }),
    ...(operation.body?.max && { bodyLimit: operation.body.max }),
    // The path `/` of an API is not its base path.
    prefixTrailingSlash: 'slash',
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { params, query, body, raw } = request;
      const state = Object.assign(raw.state, { issue, isHandled: true });
      // Credentials are headers, too, and no handler sees them.
      const headers: Record<string, unknown> = {};
      for (const name of declared) headers[name] = request.headers[name];
      const context = {
        path: operation.path,
        url: raw.url,
        caller: callerOf(request, addressPlan),
        fingerprint: state.fingerprint,
        state,
      };
      const result = await call({ path: params, query, headers, body }, context, request, reply);
      if (state.counting) await state.counted();
      return answer(request, reply, result, operation);
    },
  };
}
