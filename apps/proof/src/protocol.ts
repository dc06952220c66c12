import { setTimeout as delay } from 'node:timers/promises';
import { allCases } from '@petstore-platform/testkit/http-cases';
import { type Case, resets, TIMEOUT, tryAll, withReset } from '@petstore-platform/testkit/raw-cases';
import fc from 'fast-check';
import { contract, pets } from './petstore.ts';
import type { Part, Row } from './report.ts';
import { type Sample, type Service, startService, UNDISTURBED, type With } from './service.ts';

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
    onProgress(`${what}, ${trials.length}`);
    rows.push({ what, tried: trials.length, failures: await tryAll(port, trials, contract), note });
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

/**
 * Valid requests with some bytes replaced, doubled or removed. The client half-closes, so that the server does not wait for
 * missing bytes, but not at once: Node.js would treat the client as gone and send no response.
 */
function mutated(cases: Case[]): fc.Arbitrary<Case> {
  const change = fc.record({
    // Most changes go to the head of the request.
    place: fc.oneof(fc.double({ min: 0, max: 0.1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    kind: fc.constantFrom('replace', 'remove', 'double'),
    byte: fc.nat(255),
  });
  const valid = cases.filter(({ answers }) => answers?.every((status) => status < 300));
  return fc
    .tuple(fc.constantFrom(...valid), fc.array(change, { minLength: 1, maxLength: 5 }))
    .map(([source, changes]) => {
      let bytes = Buffer.from(source.bytes);
      for (const { place, kind, byte } of changes) {
        const at = Math.floor(place * bytes.length);
        const middle = { replace: [byte], remove: [], double: [bytes[at] ?? byte, bytes[at] ?? byte] }[kind];
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(middle ?? []), bytes.subarray(at + 1)]);
      }
      const name = `${source.name}, changed: ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`;
      return { name, bytes, afterwards: 'half-close later' };
    });
}

/** Cases reset at a random byte; one in ten is a complete request that must be answered. */
function randomResets(cases: Case[]): fc.Arbitrary<Case> {
  const answered = cases.filter(({ answers }) => answers?.every((status) => status < 300));
  const broken = fc
    .tuple(fc.constantFrom(...cases), fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0, 1, 5, 20))
    .map(([source, share, pause]) => withReset(source, share, pause));
  return fc.oneof({ weight: 9, arbitrary: broken }, { weight: 1, arbitrary: fc.constantFrom<Case>(...answered) });
}
