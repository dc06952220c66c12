/** The packed package and its runtime in an empty project outside the workspace, as npm installs them. */
import { type ExecFileOptions, execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { listen } from '@petstore-platform/testkit/server';
import { expect, inject } from 'vitest';
import type {} from './pack.ts';

export const root = path.resolve(import.meta.dirname, '..');
const pet = { id: 1, name: 'Biscuit', categoryId: 7 };

export const run = (cwd: string, command: string, args: string[], options: ExecFileOptions = {}) =>
  promisify(execFile)(command, args, { cwd, encoding: 'utf8', ...options });

/** The folder has the tarballs, and the apps of all test files by their names. */
export const folder = inject('packed');
export const tarballs = [path.join(folder, 'client.tgz'), path.join(folder, 'client-runtime.tgz')] as const;

/** An app with the strictest compiler options. */
const consumer = `
import { createClient, type Fetch, isPetstoreError, type Middleware, type Pet, type Pets, PetstoreError } from '@petstore/client';
import { createTestClient } from '@petstore/client/testing';
import nodeFetch from 'node-fetch';
import { Agent, fetch as undiciFetch, interceptors } from 'undici';

const seen: string[] = [];
const noting: Middleware = { onRequest: ({ request, schemaPath }) => void seen.push(request.method + ' ' + schemaPath) };
const petstore = createClient({ apiKey: 'YOUR_API_KEY', baseUrl: process.argv[2], maxRetries: 0, middleware: [noting] });
const maybe = Math.random() < 2 ? undefined : 'sold' as const;
const pets: Pet[] = await petstore.listPets({ status: maybe });
for await (const { name } of petstore.listPets()) console.log(name);
if (seen.join() !== 'GET /pets,GET /pets') throw new Error(seen.join());

// Each is used as it is, and wrapped.
const dispatcher = new Agent().compose(interceptors.retry());
const fetches: Fetch[] = [
  globalThis.fetch,
  (url, init) => globalThis.fetch(url, { ...init, cache: 'no-store' }),
  undiciFetch,
  (url, init) => undiciFetch(url, { ...init, dispatcher }),
  nodeFetch,
  (url, init) => nodeFetch(url, { ...init, compress: false }),
];
for (const fetch of fetches) {
  for (const middleware of [[], [noting]]) {
    const [first] = await petstore.withOptions({ fetch, middleware }).listPets();
    const added = await petstore.withOptions({ fetch, middleware }).createPet({ name: 'Olive', categoryId: 2 });
    if (first?.name !== 'Biscuit' || added.name !== 'Olive') throw new Error(String(fetch));
    const lost = createClient({ apiKey: 'YOUR_API_KEY', baseUrl: 'http://127.0.0.1:1/v1', fetch, middleware, maxRetries: 0 });
    const error: unknown = await lost.listPets().catch((error: unknown) => error);
    if (!isPetstoreError(error) || error.code !== 'network_error') throw error;
  }
}
await dispatcher.close();

const fake = createTestClient({ listPets: () => pets, getPet: () => new Response('', { status: 500 }) });
const { data, attempts, nextCursor } = await fake.listPets().withResponse();
const page: Pets = data;
const cursor: string | undefined = nextCursor;
if (page.length !== 1 || attempts !== 1 || cursor) throw new Error('not what the handler answered');
try {
  await fake.getPet({ petId: 1 });
} catch (error) {
  // Both entry points have the same class.
  if (!isPetstoreError(error) || !(error instanceof PetstoreError) || error.status !== 500) throw error;
}

// @ts-expect-error unknown field
if (process.argv.length > 9) petstore.createPet({ name: 'Biscuit', categoryId: 7, colour: 'brown' });
`;

/** The same as a CommonJS module. */
const commonJs = `
import { createClient, type Middleware } from '@petstore/client';
import { createTestClient } from '@petstore/client/testing';
const middleware: Middleware[] = [];
createClient({ apiKey: 'YOUR_API_KEY', baseUrl: process.argv[2] ?? '', middleware }).listPets().then(async ([pet]) => {
  const [same] = await createTestClient({ listPets: () => (pet ? [pet] : []) }).listPets();
  console.log(same?.name);
});
`;

/** Installs the tarballs in an app. Returns its folder. */
export async function installApp(): Promise<string> {
  const app = path.join(folder, 'app');
  await cp(path.join(import.meta.dirname, 'tarball-app'), app, { recursive: true });
  await writeFile(path.join(app, 'app.mts'), consumer);
  await writeFile(path.join(app, 'app.cts'), commonJs);
  const packages = [...tarballs, '@types/node@24.19.2', 'undici@7.29.0', 'node-fetch@3.3.2'];
  await run(app, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages]);
  return app;
}

/** Compiles an installed app by the script of a compiler, and runs it. */
export async function expectAppRuns(app: string, compiler: string): Promise<void> {
  const { stdout } = await run(app, process.execPath, [compiler]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');

  const server = createServer(async (request, reply) => {
    const body = await text(request);
    const answer = request.method === 'POST' ? { ...pet, ...JSON.parse(body) } : [pet];
    reply.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
  const port = await listen(server);
  try {
    for (const file of ['app.mjs', 'app.cjs']) {
      const output = await run(app, process.execPath, [file, `http://127.0.0.1:${port}/v1`]);
      expect(output.stdout).toBe('Biscuit\n');
    }
  } finally {
    server.close();
  }
}
