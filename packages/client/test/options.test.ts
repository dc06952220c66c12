import { expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, createClient, type DeprecationNotice } from '../src/index.ts';
import { apiKey, clientOf, errorResponse, failureOf, pet, rejectionOf } from './helpers.ts';

const ok = () => Response.json([]);
const namesOf = (request: Request | undefined) => Object.fromEntries(request?.headers ?? []);

test('fetch gets a string and a plain init, its body a string', async () => {
  const calls: unknown[][] = [];
  const fetch: NonNullable<ClientOptions['fetch']> = async (...args) => {
    calls.push(args);
    return Response.json(pet, { status: 201 });
  };
  await createClient({ apiKey, fetch }).createPet({ name: 'Biscuit', categoryId: 7 });
  const [[url, init, ...more]] = calls as [[string, RequestInit]];
  expect([url, more]).toEqual(['https://api.petstore.example/v1/pets', []]);
  expect(Object.getPrototypeOf(init)).toBe(Object.prototype);
  expect(Object.getPrototypeOf(init.headers)).toBe(Object.prototype);
  expect(init).toMatchObject({ method: 'POST', redirect: 'manual', body: '{"name":"Biscuit","categoryId":7}' });
  expect(init.signal).toBeInstanceOf(AbortSignal);
});

test('headers of client and call are merged case-insensitively: the call wins, undefined removes', async () => {
  const { petstore, requests } = clientOf(ok, { headers: { 'X-Tenant': 'a', 'X-Trace': '1' } });
  await petstore.listPets();
  await petstore.listPets({}, { headers: { 'x-tenant': 'b', 'X-TRACE': undefined, 'X-New': 'c' } });
  expect(namesOf(requests[0])).toMatchObject({ 'x-tenant': 'a', 'x-trace': '1' });
  expect(namesOf(requests[1])).toMatchObject({ 'x-tenant': 'b', 'x-new': 'c', authorization: `Bearer ${apiKey}` });
  expect(requests[1]?.headers.has('X-Trace')).toBe(false);
});

test('every request names the client, with any headers', async () => {
  const { petstore, requests } = clientOf(ok, { headers: { 'X-Petstore-Client': 'other' } });
  await petstore.listPets({}, { headers: { 'x-petstore-client': undefined } });
  expect(requests[0]?.headers.get('X-Petstore-Client')).toMatch(/^js\/\d+\.\d+\.\d+/);
});

test.each<[object, string]>([
  [{ authorization: 'Bearer other' }, 'the header authorization is set by the option apiKey'],
  [{ 'Idempotency-Key': 'a' }, 'the header Idempotency-Key is set by the option idempotencyKey'],
  ['X-Trace: a' as never, 'headers must be an object'],
  [{ 'two words': 'a' }, 'the header "two words" cannot be sent'],
  [{ 'X-Line': 'a\nb' }, 'the header "X-Line" cannot be sent'],
])('headers that cannot be sent are refused: %j', async (given, message) => {
  const headers = given as Record<string, string>;
  expect(() => createClient({ apiKey, headers })).toThrow(new TypeError(`createClient: ${message}`));
  const { petstore, requests } = clientOf(ok);
  expect(String(await rejectionOf(petstore.listPets({}, { headers })))).toBe(`TypeError: listPets: ${message}`);
  expect(requests).toEqual([]);
});

test('withOptions creates a client with other options and leaves the first one unchanged', async () => {
  const { petstore, requests } = clientOf(() => errorResponse(500), {
    headers: { 'X-Tenant': 'a', 'X-Trace': '1' },
    maxRetries: 0,
  });
  const other = petstore.withOptions({
    environment: 'staging',
    maxRetries: 1,
    timeout: undefined,
    headers: { 'x-tenant': 'b', 'X-Trace': undefined },
  });
  expect(await failureOf(other.listPets())).toMatchObject({ attempts: 2 });
  expect(await failureOf(petstore.listPets())).toMatchObject({ attempts: 1 });
  expect(requests.map(({ url }) => new URL(url).host)).toEqual([
    'api.staging.petstore.example',
    'api.staging.petstore.example',
    'api.petstore.example',
  ]);
  expect(namesOf(requests[0])).toMatchObject({ 'x-tenant': 'b', authorization: `Bearer ${apiKey}` });
  expect(requests[0]?.headers.has('X-Trace')).toBe(false);
  expect(namesOf(requests[2])).toMatchObject({ 'x-tenant': 'a', 'x-trace': '1' });
});

