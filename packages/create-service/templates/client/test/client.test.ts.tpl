import { expect, test } from 'vitest';
import { createClient, {{Title}}Error } from '../src/generated/index.ts';
import { operations } from '../src/generated/table.ts';
import { errorResponse } from '../src/generated/testing.ts';

test('the client has a method for each operation, and its failures the name of the service', async () => {
  const refuse = async () => errorResponse(404, 'not_found', 'no');
  const client = createClient({ apiKey: 'test', baseUrl: 'http://127.0.0.1:1', fetch: refuse });
  const failure = await client.request('GET', '/nothing').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf({{Title}}Error);
  expect(failure).toMatchObject({ name: '{{Title}}Error', code: 'not_found' });
  const { beta, experimental }: { beta?: object; experimental?: object } = Object(client);
  const methods = [client, beta, experimental].flatMap((group) => Object.keys(Object(group)));
  expect(methods).toEqual(expect.arrayContaining(Object.keys(operations)));
});
