import { randomUUID } from 'node:crypto';
import { createCitusDatabase } from '@petstore/testkit/citus';
import { run } from '@petstore/testkit/commands';
import { type Link, openLink } from '@petstore/testkit/link';
import { withClient } from '@petstore/testkit/postgres';
import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { change } from '../src/api/idempotency.ts';
import { migrateUp, withDatabase } from '../src/database/migrate.ts';
import { migration } from '../src/database/migrations.ts';
import { ChangeHandle } from '../src/database/statement.ts';
import { type ApiKey, insertApiKey } from '../src/keys/keys.ts';
import { petJson } from '../src/pets/pet.ts';
import { insertPet, readPets } from './support/animals.ts';
import { temporaryDatabase } from './support/database.ts';
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

test('servers go on while a distribution is unfinished, and after one that failed', async () => {
  const databaseUrl = await temporaryDatabase({ migrated: false });
  await withDatabase(databaseUrl, migrateUp);
  await withClient(databaseUrl, (client) => client.query('create table pets_visible as select 0::bigint as last'));
  const server = await temporaryServer({ databaseUrl });
  const { id } = await server.petstore.createPet({ name: 'First', categoryId: 1 });
  await withClient(databaseUrl, (client) =>
    client.query(`insert into pets (id, name, category_id) overriding system value values ($1, 'Ghost', 1)`, [id + 2]),
  );
  for (const name of ['Second', 'Third']) await server.petstore.createPet({ name, categoryId: 1 });
  expect((await server.petstore.listPets()).map((pet) => pet.name)).toEqual(['First', 'Second', 'Third']);
});

describe.skipIf(!inject('citusUrl'))('on Citus', () => {
  const coordinator = inject('citusUrl') as string;

  async function workers(): Promise<{ host: string; port: number }[]> {
    const known = 'select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by groupid';
    return (await withClient(coordinator, (client) => client.query(known))).rows;
  }

  /** A server on a coordinator, whose connections to the last worker go through a link. */
  async function withLink(): Promise<{ server: TestServer; link: Link; url: string; worker: string }> {
    const last = (await workers()).at(-1) as { host: string; port: number };
    const link = await openLink(last.port, last.host);
    onTestFinished(() => link.cut());
    const database = await createCitusDatabase(coordinator, {
      route: ({ host, port }) => (port === last.port ? { host: '127.0.0.1', port: link.port } : { host, port }),
    });
    onTestFinished(database.drop);
    const server = await temporaryServer({ databaseUrl: database.url, timeLimit: 1_000 });
    return { server, link, url: database.url, worker: database.workers.at(-1) as string };
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

  test('a change of a distributed table and its key are stored together', async () => {
    const { db } = await temporaryServer();
    const { id } = await insertPet(db, { name: 'Biscuit', categoryId: 7 });
    const { id: apiKeyId } = await insertApiKey(db, { name: 'test', plan: 'free' });
    const rename = change('createPet', {
      new: { pet_id: 'bigint', new_name: 'text' },
      row: ({ body: { categoryId, name } }) => ({ pet_id: categoryId, new_name: name }),
      change: sql`update pets set name = new_name from new where id = pet_id returning position, pets.*`,
      status: 201,
      body: petJson,
    })(new ChangeHandle(db));
    const context = { path: '/', apiKey: { id: apiKeyId } as ApiKey, fingerprint: 'ab' };
    const send = (petId: number, name: string, key?: string) =>
      rename({ headers: { 'idempotency-key': key }, body: { categoryId: petId, name } }, context);
    const first = await send(id, 'Rex', 'once');
    expect(first).toEqual({ status: 201, body: `{"id":${id},"name":"Rex","categoryId":7}` });
    await send(id, 'Olive');
    expect(await send(id, 'Rex', 'once')).toEqual(first);
    await expect(send(id + 1, 'Rex')).rejects.toMatchObject({ status: 404 });
    expect(await readPets(db)).toEqual([{ id, name: 'Olive', categoryId: 7 }]);
  });

  test('distribute moves the animals of a running server, which goes on', async () => {
    const { url, drop } = await createCitusDatabase(coordinator, { distributed: false });
    onTestFinished(drop);
    const server = await temporaryServer({ databaseUrl: url });
    const { ids, failures, stop } = load(server);
    await expect.poll(() => ids.length).toBeGreaterThan(3);
    const { code, stdout, stderr } = await run(['distribute', '--shards', '4'], { DATABASE_URL: url });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/creations wait\n.*creations go on\nnode +shards +pets +bytes\n(\S+ +\d +\d+ +\d+\n)+$/);
    const before = ids.length;
    await expect.poll(() => ids.length).toBeGreaterThan(before + 3);
    await stop();
    expect(failures).toEqual([]);
    expect(await walk(server)).toEqual(ids);
    // As in a later migration.
    const change = migration('alter table pets add note text;\ncreate index pets_note on pets (note)', '');
    await server.db.kysely.transaction().execute((transaction) => change.up(transaction));
    expect(await run(['distribute'], { DATABASE_URL: url })).toMatchObject({
      stderr: '',
      stdout: expect.stringMatching(/^node/),
    });
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
    });
    expect(await run(['distribute'], { DATABASE_URL: url })).toMatchObject({ code: 0, stderr: '' });
    const server = await temporaryServer({ databaseUrl: Object.assign(new URL(url), { username: role }).href });
    const { id } = await server.petstore.createPet({ name: 'Biscuit', categoryId: 1 });
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
      const [first] = await workers();
      await client.query('select citus_add_node($1, $2)', [first?.host, first?.port]);
      await client.query(`select pg_advisory_lock('pets'::regclass::oid::integer, 1)`);
      expect((await distribute()).stderr).toBe('petstore-server: Another petstore-server distribute is running\n');
    });
    expect(await distribute()).toMatchObject({ code: 0, stderr: '' });
  });

  test('animals move to another worker while requests go on', async () => {
    const known = await workers();
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
    const { server, link, url, worker } = await withLink();
    const { id } = await server.petstore.createPet({ name: 'First', categoryId: 1 });
    const next = Array.from({ length: 16 }, (_, index) => id + 1 + index);
    await withClient(url, async (client) => {
      await client.query(
        `insert into pets (id, name, category_id) overriding system value select id, 'Ghost', 1 from unnest($1::bigint[]) as id`,
        [next.slice(0, 4)],
      );
      // Left on the last worker by a coordinator that failed before its commit.
      const { rows } = await client.query<{ shard: string; id: number }>(
        `select shard_name as shard, id::float8 as id from unnest($1::bigint[]) as id
         join citus_shards on shardid = get_shard_id_for_distribution_column('pets', id)
         where nodeport = $2`,
        [next.slice(4), link.port],
      );
      const [ghost] = rows as [(typeof rows)[0]];
      await withClient(worker, async (there) => {
        await there.query(`begin; insert into ${ghost.shard} overriding system value values (${ghost.id}, 'Ghost', 1)`);
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
