import { setTimeout as delay } from 'node:timers/promises';
import { allCases } from '@petstore-platform/testkit/http-cases';
import { type Case, resets, TIMEOUT, tryAll, withReset } from '@petstore-platform/testkit/raw-cases';
import fc from 'fast-check';
import { contract, pets } from './petstore.ts';
import type { Part, Row } from './report.ts';
import { type Sample, type Service, startService, UNDISTURBED, type With } from './service.ts';
import { mutated, randomResets } from './trials.ts';

/** Sends raw bytes and resets, then checks the responses and the server for leaks. */

/** The size in bytes of requests that the buffers of a connection hold while the server does not read. */
const BUFFERED = 16_384;
/** Maximum growth of the heap in bytes, for caches and compiled code. */
const HEAP_TOLERANCE = 4_000_000;

export async function proveProtocol(options: With<'resets'>): Promise<Part> {
  const { resets: numRuns, seed, run, environment, onProgress } = options;
  const service = await startService(run, { ...UNDISTURBED, ...environment });
  const { apiKey, port } = service;
  const cases = allCases(apiKey, pets);
  const rows: Row[] = [];
  const tryOut = async (what: string, trials: Case[], note = '') => {
    const onDone = (done: number) => onProgress(`${what}, ${done} of ${trials.length}`);
    rows.push({ what, tried: trials.length, failures: await tryAll(port, trials, contract, onDone), note });
  };
  // These cases also warm the server up before the first sample.
  await tryOut(`${cases.length} abuses of HTTP and JSON`, cases);
  const before = await service.sample();
  const rounds = Array.from({ length: Math.ceil(numRuns / 500) }, () => allCases(apiKey, pets));
  await tryOut('The same, repeated', rounds.flat());
  await tryOut('Resets at the start, in the middle and at the end', resets(cases));
  rows.push(await resetUnread(service, cases));
  const seeded = { numRuns, seed };
  await tryOut('Resets at random bytes, among valid requests', fc.sample(randomResets(cases), seeded), `seed ${seed}`);
  await tryOut('Requests with changed bytes', fc.sample(mutated(cases), seeded), `seed ${seed}`);
  const ended = service.end();
  if (ended) return { name: 'Protocol', rows: [...rows, { what: 'The server', tried: 1, failures: [ended] }] };
  const { problems, note } = await leftovers(service, before);
  rows.push({ what: 'Memory and handles afterwards', tried: 1, failures: problems, note });
  return { name: 'Protocol', rows };
}

/**
 * Sends requests and resets their connections while the server is stopped. It then reads each request, and fails to write each
 * response. A running server has usually written before the reset arrives.
 */
export async function resetUnread(service: Service, cases: Case[]): Promise<Row> {
  const trials = cases.filter(({ bytes }) => bytes.length <= BUFFERED).map((each) => withReset(each, 1, 0));
  const failures: string[] = [];
  // All connections of a round wait in the queue of the listening socket, which may hold only 128.
  for (let start = 0; start < trials.length; start += 100) {
    const round = trials.slice(start, start + 100);
    failures.push(...(await service.whileStopped(() => tryAll(service.port, round, contract))));
  }
  return { what: 'Resets before the server reads', tried: trials.length, failures };
}

/** Compares the server's resources with those before, waiting up to `timeout` milliseconds for lingering connections. */
export async function leftovers(service: Service, before: Sample, timeout = TIMEOUT) {
  const deadline = performance.now() + timeout;
  for (;;) {
    const after = await service.sample();
    const changes = (['heap', 'handles', 'files'] as const).map((name) => ({
      text: `${name}: ${format(name, before)} → ${format(name, after)}`,
      problem: after[name] > before[name] + (name === 'heap' ? HEAP_TOLERANCE : 0),
    }));
    const problems = changes.filter(({ problem }) => problem).map(({ text }) => text);
    const note = changes.map(({ text }) => text).join(', ');
    if (problems.length === 0 || performance.now() > deadline) return { problems, note };
    await delay(500);
  }
}

function format(name: keyof Sample, sample: Sample): string {
  return name === 'heap' ? `${(sample.heap / 1e6).toFixed(1)} MB` : String(sample[name]);
}
