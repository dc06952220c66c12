import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { temporaryServer } from '../support/server.ts';

/** Sends random requests with repeated keys to two servers, and compares the answers with those of a model. */

const step = fc.record({
  kind: fc.constantFrom('create', 'change', 'transaction', 'delete'),
  server: fc.constantFrom(0, 1),
  /** The place of a store, which may not exist. */
  target: fc.nat(3),
  name: fc.constantFrom('Paws', 'Claws', 'Beaks'),
  state: fc.constantFrom('open', 'closed'),
  key: fc.constantFrom(undefined, ...'abcdefgh'),
  /** Sends one of the last requests again. */
  again: fc.constantFrom(undefined, undefined, 0, 1, 2, 5),
});
type Step = typeof step extends fc.Arbitrary<infer Values> ? Values : never;

type Answer = { status: number; code?: string; etag?: string };
type Store = { name: string; state: string };

class Model {
  readonly stores = new Map<number, Store>();
  readonly keys = new Map<string, { request: string; answer: Answer; text?: string }>();

  /** Answers a request without regard to its key. @param id - the id that the server has given to a new store */
  perform({ kind, name, state }: Step, target: number, id: number): Answer {
    const store = this.stores.get(kind === 'create' ? id : target);
    const isTaken = [...this.stores].some(([other, { name: taken }]) => taken === name && other !== target);
    if (kind === 'create') {
      if (isTaken || [...this.stores.values()].some((other) => other.name === name))
        return { status: 409, code: 'conflict' };
      this.stores.set(id, { name, state: 'open' });
      return { status: 201 };
    }
    if (!store) return { status: 404, code: 'not_found' };
    if (kind === 'delete') {
      this.stores.delete(target);
      return { status: 204 };
    }
    if (kind === 'transaction' && store.state === 'closed' && state !== 'closed')
      return { status: 409, code: 'store_closed' };
    if (isTaken) return { status: 409, code: 'conflict' };
    Object.assign(store, { name, ...(kind === 'transaction' && { state }) });
    return { status: 200, etag: `"${store.name}-${store.state}"` };
  }
}

const requestOf = ({ kind, name, state }: Step, target: number): [method: string, path: string, body?: object] => {
  if (kind === 'create') return ['POST', '/stores', { name, city: 'Bern' }];
  if (kind === 'delete') return ['DELETE', `/stores/${target}`];
  return kind === 'change'
    ? ['PUT', `/stores/${target}/name`, { name }]
    : ['PATCH', `/stores/${target}`, { name, state }];
};

test('two servers answer as if each key had been used once', async () => {
  const databaseUrl = await temporaryDatabase();
  const servers = [await temporaryServer({ databaseUrl }), await temporaryServer({ databaseUrl })] as const;
  const [{ db, apiKey }] = servers;
  const answers = new Set<string>();
  const play = async (steps: Step[]) => {
    await db.pool.query('truncate stores, idempotency_keys restart identity');
    const model = new Model();
    const sent: { step: Step; target: number }[] = [];
    let last = 0;
    for (const next of steps) {
      const fresh = { step: next, target: [...model.stores.keys()][next.target] ?? 99 };
      const { step, target } = (next.again !== undefined && sent.at(-1 - next.again)) || fresh;
      sent.push({ step, target });
      const [method, path, body] = requestOf(step, target);
      const { call } = servers[next.server];
      const { status, text, json = {}, etag } = await call(method, path, body, step.key, apiKey);
      const request = JSON.stringify([method, path, body]);
      const known = step.key ? model.keys.get(step.key) : undefined;
      const isReused = known && known.request !== request;
      const expected = isReused
        ? { status: 422, code: 'idempotency_key_reused' }
        : (known?.answer ?? model.perform(step, target, json.id));
      expect({ status, code: json.code, etag }).toEqual({ code: undefined, etag: null, ...expected });
      answers.add(`${step.kind} ${status} ${known ? 'again' : 'first'}`);
      if (known && !isReused) expect(text).toBe(known.text);
      // Ids ascend, and none is given twice.
      if (step.kind === 'create' && status === 201 && !known) {
        expect(json.id).toBeGreaterThan(last);
        last = json.id;
      }
      if (step.key && !known && status !== 409) model.keys.set(step.key, { request, answer: expected, text });
    }
    const { rows } = await db.pool.query('select id, name, state from stores order by id');
    expect(rows).toEqual([...model.stores].map(([id, store]) => ({ id, ...store })));
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), play), {
    numRuns: 15,
    seed: 42,
  });
  // The requests must have met all of these cases, or the comparison would show nothing.
  const met = (kind: string, ...outcomes: string[]) => outcomes.map((outcome) => `${kind} ${outcome}`);
  expect([...answers]).toEqual(
    expect.arrayContaining([
      ...met('create', '201 again', '409 first', '422 again'),
      ...met('change', '200 again', '404 again', '409 first', '422 again'),
      ...met('transaction', '200 again', '404 again', '409 first', '422 again'),
      ...met('delete', '204 again', '404 again'),
    ]),
  );
});
