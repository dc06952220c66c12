import { openapiValidation, operationsOf, RequestError } from '@petstore-platform/openapi-validation';
import Fastify from 'fastify';

const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        parameters: [
          { in: 'query', name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
          { in: 'query', name: 'sizes', explode: false, schema: { type: 'array', items: { enum: ['S', 'M', 'L'] } } },
        ],
      },
      post: {
        operationId: 'createOrder',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['sku', 'count'],
        properties: { sku: { type: 'string', pattern: '^[A-Z]{3}-\\d+$' }, count: { type: 'integer', minimum: 1 } },
        additionalProperties: false,
      },
    },
  },
} as const;

export const app = Fastify();

app.setErrorHandler((error, _request, reply) =>
  error instanceof RequestError
    ? reply.code(error.statusCode).send({ message: error.message, errors: error.errors })
    : reply.send(error),
);
await app.register(openapiValidation, { schemas: document.components.schemas });

// Routes of the document, …
const operations = operationsOf(document);
app.get('/orders', { config: { openapi: operations.listOrders } }, async ({ query }) => ({ query }));
app.post('/orders', { config: { openapi: operations.createOrder } }, async ({ body }) => body);

// … and routes with schemas of their own.
const params = { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } };
app.get('/orders/:id', { schema: { params } }, async (request) => request.params);
