// The programs in examples/ run with the packed SDK in an empty project, in Chromium and beside the real service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { eventually } from '@petstore-platform/testkit/eventually';
import { freePort, listen } from '@petstore-platform/testkit/server';
import { build } from 'esbuild';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/generated/index.ts';
import { chromium, installRuntimes, launch, NO_CHROMIUM, stopped, withWorkerd } from '../conformance/runtimes.ts';
import { startService } from '../conformance/service.ts';
import { folder, root, run, tarballs } from '../tarball.ts';

let service: Awaited<ReturnType<typeof startService>>;
const app = path.join(folder, 'examples');
let browser: Browser;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const filter = (file: string) => !/\/(node_modules|dist|\.next)(\/|$)/.test(file.slice(root.length));
  await cp(path.join(root, '../../examples'), app, { recursive: true, filter });
  await run(app, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs]);
  service = await startService();
  env = { ...process.env, PETSTORE_API_KEY: service.apiKey, PETSTORE_BASE_URL: service.baseUrl };
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Starts a server on a free port, and stops it when the test ends. Returns its origin. */
async function serve(args: (port: string) => string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const port = `${await freePort()}`;
  const child = spawn(process.execPath, args(port), {
    cwd: app,
    env: { ...environment, PORT: port, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => stopped(child));
  const origin = `http://127.0.0.1:${port}`;
  await eventually('the server does not listen', () => fetch(origin));
  return origin;
}

const backend = (environment = env) => serve(() => ['own-backend/server.ts'], environment);

async function open(url: string) {
  browser ??= await launch();
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(url);
  return page;
}

const program = (name: string) => path.join(app, 'node_modules', name);

test('TypeScript compiles the examples', async () => {
  const { stdout } = await run(app, process.execPath, [program('typescript/bin/tsc'), '-p', '.']).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

test('the program for Node.js', async () => {
  const { stdout } = await run(app, process.execPath, ['node/pets.ts'], { env });
  expect(stdout).toMatch(/^Added Biscuit as \d+\nBiscuit is available\n\d+ are available\n$/);
});

test('the worker', async () => {
  installRuntimes();
  const file = path.join(app, 'worker.mjs');
  await build({ entryPoints: [path.join(app, 'worker/worker.ts')], outfile: file, bundle: true, format: 'esm' });
  const bindings = { PETSTORE_API_KEY: service.apiKey, PETSTORE_BASE_URL: service.baseUrl };
  await withWorkerd(file, bindings, async (origin) => {
    expect(await (await fetch(origin)).json()).toEqual({ available: expect.any(Number) });
  });
});

const next = 'next/dist/bin/next';
test.for<[name: string, file: string, folder: string, start: () => Promise<string>]>([
  ['Vite with a plain backend', 'vite/bin/vite.js', 'vite', () => backend()],
  ['Next.js', next, 'next', () => serve((port) => [program(next), 'start', 'next', '-p', port], env)],
])('%s: a form marks its field, and a double click adds one animal', async ([name, file, folder, start], { skip }) => {
  skip(!chromium, NO_CHROMIUM);
  // A build has no key.
  const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
  await run(app, process.execPath, [program(file), 'build', folder], { env: environment });
  const page = await open(await start());
  await page.locator('button ::-p-text(Add)').click();
  await page.locator('input[name=name][aria-invalid=true]').wait();
  await page.locator('label ::-p-text(must not be empty)').wait();
  const pet = `Olive of ${name}`;
  await page.locator('input[name=name]').fill(pet);
  await page.evaluate(() => {
    const button = document.querySelector('button');
    button?.click();
    button?.click();
  });
  await page.locator(`li ::-p-text(${pet})`).wait();
  await page.waitForNetworkIdle();
  expect((await namesOf(service)).filter((each) => each === pet)).toHaveLength(1);
});

async function namesOf({ apiKey, baseUrl }: typeof service): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of createClient({ apiKey, baseUrl }).listPets({ limit: 100 })) names.push(name);
  return names;
}

test('a form without a library marks its fields', async ({ skip }) => {
  skip(!chromium, NO_CHROMIUM);
  const page = path.join(app, 'vite/dist');
  await mkdir(page, { recursive: true });
  await build({ entryPoints: [path.join(app, 'form/form.ts')], outdir: page, bundle: true, format: 'esm' });
  await writeFile(
    path.join(page, 'form.html'),
    '<form><input name="name"><input name="categoryId" value="seven"><button>Add</button></form><script type="module" src="form.js"></script>',
  );
  const tab = await open(`${await backend()}/form.html`);
  const messages = () => tab.$$eval('input', (inputs) => inputs.map((input) => input.validationMessage));
  await tab.locator('button').click();
  await tab.locator('input:invalid').wait();
  expect(await messages()).toEqual(['must not be empty', 'must be an integer']);
  await tab.locator('input[name=name]').fill('Form');
  expect(await messages()).toEqual(['', '']);
  await tab.locator('input[name=categoryId]').fill('7');
  const added = tab.waitForResponse((response) => response.status() === 201);
  await tab.locator('button').click();
  expect(await (await added).json()).toMatchObject({ name: 'Form', categoryId: 7 });
});

test('the backend passes on failures, but not that of its own key', async () => {
  const wrong = await backend({ ...env, PETSTORE_API_KEY: 'petstore_wrong' });
  const ours = createClient({ apiKey: null, baseUrl: `${wrong}/api`, maxRetries: 0 });
  await expect(ours.listPets()).rejects.toMatchObject({ status: 502, code: 'service_unavailable' });
  const right = createClient({ apiKey: null, baseUrl: `${await backend()}/api`, maxRetries: 0 });
  const refused = right.createPet({ name: '', categoryId: 7 });
  const errors = [{ pointer: '/body/name' }];
  const requestId = expect.any(String);
  await expect(refused).rejects.toMatchObject({ status: 400, code: 'invalid_request', errors, requestId });
});

test('a browser that gives up ends the call of the backend', async () => {
  const stalled = createServer();
  const sent = once(stalled, 'request');
  onTestFinished(() => void stalled.close().closeAllConnections());
  const origin = await backend({ ...env, PETSTORE_BASE_URL: `http://127.0.0.1:${await listen(stalled)}/v1` });
  const controller = new AbortController();
  const call = createClient({ apiKey: null, baseUrl: `${origin}/api` }).listPets({}, { signal: controller.signal });
  const [request] = (await sent) as [IncomingMessage];
  const ended = once(request.socket, 'close');
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  await ended;
});
