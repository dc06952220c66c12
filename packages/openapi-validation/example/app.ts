import { openapiValidation, RequestError } from '@petstore-platform/openapi-validation';
import Fastify from 'fastify';

const Order = {
  type: 'object',
  required: ['sku', 'count'],
  properties: { sku: { type: 'string', pattern: '^[A-Z]{3}-\\d+$' }, count: { type: 'integer', minimum: 1 } },
  additionalProperties: false,
};

export const app = Fastify();

app.setErrorHandler((error, _request, reply) =>
  error instanceof RequestError
    ? reply.code(error.statusCode).send({ message: error.message, errors: error.errors })
    : reply.send(error),
);
await app.register(openapiValidation, { schemas: { Order } });

// Routes take schemas, in JSON Schema 2020-12, …
const params = { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } };
app.get('/orders/:id', { schema: { params } }, async (request) => request.params);

// … or what OpenAPI says of an operation: styles, and bodies of other types than JSON.
const limit = { type: 'integer', minimum: 1, maximum: 100, default: 20 };
const sizes = { type: 'array', items: { enum: ['S', 'M', 'L'] } };
const style = { style: 'form', explode: false, of: 'list' } as const;
const listOrders = {
  parameters: [
    { in: 'query', name: 'limit', required: false, schema: limit },
    { in: 'query', name: 'sizes', required: false, schema: sizes, style },
  ],
} as const;
const body = { required: true, schema: { $ref: '#/components/schemas/Order' } };
app.get('/orders', { config: { openapi: listOrders } }, async ({ query }) => ({ query }));
app.post('/orders', { config: { openapi: { parameters: [], body } } }, async (request) => request.body);
