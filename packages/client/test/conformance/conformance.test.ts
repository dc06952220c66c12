import { citusUrl } from '@petstore-platform/testkit/citus';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundleSuite, onProcess } from './runtimes.ts';
import { startService } from './service.ts';

beforeAll(bundleSuite);

test.for([
  ['Postgres', ''],
  ['Citus', citusUrl('the SDK')],
])('the SDK against the real service on %s', async ([, coordinator], { skip }) => {
  skip(coordinator === undefined, 'TEST_CITUS_URL names no coordinator');
  const service = await startService('', coordinator);
  onTestFinished(service.stop);
  const results = await onProcess(process.execPath)(service);
  expect(results.filter(({ error }) => error)).toEqual([]);
  expect(results.length).toBeGreaterThan(10);
});
