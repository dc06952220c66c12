import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundleSuite, onProcess } from './runtimes.ts';
import { startService } from './service.ts';

beforeAll(bundleSuite);

test('the SDK against the real service', async () => {
  const service = await startService();
  onTestFinished(service.stop);
  const results = await onProcess(process.execPath)(service);
  expect(results.filter(({ error }) => error)).toEqual([]);
  expect(results.length).toBeGreaterThan(10);
});
