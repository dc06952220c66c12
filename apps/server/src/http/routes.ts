import { validateHeaderValue } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import type { Handlers } from '../generated/operations.ts';
import type { ApiKey, ApiKeys } from '../keys/keys.ts';
import { ApiError } from './api-error.ts';
import { authenticate } from './authentication.ts';
import { deprecationHeaders } from './deprecation.ts';
import { basePathOf, type ContractDocument, type Operation, operationsOf } from './operations.ts';
import type { RateLimit } from './rate-limit.ts';
import { awaitsContinue } from './transport.ts';
import { checkRequest } from './validation.ts';

/** What a handler knows besides its request. */
export interface RequestContext {
  /** The path of the operation with its base path, as in `/v1/pets`. */
  path: string;
  apiKey: ApiKey;
}

export interface RouteParts {
  document: ContractDocument;
  handlers: Handlers<RequestContext>;
  apiKeys: ApiKeys;
  rateLimit: RateLimit;
  /** The failure of a request that is too much for this server. */
  checkLoad(): ApiError | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Rejects when this request is over a limit. Null: that is settled. */
    counted: Promise<void> | null;
  }
}

interface HandlerResult {
  status: number;
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

type AnyHandler = (request: unknown, context: RequestContext) => Promise<HandlerResult>;

/**
 * One route per operation of the contract, in front of each: deprecation headers → load → authentication → rate limit →
 * body → validation.
 *
 * @throws Error for an operation without a handler, which can only be when `document` is not the one the handlers were
 *   generated from
 */
export async function registerRoutes(app: FastifyInstance, parts: RouteParts): Promise<void> {
  const { document, handlers, apiKeys, rateLimit, checkLoad } = parts;
  const operations = operationsOf(document);
  const prefix = basePathOf(document);

  const routeOf = (operation: Operation): Partial<RouteOptions> => {
    const handler = handlers[operation.id as keyof typeof handlers]?.bind(handlers) as AnyHandler | undefined;
    if (!handler) throw new Error(`The contract's operation ${operation.id} has no handler`);
    const headers = deprecationHeaders(operation, operations, prefix);
    const operationPath = `${prefix}${operation.path}`;
    const carryOut = async (request: FastifyRequest): Promise<HandlerResult> => {
      checkRequest(operation, request);
      if (request.validationError) throw request.validationError;
      const { params: path, query, body } = request;
      const sent = operation.headerParameters.filter((name) => name.toLowerCase() in request.headers);
      const headerValues = Object.fromEntries(sent.map((name) => [name, request.headers[name.toLowerCase()]]));
      return handler(
        { path, query, headers: headerValues, body },
        { path: operationPath, apiKey: request.apiKey as ApiKey },
      );
    };
    return {
      // Left to `carryOut`: counting may still be under way.
      attachValidation: true,
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        request.operationId = operation.id;
        reply.headers(headers);
        const overload = checkLoad();
        if (overload) throw overload;
        request.apiKey = await authenticate(request, apiKeys, () => rateLimit.refusesAddress(request)).catch(
          async (error) => {
            if (error instanceof ApiError) await rateLimit.countAddress(request, reply);
            throw error;
          },
        );
        const counted = rateLimit.countKey(request, reply, request.apiKey);
        // What only reads goes on beside the counting: a read that is refused in the end has changed nothing.
        if (!operation.safe || rateLimit.refuses(request.apiKey)) return counted;
        counted.catch(() => {});
        request.counted = counted;
      },
      preParsing: (request, reply, payload, done) => {
        if (awaitsContinue(request.raw)) reply.raw.writeContinue();
        done(null, payload);
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const answer = carryOut(request);
        answer.catch(() => {});
        // A refusal goes before whatever came of it.
        await request.counted;
        const result = await answer;
        return reply.code(result.status).headers(mergeHeaders(headers, result.headers)).send(result.body);
      },
    };
  };

  await app.register(openapiGlue, {
    specification: document,
    prefix,
    // Method, URL and schema are added by the glue.
    operationResolver: (operationId: string) => routeOf(operations.get(operationId) as Operation) as RouteOptions,
  });
}

/**
 * A handler's headers beside those of its operation: its links do not displace the one to the successor.
 *
 * @throws Error for a value that HTTP cannot carry, rather than have Node.js find it when the response has begun
 */
function mergeHeaders(headers: Record<string, string>, more: HandlerResult['headers'] = {}): Record<string, string> {
  const merged = { ...headers };
  for (const [name, value] of Object.entries(more)) {
    if (value === undefined) continue;
    validateHeaderValue(name, value);
    merged[name] = name === 'Link' && headers.Link ? `${value}, ${headers.Link}` : value;
  }
  return merged;
}
