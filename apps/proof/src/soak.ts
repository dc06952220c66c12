import { createHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@petstore/client';
import { createRandom, pick, type Random } from '@petstore-platform/testkit/random';
import type { Part } from './report.ts';
import { type Sample, type Service, startService, type With } from './service.ts';

/** Steady load, long enough to show leaks. */

const WORKERS = 64;
/** Pets created before the load. */
const PETS = 100;
/** Equal shares of the run. Caches and pools fill in the first one; the last one is compared with the second. */
const PHASES = 5;

interface Measured extends Sample {
  /** p99 of the latency of a call, in milliseconds. */
  latency: number;
}

/** The growth that each value may show: a share of it or an absolute amount, whichever is larger. */
const SERIES: { name: string; unit: string; share: number; absolute: number; read(measured: Measured): number }[] = [
  { name: 'Memory (RSS)', unit: 'MB', share: 0.1, absolute: 16, read: ({ rss }) => rss / 1e6 },
  { name: 'Heap after a collection', unit: 'MB', share: 0.1, absolute: 8, read: ({ heap }) => heap / 1e6 },
  { name: 'Handles', unit: '', share: 0, absolute: 8, read: ({ handles }) => handles },
  { name: 'Open files', unit: '', share: 0, absolute: 8, read: ({ files }) => files },
  { name: 'Event-loop delay, p99', unit: 'ms', share: 0.25, absolute: 3, read: ({ delay }) => delay * 1e3 },
  { name: 'Latency of a call, p99', unit: 'ms', share: 0.25, absolute: 5, read: ({ latency }) => latency },
];

export async function proveSoak({ minutes, seed, run, environment, onProgress }: With<'minutes'>): Promise<Part> {
  const service = await startService(run, environment);
  const user = await createUser(service, createRandom(seed));
  const errors = new Map<string, number>();
  const phases: Measured[] = [];
  let calls = 0;
  while (phases.length < PHASES) {
    // It takes microseconds.
    const latencies = createHistogram();
    const end = performance.now() + (minutes * 60_000) / PHASES;
    const work = async () => {
      while (performance.now() < end) {
        calls += 1;
        const begin = performance.now();
        await user().catch(({ message }: Error) => errors.set(message, (errors.get(message) ?? 0) + 1));
        const time = performance.now() - begin;
        latencies.record(Math.max(1, Math.round(time * 1_000)));
        // Half of the load that server and clients reach: the rest is for other programs.
        await delay(time);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    const measured = { ...(await service.sample()), latency: latencies.percentile(99) / 1e3 };
    phases.push(measured);
    const shown = SERIES.map(({ name, unit, read }) => `${name} ${read(measured).toFixed(1)} ${unit}`);
    onProgress(`${phases.length} of ${PHASES} phases, ${shown.join(', ')}`);
  }
  const [, before, last] = [...phases.slice(0, 2), ...phases.slice(-1)] as [Measured, Measured, Measured];
  const failures = [...errors].map(([message, count]) => `${count} × ${message}`);
  const figures = SERIES.map(({ name, unit, share, absolute, read }) => {
    const usual = read(before);
    const growth = read(last) - usual;
    if (growth > Math.max(usual * share, absolute))
      failures.push(`${name} grows by ${growth.toFixed(1)} ${unit} from ${usual.toFixed(1)}`);
    return `${name} ${usual.toFixed(1)} ${unit}, + ${growth.toFixed(1)}`;
  });
  const what = `${minutes} minutes of lists, gets and creates`;
  const rate = Math.round(calls / (minutes * 60));
  const note = `${rate} calls/s, half of what server and clients can do here; ${figures.join('; ')}`;
  return { name: 'Soak', rows: [{ what, tried: calls, failures, note }] };
}

/** Makes one random call: 70 % lists, 20 % gets, 10 % creates. */
async function createUser({ origin, apiKey }: Service, random: Random): Promise<() => Promise<unknown>> {
  const petstore = createClient({ apiKey, baseUrl: `${origin}/v1`, maxRetries: 0 });
  const create = () =>
    petstore.createPet({ name: 'Biscuit', categoryId: 7, status: pick(random, ['available', 'sold'] as const) });
  const pets = await Promise.all(Array.from({ length: PETS }, create));
  const get = () => petstore.getPet({ petId: pick(random, pets).id });
  const list = () => petstore.listPets({ limit: 20 });
  const available = () => petstore.listPets({ limit: 20, status: 'available' });
  const calls = [list, list, list, list, available, available, available, get, get, create];
  return () => pick(random, calls)();
}
