import { connect, createServer } from 'node:net';
import { freePort } from '@petstore/testkit/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/index.ts';
import { bundleSuite, onProcess } from './runtimes.ts';
import { startService } from './service.ts';

let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  await bundleSuite();
  service = await startService('');
});

afterAll(() => service?.stop());

test('the SDK against the real service', async () => {
  const results = await onProcess(process.execPath)(service);
  expect(results.filter(({ error }) => error)).toEqual([]);
  expect(results.length).toBeGreaterThan(10);
});

test('createPet adds one animal if the connection is cut after the response', async () => {
  const { hostname, port, pathname } = new URL(service.baseUrl);
  let connections = 0;
  const proxy = createServer((client) => {
    const first = connections++ === 0;
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    // The server has stored the animal; its first response never reaches the client.
    upstream.on('data', (data) => (first ? client.resetAndDestroy() : client.write(data)));
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((other) => void other.destroy()));
    }
  });
  const cutPort = await freePort();
  await new Promise<void>((resolve) => proxy.listen(cutPort, '127.0.0.1', resolve));
  try {
    const petstore = createClient({ apiKey: service.apiKey, baseUrl: `http://127.0.0.1:${cutPort}${pathname}` });
    const name = `cut ${Date.now()}`;
    const { data, attempts } = await petstore.createPet({ name, categoryId: 7, status: 'sold' }).withResponse();
    expect([attempts, connections]).toEqual([2, 2]);
    const found: number[] = [];
    for await (const pet of petstore.listPets({ limit: 100, status: 'sold' }))
      if (pet.name === name) found.push(pet.id);
    expect(found).toEqual([data.id]);
  } finally {
    proxy.close();
  }
});
