/** docs/streams.md as it stands there: its contract is generated, its code is compiled and served. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createDatabase } from '@petstore-platform/testkit/database';
import { openTestPostgres } from '@petstore-platform/testkit/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { Folder } from '../../contract-review/test/folder.ts';
import type { Json } from './json.ts';
import { build, serve } from './served.ts';
import { ROOT } from './workspace.ts';

const page = readFileSync(path.join(ROOT, 'docs/streams.md'), 'utf8');
const block = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1] ?? '';

const TABLES = `import type { Generated } from 'kysely';
import type { Tables } from '@petstore-platform/server-runtime';

interface All { photos: { id: Generated<number>; name: string; size: number } }
export const tables: Tables<All> = { columns: { photos: { id: 'bigint', name: 'text', size: 'integer' } }, defaults: {} };
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
const MIGRATION = {
  up: async (db: Json) => {
    const { sql } = await import('kysely');
    await sql`create table photos (id bigint generated always as identity primary key, name text not null, size integer not null)`.execute(
      db,
    );
  },
};

test('the page compiles, and does what it says', async () => {
  const folder = new Folder();
  const postgres = await openTestPostgres();
  const database = await createDatabase(postgres.url);
  const scratch = path.join(folder.root, 'code');
  const { contract, createClient } = await build(folder.write('album.yaml', block('yaml')), scratch);
  const write = (file: string, text: string) => writeFileSync(path.join(scratch, file), text);
  write('server/tables.ts', TABLES);
  write('server/refused.ts', REFUSED);
  write('server/page.ts', block('ts'));
  const runtime = path.join(ROOT, 'packages/server-runtime');
  const compilerOptions = {
    ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], module: 'nodenext', types: ['node'], strict: true },
    ...{ exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true },
    ...{ customConditions: ['source'], typeRoots: [path.join(ROOT, 'node_modules/@types')] },
    paths: {
      '@petstore-platform/server-runtime': [path.join(runtime, 'src/index.ts')],
      kysely: [path.join(runtime, 'node_modules/kysely')],
    },
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['server'] }));
  const { stdout } = spawnSync(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.'], {
    cwd: scratch,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');

  const { handlers }: Json = await import(path.join(scratch, 'server/page.ts'));
  const server = await serve(contract, database.url, () => handlers, { migrations: { '001-photos': MIGRATION } });
  onTestFinished(async () => {
    await server.close();
    await database.drop();
    await postgres.close();
  });
  const client = createClient({ apiKey: server.apiKey, baseUrl: `${server.origin}/v1`, maxRetries: 0 });
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
}, 60_000);
