import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { book, clientOf } from './helpers.ts';

test('withResponse resolves to data and response, and sends no further request', async () => {
  const headers = {
    'X-Request-Id': '6b1c',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
    'X-RateLimit-Reset': '1795176060',
  };
  const { api, requests } = clientOf(() => Response.json([book], { headers }));
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
  const { api, requests } = clientOf(() => Response.json([book]));
  const call = api.listBooks();
  expect(call).toBeInstanceOf(Promise);
  expect(await call.then((books) => books.length).finally(() => {})).toBe(1);
  void api.listBooks();
  await new Promise((resolve) => setImmediate(resolve));
  expect(requests).toHaveLength(2);
});

// In a process of its own: vitest handles unhandled rejections itself.
test.each([
  ['call.catch(() => {})', 0],
  ['call.withResponse().catch(() => {})', 0],
  ['(async () => { for await (const _ of call); })().catch(() => {})', 0],
  ['(async () => { for await (const _ of call.pages()); })().catch(() => {})', 0],
  ['call', 1],
  ['call.withResponse()', 1],
  ['(async () => { for await (const _ of call); })()', 1],
])('%s leaves %i rejections unhandled', (use, count) => {
  const script = `
    import { createClient } from ${JSON.stringify(fileURLToPath(new URL('../src/index.ts', import.meta.url)))};
    let unhandled = 0;
    process.on('unhandledRejection', () => unhandled++).on('exit', () => console.log(unhandled));
    const fetch = async () => new Response('', { status: 404 });
    const call = createClient({ apiKey: 'YOUR_API_KEY', fetch }).listBooks();
    ${use};`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(output.trim()).toBe(String(count));
});
