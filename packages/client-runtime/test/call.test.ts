import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { clientOf, failureOf, rejectionOf, settled } from './helpers.ts';
import { book, META, never, ok } from './responses.ts';

test('withResponse resolves to data and response, and sends no further request', async () => {
  const { api, requests } = clientOf(() => Response.json([book], { headers: META }));
  const call = api.listBooks();
  const { data, response, ...rest } = await call.withResponse();
  expect(data).toBe(await call);
  expect([response.status, response.bodyUsed]).toEqual([200, true]);
  expect(rest).toEqual({
    requestId: '6b1c',
    attempts: 1,
    rateLimit: { limit: 60, remaining: 59, reset: new Date('2026-11-20T12:01:00Z'), windows: {} },
  });
  expect(requests).toHaveLength(1);
});

test('a call is a promise and is sent even if not awaited', async () => {
  const { api, requests } = clientOf(ok);
  const call = api.listBooks();
  expect(call).toBeInstanceOf(Promise);
  expect(await call.then((books) => books.length).finally(() => {})).toBe(1);
  void api.listBooks();
  await settled();
  expect(requests).toHaveLength(2);
});

// The call has a process of its own, because vitest handles unhandled rejections itself.
test.each([
  ['call.catch(() => {})', 0],
  ['call.withResponse().catch(() => {})', 0],
  ['(async () => { for await (const _ of call); })().catch(() => {})', 0],
  ['(async () => { for await (const _ of call.pages()); })().catch(() => {})', 0],
  // Its consumer may begin later.
  ['call', 0],
  ['api.getBook({ bookId: 1 })', 1],
  ['call.withResponse()', 1],
  ['(async () => { for await (const _ of call); })()', 1],
])('%s leaves %i rejections unhandled', (use, count) => {
  const script = `
    import { createClient } from '@repo/bookstore';
    const stacks = [];
    process.on('unhandledRejection', ({ stack }) => stacks.push(stack));
    process.on('exit', () => console.log(JSON.stringify(stacks)));
    const fetch = async () => new Response('', { status: 404 });
    const api = createClient({ apiKey: 'YOUR_API_KEY', fetch });
    const call = api.listBooks();
    ${use};`;
  const output = execFileSync(process.execPath, ['--conditions=source', '--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  const stacks: string[] = JSON.parse(output);
  // Each stack names the line of the call.
  const named = stacks.filter((stack) => /^BookstoreError: .*\n +at \S*\[eval1\]:(8:22|9:9)\n/.test(stack));
  expect([stacks.length, named]).toEqual([count, stacks]);
});

test('the stack of a failure begins with the line of the call', async () => {
  const { api } = clientOf(() => new Response('', { status: 404 }));
  const late = api.withOptions({ fetch: never, timeout: 5, maxRetries: 0 });
  const calls: (() => Promise<unknown>)[] = [
    async () => await api.listBooks(),
    () => api.getBook({ bookId: 1 }).withResponse(),
    async () => {
      for await (const _ of api.listBooks()) return;
    },
    () => api.request('GET', '/books'),
    async () => {
      throw (await api.fetchClient.GET('/books')).error;
    },
    async () => await late.listBooks(),
  ];
  for (const call of calls)
    expect((await failureOf(call())).stack).toMatch(/^BookstoreError: .*\n +at .*call\.test\.ts/);
  const invalid = await rejectionOf(api.getBook({ bookId: 1 }, { headers: { 'not a name': '' } }));
  expect((invalid as TypeError).stack).toContain('call.test.ts');
});
