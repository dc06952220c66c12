import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type PetstoreClient } from '@petstore/client';
import { createRandom, pick, type Random } from './random.ts';
import type { Part } from './report.ts';
import { type Service, startService } from './service.ts';
import { drawPng, plot } from './soak/plot.ts';
import { type Series, trendOf } from './soak/trend.ts';
import { percentile } from './statistics.ts';

/** A steady load of what users do, for long enough to see whatever grows. */

export interface SoakOptions {
  minutes: number;
  seed: number;
  /** Where the plot goes: a PNG file. Default: nowhere. */
  plotFile?: string | undefined;
  /** Default: the server itself. */
  script?: string | undefined;
  environment?: Record<string, string>;
  onProgress(message: string): void;
}

/** The share of what the server can do. */
const LOAD = 0.7;
const WORKERS = 64;
/** How long in seconds it is measured what the server can do; in a short soak, a quarter of that. */
const CAPACITY_SECONDS = 15;
const SAMPLES = 360;
/** Animals that are there from the beginning. */
const ANIMALS = 100;

export async function proveSoak({
  minutes,
  seed,
  plotFile,
  script,
  environment,
  onProgress,
}: SoakOptions): Promise<Part> {
  const service = await startService({ script, environment });
  try {
    const random = createRandom(seed);
    const user = await createUser(service, random);
    const capacity = await measureCapacity(user, Math.min(CAPACITY_SECONDS, minutes * 15));
    const rate = capacity * LOAD;
    onProgress(`soak: ${Math.round(capacity)} calls/s at most, ${Math.round(rate)} calls/s from here on`);

    // What the heap holds is known from its last collection on.
    await service.sample({ collect: true });

    const errors = new Map<string, number>();
    let latencies: number[] = [];
    let calls = 0;
    const start = performance.now();
    const end = start + minutes * 60_000;
    const worker = async () => {
      for (;;) {
        // Each call has its time. One that begins late, because the server was slow, has been waited for all the same.
        const due = start + (calls++ / rate) * 1_000;
        if (due >= end) return;
        await delay(Math.max(0, due - performance.now()));
        await user().catch((error: Error) => errors.set(error.message, (errors.get(error.message) ?? 0) + 1));
        latencies.push(performance.now() - due);
      }
    };
    const workers = Promise.all(Array.from({ length: WORKERS }, worker));

    const series = emptySeries();
    const interval = Math.max(500, (minutes * 60_000) / SAMPLES);
    for (let next = start + interval; next <= end; next += interval) {
      await delay(Math.max(0, next - performance.now()));
      const { rss, heap, handles, files, delay: loop } = await service.sample();
      const time = (performance.now() - start) / 1_000;
      const values = [rss / 1e6, heap / 1e6, handles, files, loop, percentile(latencies, 0.99)];
      latencies = [];
      for (const [index, value] of values.entries()) series[index]?.points.push([time, value]);
      const shown = series.map(({ name, unit }, index) => `${name} ${values[index]?.toFixed(1)} ${unit}`);
      onProgress(`soak: ${(time / 60).toFixed(1)} of ${minutes} min, ${shown.join(', ')}`);
    }
    await workers;

    const trends = series.map((one) => ({ ...one, ...trendOf(one) }));
    const failures = [
      ...[...errors].map(([message, count]) => `${count} × ${message}`),
      ...trends
        .filter(({ flat }) => !flat)
        .map(
          ({ name, unit, usual, growth }) => `${name} grows by ${growth.toFixed(1)} ${unit} from ${usual.toFixed(1)}`,
        ),
    ];
    const title = `${minutes} minutes at ${Math.round(rate)} calls/s, ${LOAD * 100} % of what the server can do here`;
    const drawn = plotFile !== undefined && (await drawPng(plot(series, title), plotFile));
    if (plotFile && !drawn) onProgress('soak: no plot, there is no Chromium');
    const rows = trends.map(
      ({ name, unit, usual, growth, flat }) =>
        `| ${name} | ${usual.toFixed(1)} ${unit} | ${growth.toFixed(1)} ${unit} | ${flat ? 'yes' : 'no'} |`,
    );
    return {
      name: 'Soak',
      rows: [
        {
          what: `${minutes} minutes of lists, gets and creates`,
          tried: calls - WORKERS,
          failures,
          note: `${Math.round(rate)} calls/s`,
        },
      ],
      appendix: [
        `## Soak\n\n${title}.\n\n| Of the server | Usual | Growth over the run (Theil–Sen) | Flat |\n|---|--:|--:|---|`,
        ...rows,
        ...(drawn ? ['\n![Memory, handles, event-loop delay and p99 over the run](soak.png)'] : []),
      ].join('\n'),
    };
  } finally {
    await service.stop();
  }
}

function emptySeries(): Series[] {
  const of = (name: string, unit: string, share: number, absolute: number): Series => ({
    name,
    unit,
    points: [],
    tolerance: { share, absolute },
  });
  return [
    of('Memory (RSS)', 'MB', 0.1, 16),
    of('Heap after a collection', 'MB', 0.1, 8),
    of('Handles', '', 0, 8),
    of('Open files', '', 0, 8),
    of('Event-loop delay, p99', 'ms', 0.25, 3),
    of('Latency of a call, p99', 'ms', 0.25, 5),
  ];
}

/** One call of what users do: seven lists, two gets, one create of ten. */
async function createUser({ origin, apiKey }: Service, random: Random): Promise<() => Promise<unknown>> {
  const petstore: PetstoreClient = createClient({ apiKey, baseUrl: `${origin}/v1`, maxRetries: 0 });
  const ids: number[] = [];
  const create = async () => {
    const status = pick(random, ['available', 'sold'] as const);
    const { id } = await petstore.createPet({ name: 'Biscuit', categoryId: 7, status });
    if (ids.length < ANIMALS) ids.push(id);
  };
  for (let count = 0; count < ANIMALS; count++) await create();
  const get = () => petstore.getPet({ petId: pick(random, ids) });
  const list = () => petstore.listPets({ limit: 20 });
  const available = () => petstore.listPets({ limit: 20, status: 'available' });
  const calls = [list, list, list, list, available, available, available, get, get, create];
  return () => pick(random, calls)();
}

/** Calls per second when each of many users makes the next call as soon as the last one is answered. */
async function measureCapacity(user: () => Promise<unknown>, seconds: number): Promise<number> {
  const start = performance.now();
  const warm = start + (seconds / 3) * 1_000;
  const end = start + seconds * 1_000;
  let calls = 0;
  const worker = async () => {
    while (performance.now() < end) {
      await user();
      if (performance.now() > warm) calls += 1;
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return calls / ((end - warm) / 1_000);
}
