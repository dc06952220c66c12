import { hash } from 'node:crypto';
import openapiValidation from '@petstore-platform/openapi-validation';
import type { Limiter } from '@petstore-platform/quota';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { BEARER, type Issue, isAuthorization, type Security } from '../caller.ts';
import type { Contract, Operation, Parameter } from '../contract.ts';
import { ApiError, checkHeaders } from '../errors.ts';
import { registerBodyParser } from '../http/body.ts';
import { JSON_TYPE } from '../http/failure-body.ts';
import { sendError, timeOf } from '../http/server.ts';
import { type Authenticate, anonymous } from './authentication.ts';
import type { Handler, HandlerResult } from './handler.ts';
import { fingerprintOf } from './idempotency.ts';
import { type Hook, limitHeaders, unused } from './limits.ts';
import { acceptedOf, headersOf, negotiate, sendAs } from './response-body.ts';
import { routesOf } from './routing.ts';
import { attended } from './stream.ts';

export interface ApiOptions extends Pick<Contract, 'basePath' | 'operations' | 'schemas'> {
  handlers: Record<string, Handler>;
  issue: Issue | undefined;
  /** Compiles the security of an operation. */
  authenticator(security: Security): Authenticate;
  /** Counts a request, and refuses it if it is over its limit. */
  limit: Hook;
  /** The plan of addresses, and its requests per minute. */
  addressPlan: string;
  perAddress: number;
  limiter: Limiter;
}

/**
 * The API below the contract's base path. After its arrival, a request takes these steps, with the numbers of docs/architecture.md. The
 * last one is for every response below that path; the request is logged once it is sent.
 */
export async function api(app: FastifyInstance, options: ApiOptions): Promise<void> {
  const { operations, handlers, limiter, perAddress } = options;
  const { templates, document } = routesOf(options);
  const authenticators = Object.fromEntries(
    Object.values(operations).map(({ id, security }) => [id, options.authenticator(security ?? BEARER)]),
  );
  // Shared caches know only `Authorization` as a credential (RFC 9111, section 3.5).
  const unseen = Object.values(operations).filter(({ security = BEARER }) => !security.flat().every(isAuthorization));
  const isPrivate = new Set(unseen.map(({ id }) => id));

  // This handler is never called, as step 5 ends the request. It only makes unknown paths take these steps.
  app.setNotFoundHandler(() => {});

  // 2. The operation. `http/server.ts` has set it or, for an unknown path (404) or method (405), `failure`. A failure is answered
  //    in step 5, once it is counted: paths cannot be guessed at speed.

  // 3. Load: excess requests are refused (503) before they cost anything, and uncounted.
  app.addHook('onRequest', (request, _reply, done) => done(app.requests.work(request.raw.state)));

  // 4. Authentication. A failure (401) waits for step 5, too, and counts for the address.
  app.addHook('onRequest', (request, _reply, done) => {
    const { failure, operation } = request.raw.state;
    if (failure || !operation) done();
    else (authenticators[operation.id] as Authenticate)(request, done);
  });

  // 5. The limits of the caller or, without an identity, of the address: a refusal (429) goes before an earlier failure. A read does not wait for
  //    the statement that counts it; its response does.
  app.addHook('onRequest', options.limit);

  // 6. The body (400, 413, 415). A request that waits for its body does not count as work, and may be refused (503) after it.
  const streamed = Object.values(operations).filter(({ id, body }) => body && handlers[id]?.isStream);
  // Node.js has one limit for all requests.
  for (const { body } of streamed)
    app.server.requestTimeout = Math.max(app.server.requestTimeout, timeOf(body?.max ?? 0));
  await registerBodyParser(app, operations);

  // 7. Validation (400, for the path 404): rules that schemas cannot express, then the schemas. A default that the contract gains
  //    must not change the fingerprint.
  app.addHook('preValidation', (request, _reply, done) => {
    const { headers, query, body, raw } = request;
    const { state } = raw;
    const { operation } = state;
    if (operation) request.params = templates[operation.id]?.valuesOf(request.params, raw.url ?? '');
    if (headers['idempotency-key'] === undefined) return done();
    // A key that the contract does not declare is not validated, and no client relies on it.
    if (!operation?.parameters.some(isIdempotencyKey)) delete headers['idempotency-key'];
    else {
      if (/^"?<.*>"?$/.test(`${headers['idempotency-key']}`)) return done(placeholder());
      const own = ownHeaders(operation, headers);
      state.fingerprint = fingerprintOf([operation.id, request.params, query, own, digestOf(body)]);
    }
    done();
  });
  await app.register(openapiValidation, { schemas: options.schemas, parsers: false });
  // Responses are text that Postgres wrote, or errors.
  app.setSerializerCompiler(() => JSON.stringify);

  // 8. The handler. An exception is an ApiError, a lost database (503) or a bug (500).
  await app.register(openapiGlue, {
    specification: document,
    // The glue adds the method, the URL and the schema.
    operationResolver: (id: string) =>
      ({
        ...routeOf(id, operations[id], handlers[id], options),
        ...(templates[id]?.constraints && { constraints: templates[id].constraints }),
      }) as RouteOptions,
  });

  // 9. Every response, failures included, has the limit headers and those of a deprecation.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { state } = request.raw;
    app.requests.rest(state);
    reply.headers(limitHeaders(limiter.clock, state.decision ?? unused(limiter.clock, perAddress)));
    const link = reply.getHeader('Link');
    reply.headers(state.operation?.announcement ?? {});
    if (isPrivate.has(state.operation?.id ?? '') && !reply.hasHeader('Cache-Control'))
      reply.header('Cache-Control', 'private');
    // The handler's own link stays, such as that to the next page.
    if (link && state.operation?.announcement.Link) reply.header('Link', `${link}, ${reply.getHeader('Link')}`);
    done();
  });
}

