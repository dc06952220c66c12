import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { temporaryProxy } from '@petstore-platform/testkit/proxy';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { errorOf, type TestServer, temporaryServer } from '../support/server.ts';

/** The promises of unsafe operations, each kept by every kind of write: a change happens once for each key, whatever fails. */

interface Kind {
  method: string;
  path(id: number): string;
  status: number;
  /** The failures of a request that meets four serialization failures. An insertion has one more attempt, and a transaction of several statements is tried again until its time is over. */
  failures: number;
}

const KINDS: Record<string, Kind> = {
  create: { method: 'POST', path: () => '/v1/stores', status: 201, failures: 0 },
  change: { method: 'PUT', path: (id) => `/v1/stores/${id}/name`, status: 200, failures: 1 },
  transaction: { method: 'PATCH', path: (id) => `/v1/stores/${id}`, status: 200, failures: 0 },
};

/** Two servers on a database with the stores `Old` (1) and `Taken` (2), in which each change is counted. */
async function chain({ method, path }: Kind, timeLimit = 5_000) {
  const databaseUrl = await temporaryDatabase();
  const proxy = await temporaryProxy(databaseUrl);
  const one = await temporaryServer({ databaseUrl: proxy.url, config: { STATEMENT_TIMEOUT: timeLimit / 1_000 } });
  const other = await temporaryServer({ databaseUrl });
  const run = async (sql: string) => (await other.db.pool.query(sql)).rows;
  await other.db.pool.query(`
    insert into stores (name, city) values ('Old', 'Bern'), ('Taken', 'Bern');
    create table edits (name text);
    create function count_edit() returns trigger language plpgsql as 'begin insert into edits values (new.name); return null; end';
    create trigger edited after insert or update on stores for each row execute function count_edit();
    create function wait() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock_shared(42); return new; end'`);
  type Options = { key?: string; id?: number; apiKey?: string; signal?: AbortSignal };
  const send = (server: TestServer, name: string, { key, id = 1, apiKey = one.apiKey, ...init }: Options = {}) => {
    const usual = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const headers = { ...usual, ...(key && { 'Idempotency-Key': key }) };
    const body = JSON.stringify(method === 'POST' ? { name, city: 'Bern' } : { name });
    return server.request(path(id), { method, headers, body, ...init });
  };
  return {
    one,
    other,
    proxy,
    run,
    send,
    /** How often something was changed. */
    edits: async () => (await run('select from edits')).length,
    /** Each change waits for the lock, which `work` holds until it calls `release`. */
    async whileBlocked(when: string, work: (client: pg.Client, release: () => Promise<void>) => Promise<void>) {
      await run(`create ${when} for each row execute function wait()`);
      await withClient(databaseUrl, async (client) => {
        await client.query('select pg_advisory_lock(42)');
        await work(client, async () => void (await client.query('select pg_advisory_unlock(42)')));
      });
    },
  };
}
const AT_COMMIT = 'constraint trigger wait after insert or update on stores deferrable initially deferred';
const AT_CHANGE = 'trigger wait before insert or update on stores';

const REUSED = { status: 422, code: 'idempotency_key_reused' };
const UNAVAILABLE = { status: 503, code: 'service_unavailable' };

const answerOf = async (response: Response) => {
  const { status, headers } = response;
  return { status, etag: headers.get('ETag'), text: await response.text() };
};

