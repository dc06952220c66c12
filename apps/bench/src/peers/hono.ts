/** Hono with @hono/zod-openapi, and pg. */
import { serve } from '@hono/node-server';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { afterOf, createPet, getPet, listPets, port, ready } from './pets.ts';

const status = z.enum(['available', 'pending', 'sold']);
const newPet = z.strictObject({ name: z.string().min(1).max(255), categoryId: z.int(), status: status.optional() });
const pet = newPet.extend({ id: z.int() });
const json = <Schema>(schema: Schema) => ({ content: { 'application/json': { schema } }, description: '' });

const app = new OpenAPIHono();
app.openapi(
  createRoute({
    method: 'get',
    path: '/v1/pets',
    request: {
      query: z.object({
        limit: z.coerce.number().int().min(1).max(100).default(20),
        status: status.optional(),
        cursor: z.string().optional(),
      }),
    },
    responses: { 200: json(z.array(pet)) },
  }),
  async (context) => {
    const { limit, status, cursor } = context.req.valid('query');
    return context.json((await listPets(limit, status, afterOf(cursor))) as z.infer<typeof pet>[], 200);
  },
);
app.openapi(
  createRoute({
    method: 'post',
    path: '/v1/pets',
    request: { body: { ...json(newPet), required: true } },
    responses: { 201: json(pet) },
  }),
  async (context) => context.json((await createPet(context.req.valid('json'))) as z.infer<typeof pet>, 201),
);
app.openapi(
  createRoute({
    method: 'get',
    path: '/v1/pets/{petId}',
    request: { params: z.object({ petId: z.coerce.number().int() }) },
    responses: { 200: json(pet), 404: json(z.object({})) },
  }),
  async (context) => {
    const found = await getPet(context.req.valid('param').petId);
    return found ? context.json(found as z.infer<typeof pet>, 200) : context.json({}, 404);
  },
);
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, ready);
