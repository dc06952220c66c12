import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../src/index.ts';
import { version } from '../src/version.ts';
import { apiKey, clientOf, pet } from './helpers.ts';

test('listPets sends its parameters in the query and skips undefined ones', async () => {
  const { petstore, requests } = clientOf(() => Response.json([pet]));

  expect(await petstore.listPets({ limit: 5, status: 'available' })).toEqual([pet]);
  await petstore.listPets();
  await petstore.listPets({ status: undefined });

  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET https://api.petstore.example/v1/pets?limit=5&status=available',
    'GET https://api.petstore.example/v1/pets',
    'GET https://api.petstore.example/v1/pets',
  ]);
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
    accept: 'application/json',
    authorization: `Bearer ${apiKey}`,
    'x-petstore-client': `js/${version}`,
  });
});

test('createPet sends its body as JSON', async () => {
  const { petstore, requests } = clientOf(() => Response.json(pet, { status: 201 }));

  expect(await petstore.createPet({ name: 'Biscuit', categoryId: 7 })).toEqual(pet);

  const [request] = requests;
  expect(`${request?.method} ${request?.url}`).toBe('POST https://api.petstore.example/v1/pets');
  expect(request?.headers.get('Content-Type')).toBe('application/json');
  expect(await request?.json()).toEqual({ name: 'Biscuit', categoryId: 7 });
});

test('getPet sends its identifier in the path', async () => {
  const { petstore, requests } = clientOf(() => Response.json(pet));

  expect(await petstore.getPet({ petId: 1 })).toEqual(pet);
  expect(requests[0]?.url).toBe('https://api.petstore.example/v1/pets/1');
});

test.each<[ClientOptions, string]>([
  [{}, 'https://api.petstore.example/v1/pets'],
  [{ environment: 'staging' }, 'https://api.staging.petstore.example/v1/pets'],
  [{ baseUrl: 'http://127.0.0.1:3000/v1' }, 'http://127.0.0.1:3000/v1/pets'],
  [{ baseUrl: 'http://127.0.0.1:3000/v1/' }, 'http://127.0.0.1:3000/v1/pets'],
  [{ environment: 'staging', baseUrl: 'http://127.0.0.1:3000' }, 'http://127.0.0.1:3000/pets'],
])('with %j it calls %s', async (options, url) => {
  const { petstore, requests } = clientOf(() => Response.json([]), options);
  await petstore.listPets();
  expect(requests[0]?.url).toBe(url);
});

test.each([
  ['apiKey', { apiKey: null }],
  ['apiKey', { apiKey: '' }],
  ['apiKey', { apiKey: 'two words' }],
  ['apiKey', { apiKey: 'line\n' }],
  ['apiKey', { apiKey: 'schlüssel' }],
  ['environment', { environment: 'toString' }],
  ['baseUrl', { baseUrl: '' }],
  ['baseUrl', { baseUrl: '/v1' }],
  ['baseUrl', { baseUrl: 'ftp://127.0.0.1/v1' }],
  ['baseUrl', { baseUrl: 'https://user:password@127.0.0.1/v1' }],
  ['baseUrl', { baseUrl: 'https://127.0.0.1/v1?key=1' }],
  ['fetch', { fetch: 'fetch' }],
  ['onRetry', { onRetry: true }],
  ['onDeprecation', { onDeprecation: null }],
  ['timeout', { timeout: '10' }],
  ['totalTimeout', { totalTimeout: -1 }],
  ['maxRetries', { maxRetries: Number.NaN }],
  ['middleware', { middleware: {} }],
  ['middleware', { middleware: ['log'] }],
])('createClient refuses a wrong %s: %j', (name, options) => {
  expect(() => createClient({ apiKey, ...options } as ClientOptions)).toThrow(new RegExp(`^${name} must be`, 'i'));
});

test('an unknown option is refused by name', () => {
  const options = { apiKey, enviroment: 'staging' };
  expect(() => createClient(options)).toThrow(new TypeError('createClient: unknown option "enviroment"'));
  expect(() => createClient({ apiKey }).withOptions({ maxRetrys: 1 } as object)).toThrow('unknown option "maxRetrys"');
});

test('the package exports the documented names only', async () => {
  expect(Object.keys(await import('../src/index.ts')).sort()).toEqual([
    'PetstoreError',
    'createClient',
    'isPetstoreError',
  ]);
});

test('sends the version of the package', () => {
  const { version: published } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(version).toBe(published);
});

test('without a fetch option, each call looks up the global fetch', async () => {
  const petstore = createClient({ apiKey });
  vi.stubGlobal('fetch', async () => Response.json([pet]));
  try {
    expect(await petstore.listPets()).toEqual([pet]);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('inspecting the client shows its methods, not its key', () => {
  const shown = inspect(createClient({ apiKey }), { depth: 9, showHidden: true });
  expect(shown).toContain('listPets: [Function: listPets]');
  expect(shown).not.toContain(apiKey);
});