describe.each(Object.entries(KINDS))('%s', (name, kind) => {
  const hasTarget = name !== 'create';

  test('a key belongs to a body, to an API key, and to a day', async () => {
    const { one, other, send, edits, run } = await chain(kind);
    await send(one, 'Paws', { key: 'k' });
    for (const server of [one, other])
      expect(await errorOf(await send(server, 'Claws', { key: 'k' }))).toMatchObject(REUSED);
    expect(await edits()).toBe(1);
    const { key: apiKey } = await one.createKey();
    expect((await send(one, 'Claws', { key: 'k', apiKey })).status).toBe(kind.status);
    await run(`update idempotency_keys set created_at = created_at - interval '24 hours'`);
    expect((await send(other, 'Beaks', { key: 'k' })).status).toBe(kind.status);
    expect((await send(other, 'Paws', { key: 'k' })).status).toBe(422);
    expect(await edits()).toBe(3);
  });

  test('while the first runs, a repetition on its server waits, and on another one is 409', async () => {
    const { one, other, send, edits, whileBlocked } = await chain(kind);
    await whileBlocked(AT_CHANGE, async (client, release) => {
      const first = send(one, 'Paws', { key: 'k' });
      // An insertion that has waited for 100 ms among others begins again, alone: its key is free for a moment.
      await expect.poll(() => countWaiting(client, 200)).toBe(1);
      const again = send(one, 'Paws', { key: 'k' });
      const refused = await send(other, 'Paws', { key: 'k' });
      expect(refused.headers.get('Retry-After')).toBe('1');
      expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'idempotency_key_in_use' });
      await release();
      const answer = await answerOf(await first);
      expect(answer.status).toBe(kind.status);
      expect(await answerOf(await again)).toEqual(answer);
      expect(await answerOf(await send(other, 'Paws', { key: 'k' }))).toEqual(answer);
    });
    expect(await edits()).toBe(1);
  });

  test('a repetition does not wait for a row that others have locked', async () => {
    const { one, other, send } = await chain(kind, 600_000);
    const first = await answerOf(await send(one, 'Paws', { key: 'k' }));
    await withClient(other.databaseUrl, async (client) => {
      await client.query('begin; select from stores for update');
      const again = send(one, 'Paws', { key: 'k' }).then(answerOf);
      await expect.poll(() => Promise.race([again, undefined])).toEqual(first);
    });
  });

  test('many at once on two servers change once', async () => {
    const { one, other, send, edits } = await chain(kind);
    for (let round = 1; round <= 10; round++) {
      const names = Array.from({ length: 8 }, (_, n) => `Store ${round}${n === 7 ? ' b' : ''}`);
      const all = await Promise.all(names.map((name, n) => send(n % 2 ? one : other, name, { key: `${round}` })));
      const answers = await Promise.all(all.map(answerOf));
      expect(new Set(answers.filter(({ status }) => status === kind.status).map(({ text }) => text)).size).toBe(1);
      expect(answers.filter(({ status }) => ![kind.status, 409, 422].includes(status))).toEqual([]);
      expect(await edits()).toBe(round);
    }
  });

  if (hasTarget)
    test('a failure is stored, even where the change would succeed later', async () => {
      const { one, other, send, run } = await chain(kind);
      const failed = await answerOf(await send(one, 'Paws', { key: 'k', id: 99 }));
      expect(failed).toMatchObject({ status: 404, text: expect.stringContaining('There is no store 99') });
      await run(`insert into stores (id, name, city) overriding system value values (99, 'Late', 'Bern')`);
      expect(await answerOf(await send(other, 'Paws', { key: 'k', id: 99 }))).toEqual(failed);
      expect((await send(other, 'Paws', { key: 'l', id: 99 })).status).toBe(200);
    });

  test('a constraint that refuses is 409 with the message of the author; it is not stored', async () => {
    const { one, other, send, edits, run } = await chain(kind);
    const conflict = { status: 409, code: 'conflict', message: 'There is a store named Taken' };
    for (const server of [one, other])
      expect(await errorOf(await send(server, 'Taken', { key: 'k' }))).toEqual(conflict);
    expect(await edits()).toBe(0);
    await run(`delete from stores where name = 'Taken'`);
    expect((await send(one, 'Taken', { key: 'k' })).status).toBe(kind.status);
  });

  test('a connection that is lost in the commit is outcome_unknown; its key tells the outcome', async () => {
    const { one, proxy, send, edits, whileBlocked } = await chain(kind);
    await whileBlocked(AT_COMMIT, async (client, release) => {
      const lost = send(one, 'Paws', { key: 'k' });
      // An insertion that has waited for 100 ms among others begins again, alone: after the freeze, it could not.
      await expect.poll(() => countWaiting(client, 200)).toBe(1);
      proxy.freeze();
      await release();
      await expect.poll(edits).toBe(1);
      await proxy.cut();
      expect(await errorOf(await lost)).toMatchObject({ status: 503, code: 'outcome_unknown' });
      await proxy.mend();
    });
    expect((await send(one, 'Paws', { key: 'k' })).status).toBe(kind.status);
    expect(await edits()).toBe(1);
  });

  test('a connection that is lost before the commit of a transaction has changed nothing', async () => {
    const { one, proxy, send, edits, whileBlocked } = await chain(kind);
    await whileBlocked(AT_CHANGE, async (client, release) => {
      const lost = send(one, 'Paws', { key: 'k' });
      await expect.poll(() => countWaiting(client)).toBe(1);
      proxy.freeze();
      await proxy.cut();
      expect(await errorOf(await lost)).toMatchObject(UNAVAILABLE);
      await release();
      await proxy.mend();
    });
    // The first attempt may still run.
    await expect.poll(async () => (await send(one, 'Paws', { key: 'k' })).status).toBe(kind.status);
    expect(await edits()).toBe(1);
  });

  test.each([
    ['three deadlocks', '40P01', 3, 0],
    ['four serialization failures', '40001', 4, kind.failures],
  ] as const)('after %s, nothing is stored, and it runs again', async (_name, code, times, failures) => {
    const { one, other, send, edits, run } = await chain(kind);
    await run(`create sequence tries`);
    await run(`create function fail() returns trigger language plpgsql as $$ begin
        if nextval('tries') <= ${times} then raise exception using errcode = '${code}'; end if; return new; end $$`);
    await run(`create trigger fail before insert or update on stores for each row execute function fail()`);
    for (let attempt = 0; attempt < failures; attempt++)
      expect(await errorOf(await send(attempt % 2 ? one : other, 'Paws', { key: 'k' }))).toMatchObject(UNAVAILABLE);
    for (const server of [one, other]) expect((await send(server, 'Paws', { key: 'k' })).status).toBe(kind.status);
    expect(await edits()).toBe(1);
  });

  test('a lock that lasts longer than the time limit is 503, and changes nothing', async () => {
    const { one, other, send, edits, whileBlocked } = await chain(kind, 500);
    await whileBlocked(AT_CHANGE, async (_client, release) => {
      const late = await send(one, 'Paws', { key: 'k' });
      expect(late.headers.get('Retry-After')).toBe('1');
      expect(await errorOf(late)).toMatchObject(UNAVAILABLE);
      await release();
    });
    expect(await edits()).toBe(0);
    expect((await send(other, 'Paws', { key: 'k' })).status).toBe(kind.status);
  });

  test('the change of a client that is gone happens once', async () => {
    const { one, other, send, edits, whileBlocked } = await chain(kind);
    await whileBlocked(AT_CHANGE, async (client, release) => {
      const leave = new AbortController();
      const gone = send(one, 'Paws', { key: 'k', signal: leave.signal });
      await expect.poll(() => countWaiting(client)).toBe(1);
      leave.abort();
      await expect(gone).rejects.toThrow();
      await release();
    });
    await expect.poll(async () => (await send(other, 'Paws', { key: 'k' })).status).toBe(kind.status);
    expect(await edits()).toBe(1);
  });
});
