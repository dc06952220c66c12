// With the default options, calls survive a restart of the real server.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/generated/index.ts';
import { startService } from '../conformance/service.ts';

let service: Awaited<ReturnType<typeof startService>>;
/** Milliseconds that a start takes on this machine: what it lacks to five seconds is waited. */
let start: number;
beforeAll(async () => {
  service = await startService();
  const before = performance.now();
  await service.restart(0);
  start = performance.now() - before;
});
afterAll(() => service?.stop());

test.for<[number, number]>([
  [50, 0],
  [50, 100],
])('%i calls, one each %i ms, during a restart of about five seconds', async ([count, interval], { skip }) => {
  let sent = 0;
  const petstore = createClient({
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    fetch: (url, init) => {
      sent++;
      return fetch(url, init);
    },
  });
  await petstore.listPets();
  const began = performance.now();
  const restarted = service.restart(Math.max(0, 4_500 - start)).then(() => performance.now() - began);
  // Killing it takes a moment.
  await delay(100);
  const calls: Promise<string>[] = [];
  for (let call = 0; call < count; call++) {
    const created = petstore.createPet({ name: `Biscuit ${call}`, categoryId: 7 });
    calls.push(created.then(() => 'survived').catch(String));
    if (interval) await delay(interval);
  }
  const outcomes = await Promise.all(calls);
  const survived = outcomes.filter((outcome) => outcome === 'survived').length;
  const times = [await restarted, performance.now() - began].map(Math.round);
  console.log(
    `${survived} of ${count} survived with ${sent - 1} requests; away for ${times[0]} ms, all done after ${times[1]} ms`,
  );
  skip(survived < count && Number(times[0]) > 6_000, 'the server took longer than six seconds to come back');
  expect(outcomes.filter((outcome) => outcome !== 'survived')).toEqual([]);
});