/** Tools send `<string>` where nobody has written a key, so that the second change would seem to be the first. */
function placeholder(): ApiError {
  const message = 'is a placeholder: send a new value with each change, or none';
  const errors = [{ pointer: '/header/Idempotency-Key', message }];
  return new ApiError(400, `header Idempotency-Key ${message}`, { errors });
}

/** Bytes have their digest in a fingerprint. */
const digestOf = (body: unknown) => (body instanceof Uint8Array ? hash('sha256', body) : body);

const isIdempotencyKey = ({ in: place, name }: Parameter) => place === 'header' && /^idempotency-key$/i.test(name);

/** The headers that a handler sees, without the key. */
const ownHeaders = ({ parameters }: Operation, headers: FastifyRequest['headers']) =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'header' && !isIdempotencyKey(parameter))
      .map(({ name }) => [name, headers[name.toLowerCase()]]),
  );

/** @throws Error for an operation without a handler, such as one of a document from which the handlers were not generated */
function routeOf(
  id: string,
  operation: Operation | undefined,
  handler: Handler | undefined,
  { addressPlan, issue }: ApiOptions,
): Partial<RouteOptions> {
  if (!operation || !handler) throw new Error(`The contract's operation ${id} has no handler`);
  const declared = headersOf(operation);
  const accepted = acceptedOf(operation);
  const call = (handler.isStream ? attended(handler) : handler) as ReturnType<typeof attended>;
  return {
    config: { operation, openapi: operation, ...(handler.isStream && { isStream: true }) },
    ...(accepted && {
      preHandler(request: FastifyRequest, _reply: FastifyReply, done: () => void) {
        negotiate(request, accepted);
        done();
      },
    }),
    ...(operation.body?.max && { bodyLimit: operation.body.max }),
    // The path `/` of an API is not its base path.
    prefixTrailingSlash: 'slash',
    handler(request: FastifyRequest, reply: FastifyReply): void {
      const { params, query, body, raw } = request;
      const { identity, fingerprint } = raw.state;
      raw.state.issue = issue;
      // Credentials are headers, too, and no handler sees them.
      const headers: Record<string, unknown> = {};
      for (const name of declared) headers[name] = request.headers[name];
      const fail = (error: unknown) => sendError(error, request, reply);
      const context = {
        path: operation.path,
        url: raw.url,
        caller: identity?.caller ?? anonymous(request, addressPlan),
        fingerprint,
        state: raw.state,
      };
      call({ path: params, query, headers, body }, context, request, reply).then((result) => {
        const { counting } = raw.state;
        if (!counting) return answer(request, reply, result, operation);
        return counting.then((refusal) => {
          raw.state.counting = undefined;
          if (refusal) fail(refusal);
          else answer(request, reply, result, operation);
        }, fail);
      }, fail);
    },
  };
}

/** Sends a response, or the failure for a status, header or body that cannot be sent. */
function answer(request: FastifyRequest, reply: FastifyReply, result: HandlerResult, operation: Operation): void {
  try {
    const { status, headers, body } = result;
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw new Error(`A response has no status ${status}`);
    if (operation.response.media && sendAs(request, reply, result, operation)) return;
    // A string is JSON from the database.
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    if (sent === undefined && body !== undefined) throw new Error('The body of a response is not JSON');
    const own = headers && checkHeaders(headers);
    reply.code(status);
    if (own) reply.headers(own);
    if (sent === undefined) return void reply.send();
    reply.type(JSON_TYPE).send(sent);
  } catch (error) {
    sendError(error, request, reply);
  }
}
