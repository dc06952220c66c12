/** docs/streams.md, docs/callers.md and docs/own-users.md as they stand there: their contracts are generated, their code is compiled and served. */
import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../json.ts';
import * as served from '../served.ts';
import { ROOT } from '../workspace.ts';

/** The blocks of a page in a language. */
const blocksOf = (page: string, language: string) =>
  [...readFileSync(path.join(ROOT, 'docs', page), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, each, text = '']) => (each === language ? text : []),
  );

/** Generates the code of a contract, and adds files to that of its server, which have to compile, and to run on Node.js as they are. */
async function prepare(contract: string, files: Record<string, string>) {
  const prepared = await served.prepare(contract);
  onTestFinished(prepared.close);
  const server = path.join(prepared.code, 'server');
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(path.join(server, file), text);
    stripTypeScriptTypes(text);
  }
  expect(await prepared.compile()).toEqual([]);
  const page: Json = await import(path.join(server, 'page.ts'));
  return { ...prepared, page };
}

const TABLES = `import type { Generated } from 'kysely';
import type { Tables } from '@petstore-platform/server-runtime';

interface All { photos: { id: Generated<number>; name: string; size: number } }
export const tables: Tables<All> = { columns: { photos: { id: 'bigint', name: 'text', size: 'integer' } } };
`;
/** What the types refuse, each below its reason. */
const REFUSED = `import { operationsOf } from '@petstore-platform/server-runtime';
import { contract } from './contract.ts';
import { tables } from './tables.ts';

const { read, write, stream, events } = operationsOf(contract, tables);
// @ts-expect-error The accepted media type is not named.
read('listPhotos', async () => ({ status: 200, body: [] }));
// @ts-expect-error CSV is no list.
read('listPhotos', { accept: true }, async () => ({ status: 200, type: 'text/csv', body: [] }));
// @ts-expect-error The file is not named.
write('addAvatar', { name: true }, async () => ({ status: 201, body: { id: 1, name: '', size: 1 } }));
// @ts-expect-error A file that flows is not in the body.
stream('addPhotos', { name: true, images: true }, async ({ body: { images } }, _db, { write }) => write(async () => images));
// @ts-expect-error There are no events.
events('getImage', () => (async function* () {})());
// @ts-expect-error A column is missing.
events('watchPhotos', (_request, db, { rows }) => rows(db.selectFrom('photos').select(['id', 'name'])));
`;
const MIGRATION = served.runtime.migration(
  'create table photos (id bigint generated always as identity primary key, name text not null, size integer not null)',
  'drop table photos',
);

test('docs/streams.md compiles, and does what it says', async () => {
  const [[yaml = ''], [code = '']] = [blocksOf('streams.md', 'yaml'), blocksOf('streams.md', 'ts')];
  const files = { 'tables.ts': TABLES, 'refused.ts': REFUSED, 'page.ts': code };
  const { page, start, clientOf } = await prepare(yaml, files);
  const server = await start(() => page.handlers, { migrations: { '001-photos': MIGRATION } });
  const client = clientOf(server);
  const image = new File(['abc'], 'a.png', { type: 'image/png' });
  expect(await client.addAvatar({ name: 'Ann', image })).toEqual({ id: 1, name: 'Ann', size: 3 });
  expect(await client.addPhotos({ name: 'trip', images: [image] })).toEqual({ id: 2, name: 'trip', size: 3 });
  expect(await (await client.getImage({ id: 2 })).text()).toBe('abc');
  await expect(client.getImage({ id: 3 })).rejects.toMatchObject({ status: 404 });
  const get = (target: string, headers: object) =>
    fetch(`${server.origin}/v1${target}`, { headers: { Authorization: `Bearer ${server.apiKey}`, ...headers } });
  expect(await (await get('/photos', { Accept: 'text/csv' })).text()).toBe('id,size\r\n1,3\r\n2,3\r\n');
  const events = await get('/events', { 'Last-Event-ID': '1' });
  const reader = (events.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('trip')) text += (await reader.read()).value;
  await reader.cancel();
  expect(text).toContain('id: 2\ndata: {"id":2,"name":"trip","size":3}\n\n');
});

const ORDERS = `import { defineService, migration, operationsOf, type Tables } from '@petstore-platform/server-runtime';
import { contract } from './contract.ts';

interface All { orders: { title: string; owner: string } }
const tables: Tables<All> = { columns: { orders: { title: 'text', owner: 'text' } } };
const { write, todo } = operationsOf(contract, tables);
const COLUMNS = ['title', 'owner'] as const;
const migrations = { '001-orders': migration('create table orders (title text, owner text)', 'drop table orders') };
`;
const HANDLERS = `const handlers = { createOrder, login: todo('login'), listOrders: todo('listOrders') };
`;

