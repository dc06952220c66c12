import { getEventListeners } from 'node:events';
import createOpenapiFetch, { wrapAsPathBasedClient } from 'openapi-fetch';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isPetstoreError, type Middleware, type PetstoreClient, type paths } from '../src/index.ts';
import { createTestClient, errorResponse as errorOf } from '../src/testing.ts';
import { apiKey, clientOf, errorBody, errorResponse, pet, rejectionOf } from './helpers.ts';

const newPet = { name: 'Biscuit', categoryId: 7 };
const ok = () => Response.json([pet]);
type Untyped = Record<'GET' | 'POST', (path: string, init?: object) => Promise<{ data?: unknown; error?: unknown }>>;
/** As in JavaScript. */
const untyped = ({ fetchClient }: PetstoreClient) => fetchClient as unknown as Untyped;

test('is openapi-fetch with the key, the retries and the idempotency key of the methods', async () => {
  const { petstore, requests } = clientOf((_, attempt) => (attempt % 2 ? errorResponse(500) : Response.json(pet)));
  const { data, error, response } = await petstore.fetchClient.POST('/pets', { body: newPet });
  const name: string | undefined = data?.name;
  expect([name, error, response.status, requests.length]).toEqual(['Biscuit', undefined, 200, 2]);
  const [first, second] = requests.map(({ headers }) => headers.get('Idempotency-Key'));
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
  expect(requests[1]?.headers.get('Authorization')).toBe(`Bearer ${apiKey}`);
  expect(await requests[1]?.json()).toEqual(newPet);
  for (const given of [{ params: { header: { 'Idempotency-Key': 'import-42' } } }, { idempotencyKey: 'import-42' }]) {
    await petstore.fetchClient.POST('/pets', { body: newPet, ...given });
    expect(requests.at(-1)?.headers.get('Idempotency-Key')).toBe('import-42');
  }
});

test('every way of openapi-fetch to call it does the same', async () => {
  const { petstore, requests } = clientOf(() => Response.json(pet));
  const { fetchClient } = petstore;
  const init = { params: { path: { petId: 7 } } };
  await fetchClient.GET('/pets/{petId}', init);
  await fetchClient.request('get', '/pets/{petId}', init);
  await wrapAsPathBasedClient(fetchClient)['/pets/{petId}'].GET(init);
  const sent = requests.map(({ url, headers }) => `${url} ${headers.get('Authorization')}`);
  expect(sent).toEqual(Array(3).fill(`https://api.petstore.example/v1/pets/7 Bearer ${apiKey}`));
});

test('a failure with a response resolves to a PetstoreError', async () => {
  const { petstore } = clientOf(() => errorResponse(404, {}, 'not_found'));
  const { data, error, response } = await petstore.fetchClient.GET('/pets/{petId}', { params: { path: { petId: 7 } } });
  const code: string | undefined = error?.code;
  expect([data, code, response.status]).toEqual([undefined, 'not_found', 404]);
  expect(isPetstoreError(error, 'getPet', 404)).toBe(true);
});

test.each<[string, () => Response, number]>([
  // openapi-fetch alone gives `error: undefined`.
  ['an empty failure', () => new Response('', { status: 404, headers: { 'Content-Length': '0' } }), 404],
  // A bare SyntaxError.
  ['a page of a proxy', () => new Response('<html>'), 200],
  ['a page of a proxy with a length', () => new Response('<html>', { headers: { 'Content-Length': '6' } }), 200],
  ['an object for a list', () => Response.json({}), 200],
  ['a redirect', () => new Response('', { status: 302 }), 302],
  [
    'an endless body',
    () => new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(1e6)) })),
    200,
  ],
])('%s is an error, too', async (_, respond, status) => {
  const middleware: Middleware[] = [{ onResponse: ({ response }) => response.clone() }];
  for (const options of [{}, { middleware }]) {
    const { error, response } = await clientOf(respond, options).petstore.fetchClient.GET('/pets');
    expect(error).toMatchObject({ name: 'PetstoreError', code: 'unexpected_response', status });
    expect(response.status).toBe(status);
  }
});