test('an environment replaces an inherited base URL', async () => {
  const { petstore, requests } = clientOf(ok, { baseUrl: 'http://127.0.0.1:3000/v1' });
  await petstore.withOptions({ maxRetries: 1 }).listPets();
  await petstore.withOptions({ environment: 'staging' }).listPets();
  expect(requests.map(({ url }) => new URL(url).host)).toEqual(['127.0.0.1:3000', 'api.staging.petstore.example']);
});

test('a deprecation is reported once, also for fetchClient and clients of withOptions', async () => {
  const notices: DeprecationNotice[] = [];
  const onDeprecation = (notice: DeprecationNotice) => notices.push(notice);
  const { petstore } = clientOf(() => Response.json([], { headers: { Deprecation: '@1' } }), { onDeprecation });
  await petstore.withOptions({ timeout: 5 }).listPets();
  await petstore.listPets();
  await petstore.fetchClient.GET('/pets');
  expect(notices).toHaveLength(1);
  await petstore.withOptions({ onDeprecation }).listPets();
  expect(notices).toHaveLength(2);
});

test('a key may be a function, called for every attempt', async () => {
  let calls = 0;
  const { petstore, requests } = clientOf((_, attempt) => (attempt === 1 ? errorResponse(500) : ok()), {
    apiKey: async () => `pets_rotated_${++calls}`,
  });
  await petstore.listPets();
  await petstore.withOptions({ maxRetries: 0 }).listPets();
  expect(requests.map(({ headers }) => headers.get('Authorization'))).toEqual([
    'Bearer pets_rotated_1',
    'Bearer pets_rotated_2',
    'Bearer pets_rotated_3',
  ]);
});

test('a failing key function ends the call with its error; a hanging one is within the deadline', async () => {
  const fault = new DOMException('no vault', 'TimeoutError');
  const failing = clientOf(ok, { apiKey: () => Promise.reject(fault) });
  expect(await rejectionOf(failing.petstore.listPets())).toBe(fault);
  const wrong = clientOf(ok, { apiKey: () => 'two words' });
  expect(String(await rejectionOf(wrong.petstore.listPets()))).toMatch(/^TypeError: apiKey must be/);
  const hanging = clientOf(ok, { apiKey: () => new Promise(() => {}), timeout: 100, maxRetries: 0 });
  expect(await failureOf(hanging.petstore.listPets())).toMatchObject({ code: 'timeout', attempts: 1 });
  for (const { requests } of [failing, wrong, hanging]) expect(requests).toEqual([]);
});

test('the key defaults to PETSTORE_API_KEY; without both, the error names both', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const key of [undefined, '']) {
    vi.stubEnv('PETSTORE_API_KEY', key);
    expect(() => createClient({ apiKey: undefined })).toThrow(/^apiKey is missing.*PETSTORE_API_KEY/);
    expect(() => createClient()).toThrow(TypeError);
  }
  vi.stubEnv('PETSTORE_API_KEY', 'pets_of_the_environment');
  const { petstore, requests } = clientOf(ok, { apiKey: undefined });
  await petstore.listPets();
  expect(requests[0]?.headers.get('Authorization')).toBe('Bearer pets_of_the_environment');
  vi.stubEnv('PETSTORE_API_KEY', 'two words');
  expect(() => createClient()).toThrow(/^apiKey must be/);
});

test('without access to environment variables, the key is missing', () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const forbidden = {
    get env() {
      throw new Error('NotCapable');
    },
  };
  for (const process of [undefined, {}, forbidden]) {
    vi.stubGlobal('process', process);
    expect(() => createClient()).toThrow(/^apiKey is missing/);
  }
});

test('nothing is sent after an abort, even by a fetch that ignores its signal', async () => {
  let give: (key: string) => void = () => {};
  const key = new Promise<string>((resolve) => {
    give = resolve;
  });
  const { petstore, requests } = clientOf(ok, { apiKey: () => key });
  const controller = new AbortController();
  const call = petstore.listPets({}, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  give(apiKey);
  await new Promise(setImmediate);
  expect(requests).toEqual([]);
});

test('a response of a custom fetch needs only the members of its type', async () => {
  const fetch = async () => ({ status: 200, headers: new Headers(), text: async () => '[]' });
  expect(await createClient({ apiKey, fetch }).listPets()).toEqual([]);
});