test('docs/callers.md compiles, and its callers are those that it says', async () => {
  const [yaml = '', handler = '', options = '', extend = ''] = ['yaml', 'ts'].flatMap((each) =>
    blocksOf('callers.md', each),
  );
  const service = options.replace(/}\);\n$/, () => `${extend}});\n`);
  expect(service).toContain('extend(app');
  const document = parse(yaml);
  const text = { type: 'string' };
  const content = {
    'application/json': { schema: { type: 'object', required: ['title'], properties: { title: text } } },
  };
  const order = { 'application/json': { schema: { type: 'object', properties: { title: text, owner: text } } } };
  const { login, createOrder, listOrders } = {
    login: document.paths['/session'].post,
    createOrder: document.paths['/orders'].post,
    listOrders: document.paths['/orders'].get,
  };
  Object.assign(login, { 'x-not-idempotent': true, responses: { 204: { description: 'Done.' } } });
  Object.assign(listOrders, { responses: { 204: { description: 'None.' } } });
  const responses = { 201: { description: 'Added.', content: order } };
  Object.assign(createOrder, { requestBody: { required: true, content }, responses });
  const info = { title: 'Shop', version: '1.0.0' };
  const servers = [{ url: 'https://api.shop.example/v1' }];
  const files = { 'page.ts': [ORDERS, handler, HANDLERS, service].join('\n') };
  const { page, open, clientOf } = await prepare(
    JSON.stringify({ openapi: '3.1.0', info, servers, ...document }),
    files,
  );
  // The server has the keys of the test's issuer: no look-up can fail.
  const lost = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('The issuer is away.'));
  const { origin, createKey, tokenOf } = await open(page.service);
  lost.mockRestore();
  const { id, key } = await createKey({ owner: 'acme', scopes: ['orders:read'] });
  const add = async (scope: string, org_id: string) => {
    const token = await tokenOf({ sub: 'ann', scope, org_id });
    return clientOf({ origin, apiKey: key }, { token }).createOrder({ title: 'Tea' });
  };
  expect(await add('orders:write', 'acme')).toEqual({ title: 'Tea', owner: 'acme' });
  await expect(add('orders:read', 'acme')).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' });
  await expect(add('orders:write', 'other')).rejects.toMatchObject({ status: 403 });
  const other = (await createKey({ owner: 'acme' })).key;
  const statuses: (string | number)[] = [];
  for (const Authorization of [`Bearer ${key}`, `Bearer ${other}`, ''])
    statuses.push((await fetch(`${origin}/export`, { headers: { Authorization } })).status);
  expect(statuses).toEqual([200, 403, 401]);
  const exported = await fetch(`${origin}/export`, { headers: { Authorization: `Bearer ${key}` } });
  expect(await exported.text()).toBe(`key:${id}`);
});

const USERS = `import { ApiError, defineService, migration, operationsOf, type Tables } from '@petstore-platform/server-runtime';
import { type Generated, sql } from 'kysely';
import { contract } from './contract.ts';

interface All {
  users: { id: string; email: string; password: string };
  sessions: { digest: string; owner: string; expires: Generated<Date> };
}
const tables: Tables<All> = {
  columns: {
    users: { id: 'text', email: 'text', password: 'text' },
    sessions: { digest: 'text', owner: 'text', expires: 'timestamp with time zone' },
  },
};
const { read, write, stream } = operationsOf(contract, tables);
`;

test('docs/own-users.md compiles: people register, log in, stay logged in and log out', async () => {
  const [[yaml = ''], [code = '']] = [blocksOf('own-users.md', 'yaml'), blocksOf('own-users.md', 'ts')];
  const document = parse(yaml);
  const text = { type: 'string' };
  const content = (...required: string[]) => {
    const properties = Object.fromEntries(required.map((name) => [name, text]));
    return { content: { 'application/json': { schema: { type: 'object', required, properties } } } };
  };
  for (const name of ['register', 'login', 'refresh', 'logout']) {
    const isSession = name === 'refresh' || name === 'logout';
    const { post } = document.paths[`/${name}`];
    post.requestBody = { required: true, ...(isSession ? content('refresh') : content('email', 'password')) };
    const status = { register: 201, logout: 204 }[name] ?? 200;
    const body = name === 'logout' ? {} : content('token', 'refresh');
    post.responses = { [status]: { description: 'Done.', ...body } };
  }
  document.paths['/user'].get.responses = { 200: { description: 'The user.', ...content('email') } };
  const info = { title: 'App', version: '1.0.0' };
  const servers = [{ url: 'https://app.example/v1' }];
  const contract = JSON.stringify({ openapi: '3.1.0', info, servers, ...document });
  const { page, open, built } = await prepare(contract, { 'page.ts': USERS + code });
  const { origin } = await open(page.service);
  const clientOf = (token = 'none') => built.createClient({ token, baseUrl: `${origin}/v1`, maxRetries: 0 });
  const client = clientOf();
  const ann = { email: 'ann@app.example', password: 'correct horse' };
  const first = await client.register(ann);
  await expect(client.register(ann)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('This address is registered already'),
  });
  for (const wrong of [
    { ...ann, password: 'x' },
    { ...ann, email: 'bob@app.example' },
  ])
    await expect(client.login(wrong)).rejects.toMatchObject({ status: 401 });
  const second = await client.login(ann);
  for (const { token } of [first, second]) expect(await clientOf(token).getUser()).toEqual({ email: ann.email });
  const third = await client.refresh({ refresh: second.refresh });
  expect(await clientOf(third.token).getUser()).toEqual({ email: ann.email });
  // The secret is used once.
  await expect(client.refresh({ refresh: second.refresh })).rejects.toMatchObject({ status: 401 });
  await client.logout({ refresh: third.refresh });
  await expect(client.refresh({ refresh: third.refresh })).rejects.toMatchObject({ status: 401 });
  await expect(clientOf('x').getUser()).rejects.toMatchObject({ status: 401 });
});