test.each(['timeout', 'network_error'])('a response whose body has the code %s is a response', async (code) => {
  const { petstore, requests } = clientOf(() => errorResponse(400, {}, code));
  const { error, response } = await petstore.fetchClient.GET('/pets');
  expect(error).toMatchObject({ status: 400, code: 'unexpected_response', body: undefined });
  expect([response.status, requests.length]).toEqual([400, 1]);
});

test('a network failure, a timeout and an abort reject', async () => {
  const { fetchClient: offline } = clientOf(() => Promise.reject(new Error('reset')), { maxRetries: 0 }).petstore;
  expect(await rejectionOf(offline.GET('/pets'))).toMatchObject({ name: 'PetstoreError', code: 'network_error' });
  const stalled = () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([91])) }));
  const { fetchClient: late } = clientOf(stalled).petstore;
  for (const limit of [{ timeout: 100, maxRetries: 0 }, { totalTimeout: 100 }])
    expect(await rejectionOf(late.GET('/pets', limit))).toMatchObject({ code: 'timeout', status: 200, text: '[' });
});

// `abort(null)` makes openapi-fetch alone read `headers` of undefined.
test.each([new Error('enough'), null, 0])('an abort rejects with its reason: %s', async (reason) => {
  const { fetchClient } = clientOf(() => new Promise(() => {})).petstore;
  const controller = new AbortController();
  const errors: unknown[] = [];
  fetchClient.use({ onError: ({ error }) => void errors.push(error) });
  const call = rejectionOf(fetchClient.GET('/pets', { signal: controller.signal }));
  await new Promise(setImmediate);
  controller.abort(reason);
  expect(await call).toBe(reason);
  await new Promise(setImmediate);
  // A middleware can end its span.
  expect(errors).toEqual([reason]);
  expect(await rejectionOf(fetchClient.GET('/pets', { signal: AbortSignal.abort(reason) }))).toBe(reason);
});

