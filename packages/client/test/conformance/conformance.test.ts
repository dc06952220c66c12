import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleSuite, onProcess } from './runtimes.ts';
import { startService } from './service.ts';

let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  await bundleSuite();
  service = await startService('');
});

afterAll(() => service?.stop());

test('the SDK against the real service', async () => {
  const results = await onProcess(process.execPath)(service);
  expect(results.filter(({ error }) => error)).toEqual([]);
  expect(results.length).toBeGreaterThan(10);
});
