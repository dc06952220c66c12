import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientOf, failureOf, rejectionOf, settled } from './helpers.ts';
import { errorResponse, lost, never, newBook, ok, type Respond } from './responses.ts';

/** A fetch that ignores its signal, and never ends the body. */
const endless = (cancelled?: (reason: unknown) => void) => () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('[{"id":1')),
      ...(cancelled && { cancel: cancelled }),
    }),
  );

test.each([
  ['the response', never, { status: 0, text: '' }],
  ['the body', endless(), { status: 200, text: '[{"id":1' }],
])('timeout ends an attempt that waits for %s', async (_, respond, expected) => {
  const { api, requests, time } = clientOf(respond, { timeout: 1_000, maxRetries: 1 });
  const start = Date.now();
  const error = await failureOf(api.listBooks());
  expect(error).toMatchObject({ code: 'timeout', attempts: 2, ...expected });
  expect(error.message).toContain('timeout: no complete response within 1000 ms (2 attempts)');
  expect((error.cause as Error).name).toBe('TimeoutError');
  expect([requests.length, Date.now() - start, time.pending]).toEqual([2, 2_000, 0]);
});

test('totalTimeout ends the call in the middle of an attempt', async () => {
  const { api, time } = clientOf(endless(), { timeout: 1_000, totalTimeout: 8_500, maxRetries: 9 });
  const start = Date.now();
  const error = await failureOf(api.listBooks());
  expect(error).toMatchObject({ code: 'timeout', status: 200, text: '[{"id":1', attempts: 3 });
  expect(error.message).toContain('within 8500 ms in total');
  expect([Date.now() - start, time.pending]).toEqual([8_500, 0]);
});

test('Infinity sets no limit', async () => {
  const { api, time } = clientOf(() => new Promise((resolve) => setTimeout(() => resolve(ok()), 10 ** 9)), {
    timeout: Infinity,
    totalTimeout: Infinity,
  });
  expect(await api.listBooks()).toHaveLength(1);
  expect(time.pending).toBe(0);
});

test.each([
  ['its attempt ends while it arrives', 0],
  ['it arrives after the end of its attempt', 2_000],
])('the body is cancelled, which frees its connection, if %s', async (_, after) => {
  const reasons: unknown[] = [];
  // A failure of `cancel` is ignored.
  const body = endless((reason) => Promise.reject(reasons.push(reason)));
  const { api } = clientOf(() => new Promise((resolve) => setTimeout(() => resolve(body()), after)), {
    timeout: 1_000,
    maxRetries: 0,
  });
  const { cause } = await failureOf(api.listBooks());
  while (reasons.length === 0) await settled();
  expect(reasons).toEqual([cause]);
});

test.each<[string, () => Response | Promise<Response>]>([
  ['it waits for the response', never],
  ['it waits for the body', endless()],
  ['it waits for the next attempt', () => errorResponse(503, { 'Retry-After': '50' })],
])("the caller's signal ends the call while %s, with its reason", async (_, respond) => {
  for (const reason of [new Error('changed my mind'), null, 0]) {
    const controller = new AbortController();
    const { signal } = controller;
    const { api, time } = clientOf(respond, { timeout: Infinity, totalTimeout: 10 ** 9 });
    const start = Date.now();
    setTimeout(() => controller.abort(reason), 5_000);
    expect(await rejectionOf(api.createBook(newBook, { signal }))).toBe(reason);
    expect([Date.now() - start, time.pending, getEventListeners(signal, 'abort')]).toEqual([5_000, 0, []]);
  }
});

test('any call ends within totalTimeout and leaves no timer or listener', async () => {
  const refused = () => errorResponse(429, { 'Retry-After': '7' });
  const outcome = fc.constantFrom<Respond>(ok, () => new Response('<html>'), refused, lost, never, endless());
  const outcomes = fc.array(outcome, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(outcomes, fc.nat(40_000), async (outcomes, abortAfter) => {
      const controller = new AbortController();
      const { signal } = controller;
      const { api, time } = clientOf(
        (request, attempt) => (outcomes[(attempt - 1) % outcomes.length] as Respond)(request, attempt),
        { timeout: 3_000, totalTimeout: 20_000, maxRetries: 5 },
      );
      time.random = Math.random;
      const start = Date.now();
      const cancel = setTimeout(() => controller.abort(), abortAfter);
      await api.listBooks({}, { signal }).catch(() => {});
      clearTimeout(cancel);
      expect(Date.now() - start).toBeLessThanOrEqual(20_000);
      expect([time.pending, getEventListeners(signal, 'abort')]).toEqual([0, []]);
    }),
  );
});
