/** Bare Fastify and pg. */
import fastify from 'fastify';
import { afterOf, createPet, getPet, listPets, port } from './pets.ts';

const app = fastify();

app.get<{ Querystring: { limit?: string; status?: string; cursor?: string } }>('/v1/pets', ({ query }) =>
  listPets(Number(query.limit ?? 20), query.status, afterOf(query.cursor)),
);
app.post<{ Body: Parameters<typeof createPet>[0] }>('/v1/pets', (request, reply) => {
  reply.code(201);
  return createPet(request.body);
});
app.get<{ Params: { petId: string } }>('/v1/pets/:petId', async ({ params }, reply) => {
  const pet = await getPet(Number(params.petId));
  return pet ?? reply.code(404).send({});
});
await app.listen({ port, host: '127.0.0.1' });
