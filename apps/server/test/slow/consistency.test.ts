import { randomUUID } from 'node:crypto';
import type { Pet } from '@petstore/client';
import { isCitus } from '@petstore-platform/testkit/citus';
import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { temporaryProxy } from '@petstore-platform/testkit/proxy';
import { expect, test } from 'vitest';
import { cursorAfter, insertPet, insertPets } from '../support/animals.ts';
import { LOCK_OF_CREATIONS, rowsOf, temporaryDatabase } from '../support/database.ts';
import { insertApiKey } from '../support/runtime.ts';
import { type TestServer, temporaryServer } from '../support/server.ts';

/** Batching must be invisible: each request is answered like one with a statement of its own. */

const create = ({ call }: TestServer, name: string, key?: string) =>
  call('POST', '/pets', { name, categoryId: 1, status: 'available' }, key);

test('an acknowledged animal is visible to all clients on all servers, and reads never go back in time', async () => {
  const databaseUrl = await temporaryDatabase();
  const proxy = await temporaryProxy(databaseUrl);
  const one = await temporaryServer({ databaseUrl });
  const other = await temporaryServer({ databaseUrl: proxy.url });
  // On a slow connection, animals are added and requested during statements that do not see them.
  proxy.slow(20);
  const acknowledged: number[] = [];
  let start = (await insertPet(one.db, { name: 'First', categoryId: 1, status: 'available' })).id;

  async function client(number: number): Promise<void> {
    const seen = new Map<number, number[]>();
    for (let turn = 0; turn < 24; turn++) {
      const server = (number + turn) % 2 ? one : other;
      if (turn % 4 === 0) {
        const { status, json } = await create(server, `${number}.${turn}`);
        expect(status).toBe(201);
        acknowledged.push(json.id);
        // Many clients request the same page, which is never full.
        if (acknowledged.length % 30 === 0) start = Math.max(...acknowledged);
        continue;
      }
      const [from, expected] = [start, acknowledged.filter((id) => id > start)];
      const page = await server.petstore.listPets({
        status: number % 3 ? 'available' : undefined,
        limit: 100 - (number % 2),
        cursor: cursorAfter(from),
      });
      const ids = page.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining([...expected, ...(seen.get(from) ?? [])]));
      seen.set(from, ids);
      const latest = acknowledged.at(-1);
      if (latest !== undefined) expect((await server.petstore.getPet({ petId: latest })).id).toBe(latest);
    }
  }
  await Promise.all(Array.from({ length: 24 }, (_, number) => client(number)));
  const stored = await rowsOf<Pet>(one.db, `select id from pets where name <> 'First'`);
  expect(stored.map(({ id }) => id).sort()).toEqual(acknowledged.sort());
});

// On Citus by id, each shard has a snapshot of its own: see docs/scale.md.
test.skipIf(isCitus)('paging sees all animals acknowledged before its end, while two servers add animals', async () => {
  const databaseUrl = await temporaryDatabase();
  const servers = [await temporaryServer({ databaseUrl }), await temporaryServer({ databaseUrl })];
  // The trigger makes statements take different times, so that they could commit out of order.
  await withClient(databaseUrl, (client) =>
    client.query(`
      create function dawdle() returns trigger language plpgsql as
        'begin perform pg_sleep(random() * 0.01); return null; end';
      create trigger dawdle after insert on pets for each statement execute function dawdle()`),
  );
  const acknowledged: number[] = [];
  const createSome = async (server: TestServer) => {
    for (let turn = 0; turn < 40; turn++) {
      const { id } = await server.petstore.createPet({ name: 'Biscuit', categoryId: 1 });
      acknowledged.push(id);
    }
  };
  const walk = async (server: TestServer) => {
    const seen: number[] = [];
    for (;;) {
      const expected = acknowledged.length;
      const last = expected === 160;
      const page = await server.petstore.listPets({ limit: 7, cursor: cursorAfter(seen.at(-1) ?? 0) });
      seen.push(...page.map(({ id }) => id));
      if (page.length === 7) continue;
      expect(seen).toEqual(expect.arrayContaining(acknowledged.slice(0, expected)));
      if (last) return;
    }
  };
  await Promise.all(servers.flatMap((server) => [createSome(server), createSome(server), walk(server)]));
});

test('a batch takes a fraction of the locks that Postgres has room for in the connections of a server', async () => {
  const { db, databaseUrl } = await temporaryServer();
  const { id: apiKeyId } = await insertApiKey(db, { name: 'test', plan: 'free' });
  const newPet = { name: 'Biscuit', categoryId: 7 };
  await withClient(databaseUrl, async (client) => {
    await client.query(`begin; ${LOCK_OF_CREATIONS}`);
    const keys = Array.from({ length: 1_000 }, () => randomUUID());
    const animals = keys.map(() => newPet);
    const created = insertPets(db, animals, apiKeyId, keys);
    await expect.poll(() => countWaiting(client)).toBe(1);
    const { rowCount } = await client.query(`
      select from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and pid <> pg_backend_pid() and not fastpath`);
    expect(rowCount).toSatisfy((count) => count > 100 && count < (12 * 64) / 4);
    await client.query('commit');
    expect(await created).toHaveLength(keys.length);
  });
});
