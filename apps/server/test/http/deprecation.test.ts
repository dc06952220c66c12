import { temporaryProxy } from '@repo/testkit/proxy';
import { expect, test } from 'vitest';
import { operations } from '../../src/generated/table.ts';
import { temporaryDatabase } from '../support/database.ts';
import { type TestServer, temporaryServer } from '../support/server.ts';

const announcement = {
  deprecation: `@${Date.UTC(2026, 10, 20) / 1000}`,
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: '</v1/pets?status=available>; rel="successor-version"',
};

function announced({ headers }: Response) {
  const { deprecation, sunset, link } = Object.fromEntries(headers);
  return { deprecation, sunset, link };
}

const nothing = { deprecation: undefined, sunset: undefined, link: undefined };

/** One response of each status that `getPet` has. */
async function responses(server: TestServer): Promise<Response[]> {
  const { id } = await server.petstore.createPet({ name: 'Biscuit', categoryId: 7 });
  const { key } = await server.createKey({ plan: 'enterprise', perMinute: 1, perDay: 1 });
  const headers = { Authorization: `Bearer ${key}` };
  await server.request('/v1/pets', { headers });
  return Promise.all([
    server.request(`/v1/pets/${id}`),
    server.request(`/v1/pets/${id}`, { method: 'HEAD' }),
    server.request(`/v1/pets/${id}?unknown=1`),
    server.anonymous(`/v1/pets/${id}`),
    server.request('/v1/pets/0'),
    server.request('/v1/pets/abc'),
    server.request(`/v1/pets/${'1'.repeat(5_000)}`),
    server.request(`/v1/pets/${id}`, { headers }),
  ]);
}

test('every response of getPet announces its removal and replacement', async () => {
  const url = await temporaryDatabase();
  const proxy = await temporaryProxy(url);
  const server = await temporaryServer({ databaseUrl: proxy.url });
  const all = await responses(server);
  expect(all.map(({ status }) => status)).toEqual([200, 200, 400, 401, 404, 404, 404, 429]);
  expect(all.map(announced)).toEqual(all.map(() => announcement));

  await proxy.cut();
  const unavailable = await server.request('/v1/pets/1');
  expect([unavailable.status, announced(unavailable)]).toEqual([503, announcement]);
});

test('a 500 of getPet announces them, too', async () => {
  const server = await temporaryServer({ handlers: { getPet: () => Promise.reject(new Error('a bug')) } });
  const response = await server.request('/v1/pets/1');
  expect([response.status, announced(response)]).toEqual([500, announcement]);
});

test('no other response announces a removal', async () => {
  const server = await temporaryServer();
  const animal = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const all = await Promise.all([
    server.request('/v1/pets'),
    server.request('/v1/pets?limit=0'),
    server.anonymous('/v1/pets'),
    server.request('/v1/pets', { ...animal, body: '{"name":"Biscuit","categoryId":7}' }),
    server.request('/v1/pets', { ...animal, body: '{}' }),
    server.request('/v1/pets/1', { method: 'PURGE' }),
    server.request('/v1/pets/1/nowhere'),
  ]);
  expect(all.map(({ status }) => status)).toEqual([200, 400, 401, 201, 400, 405, 404]);
  expect(all.map(announced)).toEqual(all.map(() => nothing));
});

test('a deprecated list links to its next page, too', async () => {
  const announcement = { ...operations.getPet.announcement, Link: '</v1/pets>; rel="successor-version"' };
  const server = await temporaryServer({
    operations: { ...operations, listPets: { ...operations.listPets, announcement } },
  });
  await server.petstore.createPet({ name: 'Biscuit', categoryId: 7 });
  await server.petstore.createPet({ name: 'Olive', categoryId: 2 });
  const response = await server.request('/v1/pets?limit=1');
  expect(response.headers.get('Link')).toMatch(/^<[^>]+>; rel="next", <\/v1\/pets>; rel="successor-version"$/);
});
