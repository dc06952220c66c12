import { randomUUID } from 'node:crypto';
import { isDatabaseUnavailable } from '@repo/server-runtime/internal/database/errors';
import { migration } from '@repo/server-runtime/internal/database/migrations';
import { ChangeHandle } from '@repo/server-runtime/internal/database/statement';
import { createCitusDatabase } from '@repo/testkit/citus';
import { run, start } from '@repo/testkit/commands';
import { type Link, openLink } from '@repo/testkit/link';
import { countWaiting, withClient } from '@repo/testkit/postgres';
import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { change } from '../src/api.ts';
import { countBlocks } from '../src/citus/blocks.ts';
import type { Pet } from '../src/generated/operations.ts';
import { petJson } from '../src/pets/pet.ts';
import { listPets } from '../src/pets/read.ts';
import { insertPet, insertPets } from './support/animals.ts';
import { temporaryDatabase } from './support/database.ts';
import type { DatabaseHandle } from './support/runtime.ts';
import { type ApiKey, insertApiKey, migrateUp, withDatabase } from './support/runtime.ts';
import { type TestServer, temporaryServer } from './support/server.ts';

test('distribute names what is missing', async () => {
  const DATABASE_URL = await temporaryDatabase({ migrated: false });
  await withDatabase(DATABASE_URL, migrateUp);
  for (const args of [[], ['--check']]) {
    const { code, stdout, stderr } = await run(['distribute', ...args], { DATABASE_URL });
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      'petstore-server: The database lacks the extension citus: see docs/scale.md\n',
    ]);
  }
  expect((await run(['distribute', '--shards', '0'], { DATABASE_URL })).stderr).toContain('--shards');
});

