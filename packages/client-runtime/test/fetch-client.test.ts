import { wrapAsPathBasedClient } from 'openapi-fetch';
import { expect, test, vi } from 'vitest';
import { apiKey, clientOf, rejectionOf, settled } from './helpers.ts';
import { book, errorResponse, failingOnce, lost, never, newBook, ok } from './responses.ts';

test('is openapi-fetch with the key, the retries and the idempotency key of the methods', async () => {
  const { api, requests } = clientOf((_, attempt) => (attempt % 2 ? errorResponse(500) : Response.json(book)));
  const { data, error, response } = await api.fetchClient.POST('/books', { body: newBook });
  const title: string | undefined = data?.title;
  expect([title, error, response.status, requests.length]).toEqual(['Emma', undefined, 200, 2]);
  const [first, second] = requests.map(({ headers }) => headers.get('Idempotency-Key'));
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
  expect(requests[1]?.headers.get('Authorization')).toBe(`Bearer ${apiKey}`);
  expect(await requests[1]?.json()).toEqual(newBook);
  for (const given of [{ params: { header: { 'Idempotency-Key': 'import-42' } } }, { idempotencyKey: 'import-42' }]) {
    await api.fetchClient.POST('/books', { body: newBook, ...given });
    expect(requests.at(-1)?.headers.get('Idempotency-Key')).toBe('import-42');
  }
  await api.createBook(newBook);
  expect(requests.at(-1)?.headers.get('Idempotency-Key')).not.toBe(first);
});

test('every way of openapi-fetch to call it does the same', async () => {
  const { api, requests } = clientOf(() => Response.json(book));
  const { fetchClient } = api;
  const init = { params: { path: { bookId: 7 } } };
  await fetchClient.GET('/books/{bookId}', init);
  await fetchClient.request('get', '/books/{bookId}', init);
  await wrapAsPathBasedClient(fetchClient)['/books/{bookId}'].GET(init);
  const sent = requests.map(({ url, headers }) => `${url} ${headers.get('Authorization')}`);
  expect(sent).toEqual(Array(3).fill(`https://api.bookstore.example/v1/books/7 Bearer ${apiKey}`));
});

test('a network failure and a timeout reject', async () => {
  const { fetchClient: offline } = clientOf(lost, { maxRetries: 0 }).api;
  expect(await rejectionOf(offline.GET('/books'))).toMatchObject({ name: 'BookstoreError', code: 'network_error' });
  const stalled = () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([91])) }));
  const { fetchClient: late } = clientOf(stalled).api;
  for (const limit of [{ timeout: 100, maxRetries: 0 }, { totalTimeout: 100 }])
    expect(await rejectionOf(late.GET('/books', limit))).toMatchObject({ code: 'timeout', status: 200, text: '[' });
});

// `abort(null)` makes openapi-fetch alone read `headers` of undefined.
test.each([new Error('enough'), null, 0])('an abort rejects with its reason: %s', async (reason) => {
  const { api, requests } = clientOf(never);
  const controller = new AbortController();
  const errors: unknown[] = [];
  api.fetchClient.use({ onError: ({ error }) => void errors.push(error) });
  const call = rejectionOf(api.fetchClient.GET('/books', { signal: controller.signal }));
  await settled();
  controller.abort(reason);
  expect(await call).toBe(reason);
  await settled();
  // A middleware can end its span.
  expect(errors).toEqual([reason]);
  expect(await rejectionOf(api.fetchClient.GET('/books', { signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(requests).toHaveLength(1);
});

test('a fetch of a call gets a Request with the key, for each attempt', async () => {
  const { api, requests } = clientOf(ok);
  const given: Request[] = [];
  const fetch = async (request: Request) => failingOnce(request, given.push(request));
  const { data } = await api.fetchClient.POST('/books', { body: newBook, fetch });
  expect([data, requests]).toEqual([book, []]);
  expect(given.map(({ headers }) => headers.get('Authorization'))).toEqual(Array(2).fill(`Bearer ${apiKey}`));
  expect(await given[1]?.json()).toEqual(newBook);
});

test('middleware can be added and removed later, and for one call', async () => {
  const { api, requests } = clientOf(ok);
  const trace = { onRequest: ({ request }: { request: Request }) => request.headers.set('X-Trace', '1') };
  api.fetchClient.use(trace);
  await api.listBooks();
  api.fetchClient.eject(trace);
  await api.listBooks();
  await api.fetchClient.GET('/books', { middleware: [trace] });
  expect(requests.map(({ headers }) => headers.get('X-Trace'))).toEqual(['1', null, '1']);
});

// It has no `Request.body` and `duplex` either. Not every runtime has `Request.clone`.
test('runs on React Native, whose Request and Response are those of whatwg-fetch, without streams', async () => {
  const native = await import('whatwg-fetch' as string);
  Object.assign(native.Request.prototype, { clone: undefined });
  for (const [name, value] of Object.entries({ ...native, ReadableStream: undefined })) vi.stubGlobal(name, value);
  const seen: unknown[] = [];
  const { api, requests } = clientOf((_, attempt) => {
    const body = attempt === 1 ? '' : JSON.stringify({ ...book, title: 'Bärli 犬' });
    return new Response(body, { status: attempt === 1 ? 503 : 200, headers: { 'Content-Type': 'application/json' } });
  });
  api.fetchClient.use({ onResponse: ({ request, response }) => void seen.push(request.url, response.status) });
  expect((await api.fetchClient.POST('/books', { body: { ...newBook, title: '犬' } })).data?.title).toBe('Bärli 犬');
  expect((await api.createBook(newBook)).title).toBe('Bärli 犬');
  expect(seen).toEqual(Array(2).fill(['https://api.bookstore.example/v1/books', 200]).flat());
  expect(await requests[1]?.json()).toMatchObject({ title: '犬' });
});

test('a body of bytes is sent byte for byte, for every attempt', async () => {
  const { api, requests } = clientOf(failingOnce);
  // A Blob is read beside the event loop: the clock must not jump to the timeout meanwhile.
  vi.setTimerTickMode('interval', 10);
  const bodySerializer = () => {
    const form = new FormData();
    form.set('photo', new Blob([new Uint8Array([0xff, 0xfe])]));
    return form;
  };
  await api.fetchClient.POST('/books', { body: newBook, bodySerializer });
  const photo = (await requests[1]?.formData())?.get('photo') as Blob;
  expect([...new Uint8Array(await photo.arrayBuffer())]).toEqual([0xff, 0xfe]);
});

test.each([
  ['text', JSON.stringify([book])],
  ['arrayBuffer', new TextEncoder().encode(JSON.stringify([book])).buffer],
] as const)('parseAs: %s', async (parseAs, expected) => {
  const { fetchClient } = clientOf(ok).api;
  expect((await fetchClient.GET('/books', { parseAs })).data).toEqual(expected);
});
