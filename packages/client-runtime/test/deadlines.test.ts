import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { book, clientOf, errorResponse, failureOf, rejectionOf } from './helpers.ts';

/** A fetch that ignores its signal: it never responds, or never ends the body. */
const never = () => new Promise<Response>(() => {});
const endless = (cancelled?: (reason: unknown) => void) => () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('[{"id":1')),
      ...(cancelled && { cancel: cancelled }),
    }),
  );

/** A signal that counts its listeners. */
function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  Object.assign(signal, {
    addEventListener(...args: Parameters<typeof addEventListener>) {
      listeners++;
      addEventListener.apply(signal, args);
    },
    removeEventListener(...args: Parameters<typeof removeEventListener>) {
      listeners--;
      removeEventListener.apply(signal, args);
    },
  });
  return { controller, signal, listeners: () => listeners };
}

test.each([
  ['the response', never, { status: 0, text: '' }],
  ['the body', endless(), { status: 200, text: '[{"id":1' }],
])('timeout ends an attempt that waits for %s', async (_, respond, expected) => {
  const { api, requests, time } = clientOf(respond, { timeout: 1_000, maxRetries: 1 });
  const start = time.now();
  const error = await failureOf(api.listBooks());
  expect(error).toMatchObject({ code: 'timeout', attempts: 2, ...expected });
  expect(error.message).toContain('timeout: no complete response within 1000 ms (2 attempts)');
  expect((error.cause as Error).name).toBe('TimeoutError');
  expect([requests.length, time.now() - start, time.pending]).toEqual([2, 2_000, 0]);
});

test('totalTimeout ends the call in the middle of an attempt', async () => {
  const { api, time } = clientOf(endless(), { timeout: 1_000, totalTimeout: 8_500, maxRetries: 9 });
  const start = time.now();
  const error = await failureOf(api.listBooks());
  expect(error).toMatchObject({ code: 'timeout', status: 200, text: '[{"id":1', attempts: 3 });
  expect(error.message).toContain('within 8500 ms in total');
  expect([time.now() - start, time.pending]).toEqual([8_500, 0]);
});

test('Infinity sets no limit', async () => {
  const { api, time } = clientOf(
    () => new Promise((resolve) => time.after(10 ** 9, () => resolve(Response.json([book])))),
    { timeout: Infinity, totalTimeout: Infinity },
  );
  expect(await api.listBooks()).toEqual([book]);
  expect(time.pending).toBe(0);
});

test('the body is cancelled, which frees its connection', async () => {
  const reasons: unknown[] = [];
  const { api } = clientOf(
    endless((reason) => reasons.push(reason)),
    { timeout: 1_000, maxRetries: 0 },
  );
  const { cause } = await failureOf(api.listBooks());
  expect(reasons).toEqual([cause]);
});

test.each<[string, () => Response | Promise<Response>]>([
  ['it waits for the response', never],
  ['it waits for the body', endless()],
  ['it waits for the next attempt', () => errorResponse(503, { 'Retry-After': '50' })],
])("the caller's signal ends the call while %s, with its reason", async (_, respond) => {
  for (const reason of [new Error('changed my mind'), null, 0]) {
    const { controller, signal, listeners } = countedSignal();
    const { api, time } = clientOf(respond, { timeout: Infinity, totalTimeout: 10 ** 9 });
    const start = time.now();
    time.after(5_000, () => controller.abort(reason));
    expect(await rejectionOf(api.createBook({ title: 'Emma', storeId: 7 }, { signal }))).toBe(reason);
    expect([time.now() - start, time.pending, listeners()]).toEqual([5_000, 0, 0]);
  }
});

test('an observer may abort the wait that it observes', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const { api, time } = clientOf(() => errorResponse(503, { 'Retry-After': '50' }), {
    onRetry: () => controller.abort(reason),
  });
  expect(await rejectionOf(api.listBooks({}, { signal: controller.signal }))).toBe(reason);
  expect(time.pending).toBe(0);
});

test('a response after the end of its attempt is cancelled', async () => {
  const reasons: unknown[] = [];
  const { api, time } = clientOf(
    () => new Promise((resolve) => time.after(2_000, () => resolve(endless((reason) => reasons.push(reason))()))),
    { timeout: 1_000, maxRetries: 0 },
  );
  const { cause } = await failureOf(api.listBooks());
  while (time.pending > 0 || reasons.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(reasons).toEqual([cause]);
});

test('a request leaves no listener on its signal', async () => {
  const signals: AbortSignal[] = [];
  const fetch = async (_url: string, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return signals.length === 1 ? errorResponse(503) : Response.json([book]);
  };
  await clientOf(never, { fetch }).api.listBooks();
  expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0]);
});

test('a call with an aborted signal sends nothing', async () => {
  const { api, requests } = clientOf(() => Response.json([]));
  const reason = new Error('changed my mind');
  expect(await rejectionOf(api.listBooks({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(requests).toEqual([]);
});

test('any call ends within totalTimeout and leaves no timer or listener', async () => {
  const outcome = fc.constantFrom('ok', 'broken', 'refused', 'lost', 'stalled', 'endless');
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcome, { minLength: 1, maxLength: 6 }),
      fc.nat(40_000),
      async (outcomes, abortAfter) => {
        const { controller, signal, listeners } = countedSignal();
        const { api, time } = clientOf(
          (_, attempt) => {
            const outcome = outcomes[(attempt - 1) % outcomes.length];
            if (outcome === 'lost') return Promise.reject(new Error('lost'));
            if (outcome === 'stalled') return never();
            if (outcome === 'endless') return endless()();
            if (outcome === 'refused') return errorResponse(429, { 'Retry-After': '7' });
            return outcome === 'ok' ? Response.json([book]) : new Response('<html>');
          },
          { timeout: 3_000, totalTimeout: 20_000, maxRetries: 5 },
        );
        time.random = Math.random;
        const start = time.now();
        const cancel = time.after(abortAfter, () => controller.abort());
        await api.listBooks({}, { signal }).catch(() => {});
        cancel();
        expect(time.now() - start).toBeLessThanOrEqual(20_000);
        expect([time.pending, listeners()]).toEqual([0, 0]);
      },
    ),
  );
});
