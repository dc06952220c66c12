import { tryAll } from '@petstore/testkit/attempt';
import { allCases } from '@petstore/testkit/http-cases';
import { expect, test } from 'vitest';
import { temporaryServer } from '../support/server.ts';

test('whatever a client sends, it gets the right answers, or its connection is closed', async () => {
  const { origin, apiKey } = await temporaryServer();
  // slow-clients.test.ts has those that the server waits for.
  const cases = allCases(apiKey).filter(({ answers }) => !answers?.includes(408));
  expect(await tryAll(Number(new URL(origin).port), cases)).toEqual([]);
});