test('a signal that outlives its calls gets no listeners that stay', async () => {
  const { signal } = new AbortController();
  const { petstore } = clientOf(ok, { middleware: [{ onRequest: ({ request }) => new Request(request) }] });
  for (let i = 0; i < 20; i++) {
    await petstore.listPets({}, { signal });
    await petstore.fetchClient.GET('/pets', { signal });
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const alone = createOpenapiFetch<paths>({ baseUrl: 'https://api.petstore.example/v1', fetch: async () => ok() });
  await alone.GET('/pets', { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});

test('options of a call and of fetch reach it, also if a middleware replaces the request', async () => {
  const inits: object[] = [];
  const fetch = async (_: string, init: object) => {
    inits.push(init);
    return errorResponse(500);
  };
  const replacing = { onRequest: ({ request }: { request: Request }) => new Request(request.url, request) };
  for (const middleware of [[], [replacing]]) {
    const { fetchClient } = clientOf(ok, { fetch, middleware }).petstore;
    const given = { maxRetries: 1, cache: 'no-store', next: { revalidate: 5 }, headers: { 'X-Trace': '1' } } as const;
    expect((await fetchClient.GET('/pets', given)).error).toMatchObject({ attempts: 2 });
    const { headers, signal, ...init } = inits.at(-1) as RequestInit;
    expect(init).toEqual({ method: 'GET', redirect: 'manual', cache: 'no-store', next: { revalidate: 5 } });
    expect([headers, signal]).toMatchObject([{ 'x-trace': '1' }, {}]);
  }
});

test('a request of a middleware brings its own signal', async () => {
  const reason = new Error('too slow for me');
  const controller = new AbortController();
  const own = { onRequest: ({ request }: { request: Request }) => new Request(request.url, controller) };
  const { fetchClient } = clientOf(() => new Promise(() => {}), { middleware: [own] }).petstore;
  const call = rejectionOf(fetchClient.GET('/pets'));
  await new Promise(setImmediate);
  controller.abort(reason);
  expect(await call).toBe(reason);
});

test.each<[string, string, object]>([
  ['petId must be', '/pets/{petId}', { params: { path: { petId: '..' } } }],
  ['petId must be', '/pets/{petId}', {}],
  ['unknown parameter "stauts"', '/pets', { params: { query: { stauts: 'sold' } } }],
  ['unknown option "baseUrl"', '/pets', { baseUrl: 'https://elsewhere.example/v1' }],
  ['Authorization is set by the option apiKey', '/pets', { headers: { Authorization: 'Bearer other' } }],
  ['authorization is set by the option apiKey', '/pets', { headers: new Headers({ Authorization: 'Bearer other' }) }],
  ['Authorization is set by the option apiKey', '/pets', { headers: [['Authorization', 'Bearer other']] }],
  ['Authorization is set by the option apiKey', '/pets', { params: { header: { Authorization: 'Bearer other' } } }],
  ['the header "X-Line" cannot be sent', '/pets', { headers: { 'X-Line': 'a\nb' } }],
  ['idempotencyKey must be', '/things', { params: { header: { 'Idempotency-Key': 'ä' } } }],
  // The service would ignore it, and a repetition act twice.
  ['unknown option "idempotencyKey"', '/pets', { idempotencyKey: 'import-42' }],
  ['unknown option "idempotencyKey"', '/pets', { params: { header: { 'Idempotency-Key': 'import-42' } } }],
  ['stay below baseUrl', '/../admin', {}],
  ['stay below baseUrl', '.elsewhere.example/', {}],
  ['stay below baseUrl', '@elsewhere.example/', {}],
  ['id must be', '/stores/{id}/{name}', { params: { path: { id: '..', name: 'a' } } }],
])('what a method refuses is refused before sending: %s, %s %j', async (message, path, init) => {
  const { petstore, requests } = clientOf(ok);
  const refusal = await rejectionOf(untyped(petstore).GET(path, init));
  expect(refusal).toBeInstanceOf(TypeError);
  expect(String(refusal)).toContain(message);
  expect(requests).toEqual([]);
});

test('a missing body is refused', async () => {
  const { petstore, requests } = clientOf(ok);
  expect(String(await rejectionOf(untyped(petstore).POST('/pets')))).toContain('createPet: the body is missing');
  expect(requests).toEqual([]);
});

test.each([
  'https://elsewhere.example/v1/pets',
  'http://api.petstore.example/v1/pets',
  'https://api.petstore.example:8443/',
])('the key does not leave the origin of the base URL, not even for a middleware: %s', async (url) => {
  const moving = { onRequest: ({ request }: { request: Request }) => new Request(url, request) };
  const { petstore, requests } = clientOf(ok, { middleware: [moving] });
  await petstore.listPets();
  await petstore.fetchClient.GET('/pets');
  expect(requests.map((request) => [request.url, request.headers.get('Authorization')])).toEqual(
    Array(2).fill([url, null]),
  );
});

test('a middleware does not see the key, and may use a credential of its own', async () => {
  const seen: (string | null)[] = [];
  const own = {
    onRequest: ({ request }: { request: Request }) => {
      seen.push(request.headers.get('Authorization'));
      request.headers.set('Authorization', 'Bearer of-the-middleware');
    },
  };
  const { petstore, requests } = clientOf(ok, { middleware: [own] });
  await petstore.listPets();
  expect(seen).toEqual([null]);
  expect(requests[0]?.headers.get('Authorization')).toBe('Bearer of-the-middleware');
});

test('a fetch of a call gets a Request with the key, for each attempt', async () => {
  const { petstore, requests } = clientOf(ok);
  const given: Request[] = [];
  const fetch = async (request: Request) => {
    given.push(request);
    return given.length === 1 ? errorResponse(500) : Response.json(pet, { status: 201 });
  };
  const { data } = await petstore.fetchClient.POST('/pets', { body: newPet, fetch });
  expect([data, requests]).toEqual([pet, []]);
  expect(given.map(({ headers }) => headers.get('Authorization'))).toEqual(Array(2).fill(`Bearer ${apiKey}`));
  expect(await given[1]?.json()).toEqual(newPet);
});

test('middleware can be added and removed later, and for one call', async () => {
  const { petstore, requests } = clientOf(ok);
  const trace = { onRequest: ({ request }: { request: Request }) => request.headers.set('X-Trace', '1') };
  petstore.fetchClient.use(trace);
  await petstore.listPets();
  petstore.fetchClient.eject(trace);
  await petstore.listPets();
  await petstore.fetchClient.GET('/pets', { middleware: [trace] });
  expect(requests.map(({ headers }) => headers.get('X-Trace'))).toEqual(['1', null, '1']);
});

test('a failure that a middleware replaces is the one that is thrown', async () => {
  const body = errorBody(418, 'teapot');
  const { petstore } = clientOf(() => errorResponse(404), {
    middleware: [{ onResponse: () => Response.json(body, { status: 418 }) }],
  });
  expect(await rejectionOf(petstore.listPets())).toMatchObject({ status: 418, code: 'teapot', body });
});

test('runs on React Native, whose Request and Response are those of whatwg-fetch, without streams', async () => {
  const native: object = await import('whatwg-fetch' as string);
  for (const [name, value] of Object.entries({ ...native, ReadableStream: undefined })) vi.stubGlobal(name, value);
  onTestFinished(() => void vi.unstubAllGlobals());
  const seen: unknown[] = [];
  const { petstore, requests } = clientOf((_, attempt) => {
    const body = attempt === 1 ? '' : JSON.stringify({ ...pet, name: 'Bärli 犬' });
    return new Response(body, { status: attempt === 1 ? 503 : 200, headers: { 'Content-Type': 'application/json' } });
  });
  petstore.fetchClient.use({ onResponse: ({ request, response }) => void seen.push(request.url, response.status) });
  expect((await petstore.fetchClient.POST('/pets', { body: { ...newPet, name: '犬' } })).data?.name).toBe('Bärli 犬');
  expect((await petstore.createPet(newPet)).name).toBe('Bärli 犬');
  expect(seen).toEqual(Array(2).fill(['https://api.petstore.example/v1/pets', 200]).flat());
  expect(await requests[1]?.json()).toMatchObject({ name: '犬' });
});

test('needs neither Request.clone, Request.body nor duplex, which not every runtime has', async () => {
  const { petstore, requests } = clientOf((_, attempt) => (attempt === 1 ? errorResponse(500) : Response.json(pet)));
  const { fetchClient } = petstore;
  fetchClient.use({
    onRequest: ({ request }) => {
      const absent = () => {
        throw new Error('not in this runtime');
      };
      for (const name of ['clone', 'body', 'duplex']) Object.defineProperty(request, name, { get: absent });
    },
  });
  expect((await fetchClient.POST('/pets', { body: newPet })).data).toEqual(pet);
  expect(await requests[1]?.json()).toEqual(newPet);
});

test('a body of bytes is sent byte for byte, for every attempt', async () => {
  const { petstore, requests } = clientOf((_, attempt) => (attempt === 1 ? errorResponse(500) : Response.json(pet)));
  const bodySerializer = () => {
    const form = new FormData();
    form.set('photo', new Blob([new Uint8Array([0xff, 0xfe])]));
    return form;
  };
  await petstore.fetchClient.POST('/pets', { body: newPet, bodySerializer });
  const photo = (await requests[1]?.formData())?.get('photo') as Blob;
  expect([...new Uint8Array(await photo.arrayBuffer())]).toEqual([0xff, 0xfe]);
});

test.each([
  ['text', JSON.stringify([pet])],
  ['arrayBuffer', new TextEncoder().encode(JSON.stringify([pet])).buffer],
] as const)('parseAs: %s', async (parseAs, expected) => {
  const { fetchClient } = clientOf(ok).petstore;
  expect((await fetchClient.GET('/pets', { parseAs })).data).toEqual(expected);
});

test('the client for tests has it, too', async () => {
  const petstore = createTestClient({
    listPets: ({ limit = 0 }) => [{ ...pet, id: limit }],
    createPet: (body, { idempotencyKey }) => ({ ...body, id: Number(idempotencyKey) }),
    getPet: ({ petId }) => errorOf(404, 'not_found', `no ${petId}`),
  });
  const { data } = await petstore.fetchClient.GET('/pets', { params: { query: { limit: 3 } } });
  expect(data?.[0]?.id).toBe(3);
  expect(await petstore.createPet(newPet, { idempotencyKey: '7' })).toMatchObject({ id: 7 });
  const getsPet = { params: { path: { petId: 7 } } };
  const { error } = await petstore.fetchClient.GET('/pets/{petId}', getsPet);
  expect(error?.message).toContain('no 7');
  const fetch = async () => Response.json(pet);
  expect((await petstore.fetchClient.GET('/pets/{petId}', { ...getsPet, fetch })).data).toEqual(pet);
});
