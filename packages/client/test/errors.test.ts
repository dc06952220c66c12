import { expect, test } from 'vitest';
import { type ErrorBody, isPetstoreError } from '../src/index.ts';
import { apiKey, clientOf, failureOf } from './helpers.ts';

const notFound = { code: 'not_found', message: 'There is no animal 42', status: 404 };

test('a failure has the fields of the error response', async () => {
  const headers = {
    'X-Request-Id': '6b1c',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
    'X-RateLimit-Reset': '1795176060',
    'Retry-After': '30',
  };
  const { petstore } = clientOf(() => Response.json(notFound, { status: 404, headers }));

  const error = await failureOf(petstore.getPet({ petId: 42 }));

  expect(error).toMatchObject({
    name: 'PetstoreError',
    message: 'getPet failed: 404 not_found: There is no animal 42 (request 6b1c)',
    status: 404,
    code: 'not_found',
    requestId: '6b1c',
    rateLimit: { limit: 60, remaining: 59, reset: new Date('2026-11-20T12:01:00Z') },
    retryAfter: 30,
    text: JSON.stringify(notFound),
    method: 'GET',
    url: 'https://api.petstore.example/v1/pets/42',
  });
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    ...{ name: 'PetstoreError', message: error.message, operation: 'getPet', status: 404, code: 'not_found' },
    ...{ requestId: '6b1c', attempts: 1 },
  });
  expect(error.response?.status).toBe(404);
  expect(error.stack).toMatch(/^PetstoreError: getPet failed/);
  expect('cause' in error).toBe(false);
});

test('a network failure has status 0, its cause, and the cause of "fetch failed" in its message', async () => {
  const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') });
  const { petstore } = clientOf(() => Promise.reject(cause), { maxRetries: 0 });

  const error = await failureOf(petstore.listPets());

  expect(error).toMatchObject({ status: 0, code: 'network_error', cause, text: '' });
  expect(error.message).toBe('listPets failed: network_error: connect ECONNREFUSED 127.0.0.1:9');
  expect([error.response, error.requestId, error.rateLimit, error.retryAfter]).toEqual(Array(4).fill(undefined));
});

test('the URL of an error has no credentials, even if a middleware adds them', async () => {
  const url = 'https://user:secret@api.petstore.example/v1/pets?q=1';
  const { petstore } = clientOf(() => Response.json([]), {
    fetch: () => Promise.reject(new TypeError('fetch failed')),
    maxRetries: 0,
    middleware: [{ onRequest: ({ request }) => Object.defineProperty(request, 'url', { value: url }) as Request }],
  });
  const error = await failureOf(petstore.listPets());
  expect(error).toMatchObject({ code: 'network_error', url: 'https://api.petstore.example/v1/pets?q=1' });
});

test.each([undefined, null, 'offline', Symbol('offline'), Object.create(null), { message: 1 }])(
  'anything that fetch throws is a network_error: %s',
  async (cause) => {
    const { petstore } = clientOf(() => Promise.reject(cause));
    const error = await failureOf(petstore.listPets());
    expect([error.code, error.cause]).toEqual(['network_error', cause]);
  },
);

test('the message is one line of bounded length', async () => {
  const text = `first\r\nsecond\u001b[31m ${'x'.repeat(9999)}`;
  for (const [body, start] of [
    [{ ...notFound, message: text }, '404 not_found: '],
    [{ ...notFound, code: text }, '404 '],
  ] as const) {
    const { petstore } = clientOf(() =>
      Response.json(body, { status: 404, headers: { 'X-Request-Id': 'y'.repeat(9999) } }),
    );
    const { message } = await failureOf(petstore.getPet({ petId: 42 }));
    expect(message).toMatch(/^getPet failed: 404 [^\p{Control}]{500,650}$/u);
    expect(message).toContain(`getPet failed: ${start}first second [31m xxx`);
  }
});

test('the key is redacted from a message that fetch threw', async () => {
  const { petstore } = clientOf(() => Promise.reject(new Error(`${'x'.repeat(295)}${apiKey}`)));
  expect((await failureOf(petstore.listPets())).message).not.toContain(apiKey.slice(0, 4));
});

test('isPetstoreError recognizes an error of another copy of the package', async () => {
  class PetstoreErrorOfAnotherCopy extends Error {
    override name = 'PetstoreError';
  }
  expect(isPetstoreError(new PetstoreErrorOfAnotherCopy())).toBe(true);
  const { petstore } = clientOf(() => Promise.reject(new Error('offline')));
  expect(isPetstoreError(await failureOf(petstore.listPets()))).toBe(true);
  for (const value of [new Error(), undefined, null, 'PetstoreError']) expect(isPetstoreError(value)).toBe(false);
});

test('isPetstoreError narrows by operation and status, and only for the body that the contract declares', async () => {
  const { petstore } = clientOf(() => Response.json(notFound, { status: 404 }));
  const error: unknown = await failureOf(petstore.getPet({ petId: 42 }));
  expect(isPetstoreError(error, 'getPet')).toBe(true);
  expect(isPetstoreError(error, 'listPets')).toBe(false);
  expect(isPetstoreError(error, 'getPet', 401)).toBe(false);
  if (!isPetstoreError(error, 'getPet', 404)) throw error;
  const { body, status, operation }: { body: ErrorBody; status: 404; operation: 'getPet' } = error;
  expect({ body, status, operation }).toEqual({ body: notFound, status: 404, operation: 'getPet' });
});

test('an HTML page of a proxy is not a failure of the contract', async () => {
  const { petstore } = clientOf(() => new Response('<h1>404</h1>', { status: 404 }));
  const error = await failureOf(petstore.getPet({ petId: 42 }));
  expect(error.body).toBeUndefined();
  expect(isPetstoreError(error, 'getPet')).toBe(true);
  expect(isPetstoreError(error, 'getPet', 404)).toBe(false);
});
