// The conformance suite checks the SDK's documented behavior on any runtime, against the real service. It uses only the
// language, web globals and the published package, so that one bundle runs everywhere.
import { type ClientOptions, createClient, isPetstoreError, type Middleware, type Pet } from '@petstore/client';
import { createTestClient } from '@petstore/client/testing';

export interface Target {
  /** Base URL of the real service, including `/v1`. */
  baseUrl: string;
  apiKey: string;
}

export interface Result {
  name: string;
  /** The error of a failed check; absent if it passed. */
  error?: string;
}

function equal(actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${a} is not ${b}`);
}

async function rejection(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call resolved');
}

/** The fields of every failure. */
async function failure(call: PromiseLike<unknown>) {
  const error = await rejection(call);
  if (!isPetstoreError(error)) throw error;
  const { status, code, attempts } = error;
  return { status, code, attempts };
}

const newPet = (name: string) => ({ name, categoryId: 7, status: 'pending' as const });

/** Runs all checks in sequence. */
export async function runSuite({ baseUrl, apiKey }: Target): Promise<Result[]> {
  const clientOf = (options: ClientOptions) => createClient({ apiKey, baseUrl, ...options });
  const petstore = clientOf({});
  const unique = `${Date.now()} ${Math.random()}`;

  const checks: Record<string, () => Promise<void>> = {
    async 'createPet adds an animal, whatever its name is written in'() {
      const body = newPet(`🐕 Bärli 犬 ${unique}`);
      const { data, response, requestId, rateLimit, attempts } = await petstore.createPet(body).withResponse();
      equal([data.name, data.categoryId, data.status], [body.name, body.categoryId, body.status]);
      equal(Number.isSafeInteger(data.id), true);
      equal([response.status, attempts], [201, 1]);
      equal(typeof requestId, 'string');
      equal(Object.keys(rateLimit?.windows ?? {}).sort(), ['day', 'minute']);
      equal([rateLimit?.windows.minute?.limit, rateLimit?.windows.day?.limit], [999_999_999, 999_999_999]);
      equal(Number(rateLimit?.reset) > Date.now() - 60_000, true);
    },

    async 'iterating a list gives every animal once, in order, and its pages are no longer than asked'() {
      const created: Pet[] = [];
      for (let index = 0; index < 5; index++) created.push(await petstore.createPet(newPet(`${unique} ${index}`)));
      const start = (await petstore.listPets({ limit: 1 }).withResponse()).response.headers.get('Link');
      equal(start !== null, true);
      const walked: Pet[] = [];
      for await (const pet of petstore.listPets({ limit: 100, status: 'pending' })) walked.push(pet);
      equal(
        walked.filter(({ name }) => created.some((pet) => pet.name === name)),
        created,
      );
      let pages = 0;
      for await (const page of petstore.listPets({ limit: 2, status: 'pending' }).pages()) {
        equal(page.length <= 2, true);
        if (++pages === 2) break;
      }
      equal(pages, 2);
    },

    async 'a failure is narrowed to the body that the contract declares'() {
      const error = await rejection(petstore.getPet({ petId: Number.MAX_SAFE_INTEGER }));
      if (!isPetstoreError(error, 'getPet', 404)) throw error;
      equal([error.body.code, error.body.status, error.attempts], ['not_found', 404, 1]);
      equal(error.message.includes(error.body.message), true);
    },

    async 'a wrong key is refused, and appears in no message'() {
      const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`;
      const error = await rejection(clientOf({ apiKey: wrong }).listPets());
      if (!isPetstoreError(error, 'listPets', 401)) throw error;
      equal(`${error.message}${error.text}${JSON.stringify(error)}`.includes(wrong), false);
    },

    async 'a service that is not there is a network_error'() {
      // A browser refuses some ports, such as 1, at once.
      const absent = clientOf({ baseUrl: 'http://127.0.0.1:2/v1', maxRetries: 1 });
      equal(await failure(absent.listPets()), { status: 0, code: 'network_error', attempts: 2 });
    },

    async 'an animal is added once, though its answer was lost'() {
      let attempt = 0;
      const cut = clientOf({
        fetch: async (url, init) => {
          const response = await globalThis.fetch(url, init);
          if (attempt++ > 0) return response;
          await response.text();
          throw new Error('the connection was cut');
        },
      });
      const { data, attempts } = await cut.createPet(newPet(`once ${unique}`)).withResponse();
      equal(attempts, 2);
      const found: number[] = [];
      for await (const { id, name } of petstore.listPets({ limit: 100, status: 'pending' })) {
        if (name === `once ${unique}`) found.push(id);
      }
      equal(found, [data.id]);
    },

    async 'middleware sees each request and its response, and can change them'() {
      const seen: string[] = [];
      const toBytes = (text: string) => new TextEncoder().encode(text);
      for (const encode of [String, toBytes]) {
        const observing: Middleware = {
          async onRequest({ request, schemaPath }) {
            seen.push(`${request.method} ${schemaPath}`);
            const body = encode(JSON.stringify({ ...(await request.json()), name: `changed ${unique}` }));
            return new Request(request.url, { method: 'POST', headers: request.headers, body });
          },
          async onResponse({ response }) {
            seen.push(`${response.status} ${typeof (await response.clone().json())}`);
          },
        };
        const observed = petstore.withOptions({ middleware: [observing] });
        equal((await observed.createPet(newPet(unique))).name, `changed ${unique}`);
      }
      equal(seen, ['POST /pets', '201 object', 'POST /pets', '201 object']);
    },

    async 'fetchClient is openapi-fetch with the key, and its failures are errors of the methods'() {
      const { data, response } = await petstore.fetchClient.POST('/pets', { body: newPet(`犬 ${unique}`) });
      equal([data?.name, response.status], [`犬 ${unique}`, 201]);
      const absent = { params: { path: { petId: Number.MAX_SAFE_INTEGER } } };
      const { error } = await petstore.fetchClient.GET('/pets/{petId}', absent);
      if (!isPetstoreError(error, 'getPet', 404)) throw error;
      equal(error.body.code, 'not_found');
    },

    async 'request() sends a request without a method of its own'() {
      const found = await petstore.request<Pet[]>('GET', '/pets', { query: { limit: 1, status: 'pending' } });
      equal([found.length, found[0]?.status], [1, 'pending']);
      equal(await failure(petstore.request('POST', '/pets/1', { body: {} })), {
        status: 405,
        code: 'method_not_allowed',
        attempts: 1,
      });
    },

    async 'a redirect is refused'() {
      // The service redirects / to /docs.
      const root = clientOf({ baseUrl: baseUrl.replace(/\/v1$/, '') });
      const { code, attempts } = await failure(root.request('GET', '/'));
      equal([code, attempts], ['unexpected_response', 1]);
    },

    async 'timeout ends an attempt, in its body as well'() {
      const fetches: (() => Promise<Response>)[] = [
        () => new Promise(() => {}),
        async () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([91])) })),
      ];
      for (const fetch of fetches) {
        const slow = clientOf({ fetch, timeout: 50, maxRetries: 0 });
        equal((await failure(slow.listPets())).code, 'timeout');
      }
    },

    async 'a signal ends a call at once, with its reason'() {
      const reason = new Error('changed my mind');
      const controller = new AbortController();
      const call = petstore.listPets({}, { signal: controller.signal });
      controller.abort(reason);
      equal((await rejection(call)) === reason, true);
      equal((await rejection(petstore.listPets({}, { signal: AbortSignal.abort(reason) }))) === reason, true);

      const waiting = new AbortController();
      const refused = clientOf({
        fetch: async () => new Response('', { status: 503, headers: { 'Retry-After': '50' } }),
        onRetry: () => waiting.abort(reason),
      });
      equal((await rejection(refused.listPets({}, { signal: waiting.signal }))) === reason, true);
    },

    async 'the testing entry point answers from handlers'() {
      const fake = createTestClient({ listPets: ({ limit }) => [{ id: limit ?? 0, name: 'Biscuit', categoryId: 7 }] });
      equal(await fake.listPets({ limit: 3 }), [{ id: 3, name: 'Biscuit', categoryId: 7 }]);
    },
  };

  const results: Result[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      results.push({ name });
    } catch (error) {
      results.push({ name, error: String((error as Error)?.stack ?? error) });
    }
  }
  return results;
}
