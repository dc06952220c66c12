import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expectContract } from '@petstore/testkit/contract';
import { parseResponse, type RawResponse } from '@petstore/testkit/raw';
import fc from 'fast-check';
import { allCases, type Case } from './protocol/cases.ts';
import type { Part } from './report.ts';
import { type Service, startService, UNDISTURBED } from './service.ts';

/** Bytes on raw sockets: what they are answered, and what is left of them in the server. */

export interface ProtocolOptions {
  /** How often each case is tried. */
  rounds: number;
  /** Valid requests with a few bytes changed. */
  mutations: number;
  seed: number;
  /** Default: the server itself. */
  script?: string | undefined;
  environment?: Record<string, string>;
  onProgress(message: string): void;
}

const CONCURRENCY = 64;
/** How long in milliseconds a request whose end may be missing has for its answer. */
const PAUSE = 500;
/** Longer than the server waits for the headers of a request. */
const PATIENCE = 25_000;
/** By how many bytes the heap may differ: caches, compiled code. */
const HEAP_TOLERANCE = 4_000_000;

export async function proveProtocol(options: ProtocolOptions): Promise<Part> {
  const { rounds, mutations, seed, script, environment, onProgress } = options;
  const service = await startService({ script, environment: { ...UNDISTURBED, ...environment } });
  try {
    const cases = allCases(service.apiKey);
    // Whatever the server sets up once, it has set up after the first round.
    const failures = await tryAll(service, cases);
    const before = await service.sample({ collect: true });
    onProgress('protocol: each abuse once');
    const again = Array.from({ length: rounds - 1 }, () => allCases(service.apiKey)).flat();
    failures.push(...(await tryAll(service, again)));
    onProgress(`protocol: each abuse ${rounds} times`);
    const mutants = fc.sample(mutated(cases), { numRuns: mutations, seed });
    const mutantFailures = await tryAll(service, mutants);
    onProgress(`protocol: ${mutants.length} requests with changed bytes`);
    const leaks = await whatIsLeft(service, before);
    const { heap, handles, files } = before;
    return {
      name: 'Protocol',
      rows: [
        { what: `${cases.length} abuses of HTTP and JSON`, tried: cases.length * rounds, failures },
        { what: 'Requests with changed bytes', tried: mutants.length, failures: mutantFailures, note: `seed ${seed}` },
        {
          what: 'Memory and handles afterwards',
          tried: 1,
          failures: leaks.problems,
          note: `heap ${megabytes(heap)} → ${megabytes(leaks.after.heap)}, handles ${handles} → ${leaks.after.handles}, files ${files} → ${leaks.after.files}`,
        },
      ],
    };
  } finally {
    await service.stop();
  }
}

async function tryAll({ port }: Service, trials: Case[]): Promise<string[]> {
  const failures: string[] = [];
  const queue = trials.values();
  const worker = async () => {
    for (const trial of queue) {
      const problem = await attempt(port, trial).catch((error: Error) => error.message);
      if (problem) failures.push(`${trial.name}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return failures;
}

/** What is wrong with what a trial got. */
async function attempt(port: number, { bytes, afterwards = 'wait', answers }: Case): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  const closed = Promise.withResolvers<void>();
  let late = false;
  socket.on('data', (chunk) => chunks.push(chunk));
  // What arrived before a reset counts.
  socket.on('error', () => {});
  for (const event of ['end', 'close']) socket.on(event, () => closed.resolve());
  socket.setTimeout(PATIENCE, () => {
    late = true;
    closed.resolve();
  });
  const sent = new Promise((resolve) => socket.write(bytes, resolve));
  if (afterwards === 'half-close') socket.end();
  if (afterwards === 'pause') setTimeout(() => socket.end(), PAUSE).unref();
  if (afterwards === 'reset') {
    await sent;
    socket.resetAndDestroy();
  }
  await closed.promise;
  socket.destroy();
  if (late) return `no end in ${PATIENCE} ms after ${Buffer.concat(chunks).toString().slice(0, 200)}`;
  if (afterwards === 'reset') return undefined;

  const [method = '', target = ''] = bytes.toString('latin1').split(/[ \r\n]/, 2);
  const responses = parseResponses(Buffer.concat(chunks));
  for (const response of responses) {
    if (response.status < 400) continue;
    if (response.status >= 500) return `answered ${response.status} ${response.body}`;
    // Which of several requests it answers is not known; outside the API, it is the Error body at least.
    expectContract(method, answers?.length === 1 && target.startsWith('/') ? target : '/', response, response.body);
  }
  const statuses = responses.map(({ status }) => status);
  if (answers && String(statuses) !== String(answers)) return `answered ${statuses || 'nothing'}, not ${answers}`;
  return undefined;
}

/** All responses that arrived, each as long as it says. */
function parseResponses(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const response = parseResponse(rest.toString('latin1'));
    if (Number.isNaN(response.status)) throw new Error(`no response: ${rest.subarray(0, 100)}`);
    const start = rest.indexOf('\r\n\r\n') + 4;
    const end = start + Number(response.headers.get('Content-Length') ?? 0);
    if (end > rest.length) throw new Error(`a response that is cut short: ${rest.subarray(0, 300)}`);
    responses.push({ ...response, body: rest.subarray(start, end).toString() });
    rest = rest.subarray(end);
  }
  return responses;
}

/**
 * A valid request with some bytes replaced, doubled or left out. Its side is closed, so that the server need not wait for what
 * is missing; but not at once, which Node.js takes for a client that is gone, and answers nothing.
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
      return {
        name: `${source.name}, changed: ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`,
        bytes,
        afterwards: 'pause',
      };
    });
}

type Sample = Awaited<ReturnType<Service['sample']>>;

/** What the server holds more than before, once connections that linger have had their time. */
async function whatIsLeft(service: Service, before: Sample): Promise<{ after: Sample; problems: string[] }> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const after = await service.sample({ collect: true });
    const problems = [
      after.handles > before.handles && `handles: ${before.handles} → ${after.handles}`,
      after.files > before.files && `open files: ${before.files} → ${after.files}`,
      after.heap > before.heap + HEAP_TOLERANCE && `heap: ${megabytes(before.heap)} → ${megabytes(after.heap)}`,
    ].filter((problem) => problem !== false);
    if (problems.length === 0 || Date.now() > deadline) return { after, problems };
    await delay(500);
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
