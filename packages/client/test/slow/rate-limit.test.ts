// Keys are of the Free plan, on the real server: an app that calls more often than it may is refused, but not banned.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientOptions, createClient } from '../../src/generated/index.ts';
import { startService } from '../conformance/service.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

test.concurrent.for<[number, number, ClientOptions]>([
  [40, 10, { maxRetryAfter: 1_000, totalTimeout: 5_000 }],
  [40, 5, {}],
])('%i calls a second for %i seconds with %o send at most 65 requests a minute', async ([rate, seconds, options]) => {
  const sent: Record<string, number> = {};
  const codes: Record<string, number> = {};
  let longest = 0;
  let pending = 0;
  let most = 0;
  const petstore = createClient({
    ...options,
    baseUrl: service.baseUrl,
    apiKey: await service.createKey('free'),
    fetch: async (url, init) => {
      const minute = new Date().toISOString().slice(11, 16);
      sent[minute] = (sent[minute] ?? 0) + 1;
      pending += 1;
      most = Math.max(most, pending);
      return fetch(url, init).finally(() => {
        pending -= 1;
      });
    },
  });
  const calls: Promise<void>[] = [];
  for (let call = 0; call < rate * seconds; call++) {
    const start = performance.now();
    const count = (code: string) => {
      codes[code] = (codes[code] ?? 0) + 1;
      longest = Math.max(longest, performance.now() - start);
    };
    calls.push(
      petstore.listPets({ limit: 1 }).then(
        () => count('success'),
        (error) => count(error.code),
      ),
    );
    await delay(1000 / rate);
  }
  await Promise.all(calls);
  console.log(`${rate}/s for ${seconds} s:`, { sent, codes, most, longest: Math.round(longest) });
  // A busy machine answers late: requests may be on their way when the response arrives that says that none remains.
  expect(Object.values(sent).filter((count) => count > 65 + most)).toEqual([]);
  expect(Object.keys(codes).sort()).toEqual(['rate_limit_exceeded', 'success']);
  expect(longest).toBeLessThan((options.totalTimeout ?? 90_000) + 1_000);
});
