import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleSuite, chromium, installRuntimes, pageOrigin, runtimes } from './runtimes.ts';
import { startService } from './service.ts';

let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  installRuntimes();
  await bundleSuite();
  service = await startService(pageOrigin);
}, 300_000);

afterAll(() => service?.stop());

test.for(Object.entries(runtimes))(
  'the SDK against the real service on %s',
  { timeout: 90_000 },
  async ([name, run], { skip }) => {
    skip(
      name === 'Chromium' && !chromium,
      'no Chromium: npm does not bring it; install the Debian package or set CHROMIUM',
    );
    const results = await run({ baseUrl: service.baseUrl, apiKey: service.apiKey });
    expect(results.filter(({ error }) => error)).toEqual([]);
    expect(results.length).toBeGreaterThan(10);
  },
);
