import { authorized } from '@petstore-platform/testkit/test-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../src/generated/examples.ts';
import { service } from '../src/service.ts';
import { contract, startServer } from './support.ts';

let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server?.close());

test.for(Object.values(service.contract.operations))('$id answers the request of its examples as the contract says', async (operation, { skip }) => {
  const example = examples[operation.id];
  if (!example) return skip('the contract lacks an example of the body or of a required parameter');
  const { method, body } = example;
  const { target, headers } = await authorized(server, example.target, operation);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const response = await fetch(server.origin + target, { method, headers, body: JSON.stringify(body) ?? null });
  skip(response.status === 501, 'to be written');
  contract.expectContract(method, target, response, await response.text());
  expect(response.status).toBeLessThan(500);
});