describe.skipIf(!inject('citusUrl'))('on Citus', () => {
  const coordinator = inject('citusUrl') as string;

  async function knownWorkers(): Promise<{ host: string; port: number }[]> {
    const known = 'select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by groupid';
    return (await withClient(coordinator, (client) => client.query(known))).rows;
  }

  /** A server on a coordinator, whose connections to the last worker go through a link. */
  async function withLink(): Promise<{
    server: TestServer;
    link: Link;
    url: string;
    workers: string[];
    worker: string;
  }> {
    const last = (await knownWorkers()).at(-1) as { host: string; port: number };
    const link = await openLink(last.port, last.host);
    onTestFinished(() => link.cut());
    const database = await createCitusDatabase(coordinator, {
      route: ({ host, port }) => (port === last.port ? { host: '127.0.0.1', port: link.port } : { host, port }),
    });
    onTestFinished(database.drop);
    const server = await temporaryServer({ databaseUrl: database.url, timeLimit: 1_000 });
    const { url, workers } = database;
    return { server, link, url, workers, worker: workers.at(-1) as string };
  }

  const create = (server: TestServer, name: string, key: string) =>
    server.request('/v1/pets', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ name, categoryId: 1 }),
    });

  /** Creates and lists until `stop`. */
  function load(server: TestServer) {
    const ids: number[] = [];
    const failures: unknown[] = [];
    let stopped = false;
    const calls = (async () => {
      const petstore = server.petstore.withOptions({ maxRetries: 3 });
      while (!stopped) {
        await petstore.createPet({ name: `${ids.length}`, categoryId: 1, status: 'sold' }).then(
          ({ id }) => ids.push(id),
          (error) => failures.push(error),
        );
        await petstore.listPets({ limit: 3 }).catch((error) => failures.push(error));
      }
    })();
    const stop = () => {
      stopped = true;
      return calls;
    };
    return { ids, failures, stop };
  }

  const walk = async (server: TestServer) => {
    const ids: number[] = [];
    for await (const { id } of server.petstore.listPets({ status: 'sold', limit: 7 })) ids.push(id);
    return ids;
  };

  /** A change of an animal, as in docs/add-an-operation.md. */
  async function changer(db: DatabaseHandle) {
    const { id: apiKeyId } = await insertApiKey(db, { name: 'test', plan: 'free' });
    const update = sql`
      update pets set name = coalesce(new_name, name), status = coalesce(new_status, status)
      from new where id = pet_id
      returning position, pets.*`;
    const updatePet = change('createPet', {
      new: { pet_id: 'bigint', new_name: 'text', new_status: 'text' },
      row: ({ body: { categoryId, name } }) => ({ pet_id: categoryId, new_name: name, new_status: 'sold' }),
      change: update,
      status: 201,
      body: petJson,
      onDistributed: { change: { change: update, counted: countBlocks(sql`change`) } },
    })(new ChangeHandle(db));
    const context = { path: '/', apiKey: { id: apiKeyId } as ApiKey, fingerprint: 'ab' };
    return (petId: number, name: string, key?: string) =>
      updatePet({ headers: { 'idempotency-key': key }, body: { categoryId: petId, name } }, context);
  }

  test('a change of a distributed table and its key are stored together', async () => {
    const { db: other, databaseUrl } = await temporaryServer();
    const { db } = await temporaryServer({ databaseUrl });
    const { id } = await insertPet(other, { name: 'Biscuit', categoryId: 7 });
    const list = listPets(new ChangeHandle(other));
    const listSold = () =>
      list({ query: { limit: 20, status: 'sold' } }, { path: '/', apiKey: {} as ApiKey, fingerprint: undefined });
    expect((await listSold()).body).toBe('[]');
    const send = await changer(db);
    const first = await send(id, 'Rex', 'once');
    expect(first).toEqual({ status: 201, body: `{"id":${id},"name":"Rex","categoryId":7,"status":"sold"}` });
    await send(id, 'Olive');
    expect(await send(id, 'Rex', 'once')).toEqual(first);
    await expect(send(id + 1, 'Rex')).rejects.toMatchObject({ status: 404 });
    expect((await listSold()).body).toBe(`[{"id":${id},"name":"Olive","categoryId":7,"status":"sold"}]`);
    // A block counts each change of an animal: more than there are.
    expect((await run(['distribute', '--check'], { DATABASE_URL: databaseUrl })).stderr).toBe('');
  });

  test('distribute moves the animals of a running server, which goes on', async () => {
    const { url, drop } = await createCitusDatabase(coordinator, { distributed: false });
    onTestFinished(drop);
    const server = await temporaryServer({ databaseUrl: url });
    const { id: changed } = await insertPet(server.db, { name: '0', categoryId: 1, status: 'pending' });
    const { ids, failures, stop } = load(server);
    await expect.poll(() => ids.length).toBeGreaterThan(3);
    const send = await changer((await temporaryServer({ databaseUrl: url })).db);
    let [name, stopped] = ['0', false];
    const changes = (async () => {
      for (let count = 1; !stopped; count++) {
        const change = send(changed, `${count}`).then(() => (name = `${count}`));
        await change.catch((error) => isDatabaseUnavailable(error) || failures.push(error));
      }
    })();
    const { code, stdout, stderr } = await run(['distribute', '--shards', '4'], { DATABASE_URL: url });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Copied \d+ animals\nServers wait.*\nCopied \d+ animals\nnode +shards +blocks +pets +bytes\n/,
    );
    expect(stdout).toMatch(/\n(\S+ +\d +\d+ +\d+ +\d+\n)+$/);
    const before = ids.length;
    await expect.poll(() => ids.length).toBeGreaterThan(before + 3);
    stopped = true;
    await Promise.all([changes, stop()]);
    expect(failures).toEqual([]);
    expect(await walk(server)).toEqual([changed, ...ids]);
    expect((await server.petstore.getPet({ petId: changed })).name).toBe(name);
    // As in a later migration.
    const change = migration('alter table pets add note text;\ncreate index pets_note on pets (note)', '');
    await server.db.kysely.transaction().execute((transaction) => change.up(transaction));
    // Of a distribution that was killed after the new table was in its place.
    await server.db.pool.query('create table pets_before ()');
    for (const args of [[], ['--check']])
      expect(await run(['distribute', ...args], { DATABASE_URL: url })).toMatchObject({
        stderr: '',
        stdout: expect.stringMatching(/^node/),
      });
    expect((await server.db.pool.query(`select to_regclass('pets_before') as before`)).rows).toEqual([
      { before: null },
    ]);
    // Changes count an animal again: more of one status do not make up for those of another.
    await server.db.pool.query(`delete from pets_blocks where status = 'sold'`);
    expect((await run(['distribute', '--check'], { DATABASE_URL: url })).stderr).toMatch(
      /counts 0 animals with the status 'sold' in block 0, there are/,
    );
  });

  test.for(['plain', 'by id'])('a distribution that was killed changes nothing, and goes on: %s', async (layout) => {
    const { url, drop } = await createCitusDatabase(coordinator, { distributed: false });
    onTestFinished(drop);
    const { pool } = (await temporaryServer({ databaseUrl: url })).db;
    await pool.query(`insert into pets (name, category_id, status) select n, n, (array['sold', 'pending'])[1 + n % 3]
      from generate_series(1, 1000) as n`);
    if (layout === 'by id') {
      await pool.query('create table pets_visible as select 990 as last');
      await pool.query(`select create_distributed_table('pets', 'id', shard_count := 4)`);
    }
    await withClient(url, async (client) => {
      await client.query('begin; lock table pets in row share mode');
      const distribution = start(['distribute'], { DATABASE_URL: url });
      await expect.poll(() => countWaiting(client)).toBe(1);
      await distribution.kill();
    });
    await pool.query(`insert into pets (id, name, category_id) overriding system value values (985000, 'Late', 1)`);
    if (layout === 'by id') {
      await pool.query('update pets_visible set last = 985000');
      expect((await run(['serve'], { DATABASE_URL: url })).stderr).toContain(
        'by id, as by earlier versions: run petstore-server',
      );
    } else await pool.query(`update pets set status = 'available' where id = 7; delete from pets where id = 8`);
    expect(await run(['distribute'], { DATABASE_URL: url })).toMatchObject({ code: 0, stderr: '' });
    const { petstore } = await temporaryServer({ databaseUrl: url });
    const all: number[] = [];
    for await (const { id } of petstore.listPets({ limit: 100 })) all.push(id);
    const ids = Array.from({ length: 1_000 }, (_, index) => 1 + index).filter((id) => layout === 'by id' || id !== 8);
    expect(all).toEqual([...ids, 985_000]);
    const available = await petstore.listPets({ status: 'available' });
    expect(available.map(({ id }) => id)).toEqual(layout === 'by id' ? [] : [7]);
    expect((await petstore.createPet({ name: 'Next', categoryId: 1 })).id).toBe(985_001);
  });

  test('pages, gets and creations go over the bounds of blocks, and pass blocks without animals', async () => {
    const { db, petstore } = await temporaryServer();
    const statuses = ['sold', 'pending', undefined] as const;
    const pets: Pet[] = [];
    for (const last of [65_500, 131_060, 9_000_000_000]) {
      await db.pool.query('update pets_visible set last = $1', [last]);
      const created = await insertPets(
        db,
        Array.from({ length: 60 }, (_, n) => ({
          name: `${n}`,
          categoryId: n,
          status: n === 7 ? 'available' : statuses[n % 3],
        })),
      );
      expect(created.map(({ id }) => id)).toEqual(created.map((_, index) => last + 1 + index));
      pets.push(...created);
    }
    for (const surplus of [0, 1, 50]) {
      await db.pool.query('update pets_blocks set count = count + $1, changed = default', [surplus]);
      for (const status of ['sold', 'pending', 'available', undefined] as const)
        for (const limit of [1, 2, 19, 100]) {
          const found: Pet[] = [];
          let page = await petstore.listPets({ status, limit }).withResponse();
          for (;;) {
            found.push(...page.data);
            if (!page.nextCursor) break;
            expect(page.data.length).toBe(limit);
            page = await petstore.listPets({ status, limit, cursor: page.nextCursor }).withResponse();
            expect(page.data).not.toEqual([]);
          }
          expect(found).toEqual(pets.filter((pet) => !status || pet.status === status));
        }
    }
    expect(await Promise.all(pets.map(({ id }) => petstore.getPet({ petId: id })))).toEqual(pets);
    for (const petId of [65_500, 70_000_000, 9_000_000_061, Number.MAX_SAFE_INTEGER, -1])
      await expect(petstore.getPet({ petId })).rejects.toMatchObject({ status: 404 });
  });

  test('a superuser distributes, servers have the role that owns the tables; migrations can be reverted', async () => {
    const role = `role_${randomUUID().replaceAll('-', '')}`;
    onTestFinished(() => withClient(coordinator, async (client) => void (await client.query(`drop role ${role}`))));
    const { url, drop } = await createCitusDatabase(coordinator, { distributed: false });
    onTestFinished(drop);
    await withClient(url, async (client) => {
      await client.query(`create role ${role} login`);
      const { rows } = await client.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public'`,
      );
      for (const { name } of rows) await client.query(`alter table ${name} owner to ${role}`);
      // As pg_dump: servers would wait for a distribution that waits for the end of this transaction.
      await client.query('begin; select from pets');
      expect((await run(['distribute'], { DATABASE_URL: url })).stderr).toContain('due to lock timeout');
      await client.query(`insert into pets (name, category_id) values ('Deleted', 1); delete from pets; commit`);
    });
    expect(await run(['distribute'], { DATABASE_URL: url })).toMatchObject({ code: 0, stderr: '' });
    const server = await temporaryServer({ databaseUrl: Object.assign(new URL(url), { username: role }).href });
    // An id is not given again.
    const { id } = await server.petstore.createPet({ name: 'Biscuit', categoryId: 1 });
    expect(id).toBe(2);
    expect((await server.petstore.listPets()).map((pet) => pet.id)).toEqual([id]);
    for (const _ of [7, 6, 5, 4])
      expect(await run(['migrate', 'down', '--force'], { DATABASE_URL: url })).toMatchObject({ code: 0, stderr: '' });
  });

  test('distribute needs a worker, and runs once at a time', async () => {
    const { url, drop } = await createCitusDatabase(coordinator, { distributed: false, count: 0 });
    onTestFinished(drop);
    const distribute = () => run(['distribute'], { DATABASE_URL: url });
    expect((await distribute()).stderr).toBe('petstore-server: The coordinator knows no worker: see docs/scale.md\n');
    await withClient(url, async (client) => {
      const [first] = await knownWorkers();
      await client.query('select citus_add_node($1, $2)', [first?.host, first?.port]);
      await client.query(`select pg_advisory_lock('pets'::regclass::oid::integer, 1)`);
      expect((await distribute()).stderr).toBe('petstore-server: Another petstore-server distribute is running\n');
    });
    expect(await distribute()).toMatchObject({ code: 0, stderr: '' });
  });

  test('animals move to another worker while requests go on', async () => {
    const known = await knownWorkers();
    const { url, drop } = await createCitusDatabase(coordinator, { count: known.length - 1 });
    onTestFinished(drop);
    const server = await temporaryServer({ databaseUrl: url });
    const { ids, failures, stop } = load(server);
    await expect.poll(() => ids.length).toBeGreaterThan(3);
    await withClient(url, async (client) => {
      const last = known.at(-1);
      await client.query('select citus_add_node($1, $2)', [last?.host, last?.port]);
      await client.query('select citus_rebalance_start()');
      await client.query('select citus_rebalance_wait()');
      const { rows } = await client.query(
        `select count(*)::integer as shards from citus_shards where table_name = 'pets'::regclass and nodeport = $1`,
        [last?.port],
      );
      expect(rows[0].shards).toBeGreaterThanOrEqual(Math.floor(8 / known.length));
    });
    await stop();
    expect(failures).toEqual([]);
    expect(await walk(server)).toEqual(ids);
  });

  test('animals of an unfinished creation are invisible, and make room for the next', async () => {
    const { server, link, url, workers, worker } = await withLink();
    const { id } = await server.petstore.createPet({ name: 'First', categoryId: 1 });
    const next = Array.from({ length: 16 }, (_, index) => id + 1 + index);
    await withClient(url, async (client) => {
      const ghosts = `insert into pets (id, name, category_id, block) select id, 'Ghost', 1, id >> 16 from unnest($1::bigint[]) as id`;
      await client.query(ghosts, [next.slice(0, 4)]);
      // Left on a worker by a coordinator that failed before its commit.
      const { rows } = await client.query<{ shard: string; port: number }>(
        `select shard_name as shard, nodeport as port from citus_shards where shardid = get_shard_id_for_distribution_column('pets', 0)`,
      );
      const [{ shard, port }] = rows as [(typeof rows)[0]];
      await withClient(port === link.port ? worker : (workers[0] as string), async (there) => {
        await there.query(`begin; insert into ${shard} values (${next[5]}, 'Ghost', 1, null, 0)`);
        await there.query(`prepare transaction 'citus_0_1_1_1'`);
      });
    });
    const names = async () => (await server.petstore.listPets()).map(({ name }) => name);
    expect(await names()).toEqual(['First']);
    expect((await server.request(`/v1/pets/${id + 1}`)).status).toBe(404);
    for (const each of next) {
      const key = randomUUID();
      await expect.poll(async () => (await create(server, `${each}`, key)).status).toBe(201);
    }
    expect(await names()).toEqual(['First', ...next.map(String)]);
    expect((await server.petstore.listPets()).map((pet) => pet.id)).toEqual([id, ...next]);
  });

  test.for(['cut', 'freeze'] as const)(
    '%s of a worker: 503, then service, and nothing acknowledged is lost',
    async (fault) => {
      const { server, link } = await withLink();
      const acknowledged = new Set<string>();
      const statuses = new Set<number>();
      let stopped = false;
      const clients = Array.from({ length: 6 }, async (_, client) => {
        for (let turn = 0; !stopped; turn++) {
          const name = `${client}.${turn}`;
          const { status } = await create(server, name, randomUUID());
          statuses.add(status);
          if (status === 201) acknowledged.add(name);
          statuses.add((await server.request('/v1/pets')).status);
        }
      });
      await expect.poll(() => acknowledged.size).toBeGreaterThan(10);
      await link[fault]();
      await expect.poll(() => statuses.has(503)).toBe(true);
      await link.mend();
      if (fault === 'freeze') link.reset();
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 10);
      stopped = true;
      await Promise.all(clients);
      expect([...statuses].sort()).toEqual([200, 201, 503]);
      const names: string[] = [];
      for await (const { name } of server.petstore.listPets({ limit: 100 })) names.push(name);
      expect(names).toEqual(expect.arrayContaining([...acknowledged]));
      expect(new Set(names).size).toBe(names.length);
    },
  );
});
