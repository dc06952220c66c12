import { tryAll } from '@petstore/testkit/attempt';
import { allCases } from '@petstore/testkit/http-cases';
import { expect, test } from 'vitest';
import { temporaryServer } from '../support/server.ts';

test('any bytes get the right responses or a closed connection', async () => {
  const { origin, apiKey } = await temporaryServer();
  // slow-clients.test.ts has the cases with waits.
  const cases = allCases(apiKey).filter(({ answers }) => !answers?.includes(408));
  expect(await tryAll(Number(new URL(origin).port), cases)).toEqual([]);
});
