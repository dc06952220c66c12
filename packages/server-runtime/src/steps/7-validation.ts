import { hash } from 'node:crypto';
import openapiValidation from '@petstore-platform/openapi-validation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { fingerprintOf } from '../api/idempotency.ts';
import type { routesOf } from '../api/routing.ts';
import type { Contract, Operation, Parameter } from '../contract.ts';
import { ApiError } from '../errors.ts';

interface ValidationOptions {
  schemas: Contract['schemas'];
  templates: ReturnType<typeof routesOf>['templates'];
}

/**
 * 7. Refuses what the contract does not admit (400, for the path 404): rules that schemas cannot express, then the schemas. It takes the
 * fingerprint of a request with a key first: a default that the contract gains must not change it.
 */
export const validation = plugin(
  async (app: FastifyInstance, { schemas, templates }: ValidationOptions) => {
    app.addHook('preValidation', (request, _reply, done) => {
      const { headers, query, body, raw } = request;
      const { state } = raw;
      const { operation } = state;
      if (operation) request.params = templates[operation.id]?.valuesOf(request.params, raw.url ?? '');
      const key = headers['idempotency-key'];
      if (key === undefined) return done();
      // A key that the contract does not declare is not validated, and no client relies on it.
      if (!operation?.parameters.some(isIdempotencyKey)) delete headers['idempotency-key'];
      else if (/^"?<.*>"?$/.test(`${key}`)) return done(placeholder());
      else {
        const declared = declaredHeaders(operation, headers);
        state.fingerprint = fingerprintOf([operation.id, request.params, query, declared, digestOf(body)]);
      }
      done();
    });
    await app.register(openapiValidation, { schemas });
  },
  { name: 'validation', dependencies: ['body'] },
);

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
const declaredHeaders = ({ parameters }: Operation, headers: FastifyRequest['headers']) =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'header' && !isIdempotencyKey(parameter))
      .map(({ name }) => [name, headers[name.toLowerCase()]]),
  );
