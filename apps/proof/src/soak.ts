import { createHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@petstore/client';
import { createRandom, pick, type Random } from '@petstore-platform/testkit/random';
import { median } from '@petstore-platform/testkit/statistics';
import type { Part } from './report.ts';
import { type Sample, type Service, startService, type With } from './service.ts';

/** Steady load, long enough to show leaks. */

/** The load, as a share of the measured capacity. The rest is for other programs: the load does not wait for a slow server. */
const LOAD = 0.5;
const WORKERS = 64;
/** Maximum duration of the capacity measurement. */
const CAPACITY_SECONDS = 15;
const SAMPLES = 360;
/** Pets created before the load. */
const PETS = 100;

/** Measured values, and the growth each may show: relative or absolute, whichever is larger. */
const SERIES: (Omit<Series, 'values'> & { name: string; unit: string; read(sample: Sample): number })[] = [
  { name: 'Memory (RSS)', unit: 'MB', share: 0.1, absolute: 16, read: ({ rss }) => rss / 1e6 },
  { name: 'Heap after a collection', unit: 'MB', share: 0.1, absolute: 8, read: ({ heap }) => heap / 1e6 },
  { name: 'Handles', unit: '', share: 0, absolute: 8, read: ({ handles }) => handles },
  { name: 'Open files', unit: '', share: 0, absolute: 8, read: ({ files }) => files },
  { name: 'Event-loop delay, p99', unit: 'ms', share: 0.25, absolute: 3, read: ({ delay }) => delay * 1e3 },
];

export async function proveSoak({ minutes, seed, run, environment, onProgress }: With<'minutes'>): Promise<Part> {
  const service = await startService(run, environment);
  const user = await createUser(service, createRandom(seed));
  const seconds = Math.min(CAPACITY_SECONDS, minutes * 15);
  // This load warms the server up.
  await drive(user, { seconds: seconds / 2 });
  const rate = ((await drive(user, { seconds })).calls / seconds) * LOAD;
  onProgress(`${Math.round(rate)} calls/s`);

  // Latencies are in microseconds.
  const latencies = createHistogram();
  const load = drive(user, { seconds: minutes * 60, rate, latencies });
  const latency = { name: 'Latency of a call, p99', unit: 'ms', share: 0.25, absolute: 5 };
  const series = [...SERIES, { ...latency, read: () => latencies.percentile(99) / 1e3 }].map((one) => ({
    ...one,
    values: [] as number[],
  }));
  const start = performance.now();
  const interval = Math.max(500, (minutes * 60_000) / SAMPLES);
  for (let next = start + interval; next <= start + minutes * 60_000; next += interval) {
    await delay(Math.max(0, next - performance.now()));
    const sample = await service.sample();
    for (const { values, read } of series) values.push(read(sample));
    latencies.reset();
    const shown = series.map(({ name, unit, values }) => `${name} ${values.at(-1)?.toFixed(1)} ${unit}`);
    onProgress(`${((performance.now() - start) / 60_000).toFixed(1)} of ${minutes} min, ${shown.join(', ')}`);
  }

  const { calls, errors } = await load;
  const failures = [...errors].map(([message, count]) => `${count} × ${message}`);
  const figures = series.map((one) => {
    const { name, unit } = one;
    const { usual, growth, flat } = trendOf(one);
    if (!flat) failures.push(`${name} grows by ${growth.toFixed(1)} ${unit} from ${usual.toFixed(1)}`);
    return `${name} ${usual.toFixed(1)} ${unit}, + ${growth.toFixed(1)}`;
  });
  const what = `${minutes} minutes of lists, gets and creates`;
  const note = `${Math.round(rate)} calls/s, ${LOAD * 100} % of what server and clients can do here; ${figures.join('; ')}`;
  return { name: 'Soak', rows: [{ what, tried: calls, failures, note }] };
}

/** Values at equal intervals, and their allowed growth: a share of the median or an absolute value, whichever is larger. */
interface Series {
  values: number[];
  share: number;
  absolute: number;
}

/** The share of the run to ignore: caches and pools fill. */
const WARM_UP = 0.2;

/** Compares the medians of the first and last third, robust against noise and outliers. A falling series is flat. */
function trendOf({ values, share, absolute }: Series): { usual: number; growth: number; flat: boolean } {
  const settled = values.slice(Math.floor(values.length * WARM_UP));
  const third = Math.ceil(settled.length / 3);
  const usual = median(settled);
  const growth = median(settled.slice(-third)) - median(settled.slice(0, third));
  return { usual, growth, flat: growth <= Math.max(usual * share, absolute) };
}

interface Drive {
  seconds: number;
  /** Calls per second. Default: each worker makes the next call as soon as the last one is answered. */
  rate?: number;
  /** Microseconds from the due time of each call to its response. */
  latencies?: ReturnType<typeof createHistogram>;
}

async function drive(user: () => Promise<unknown>, { seconds, rate = Number.POSITIVE_INFINITY, latencies }: Drive) {
  const errors = new Map<string, number>();
  let calls = 0;
  const start = performance.now();
  const worker = async () => {
    for (;;) {
      // Latency counts from the due time, so that a slow server cannot hide by delaying calls (coordinated omission).
      const due = rate === Number.POSITIVE_INFINITY ? performance.now() : start + (calls / rate) * 1_000;
      if (due >= start + seconds * 1_000) return;
      calls += 1;
      if (due > performance.now()) await delay(Math.max(0, due - performance.now()));
      await user().catch((error: Error) => errors.set(error.message, (errors.get(error.message) ?? 0) + 1));
      latencies?.record(Math.max(1, Math.round((performance.now() - due) * 1_000)));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return { calls, errors };
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
