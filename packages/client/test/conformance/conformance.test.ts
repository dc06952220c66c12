import { citusUrl } from '@petstore/testkit/citus';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundleSuite, onProcess } from './runtimes.ts';
import { startService } from './service.ts';

beforeAll(bundleSuite);

const against = (coordinator?: string) => async () => {
  const service = await startService('', coordinator);
  onTestFinished(service.stop);
  const results = await onProcess(process.execPath)(service);
  expect(results.filter(({ error }) => error)).toEqual([]);
  expect(results.length).toBeGreaterThan(10);
};

const coordinator = citusUrl('the SDK');

test('the SDK against the real service', against());

test.skipIf(!coordinator)('the SDK against the service on Citus', against(coordinator));
