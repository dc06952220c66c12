import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { eventually } from '@petstore-platform/testkit/eventually';
import { openConnection } from '@petstore-platform/testkit/raw';
import { freePort, listen } from '@petstore-platform/testkit/server';
import { build } from 'esbuild';
import type { Result, Target } from './suite.ts';

const here = import.meta.dirname;
export const binaries = path.join(here, 'runtimes/node_modules');
const bundles = path.join(here, '../../test-results/conformance');

/** Runs the suite in each runtime. */
export const runtimes: Record<string, (target: Target) => Promise<Result[]>> = {
  'Node.js 22': onProcess('node22/bin/node'),
  'Node.js 24': onProcess('node24/bin/node'),
  'Node.js 26': onProcess('node26/bin/node'),
  Bun: onProcess('bun/bin/bun.exe', 'run'),
  Deno: onProcess('deno/deno', 'run', '--allow-net', '--no-prompt'),
  workerd: onWorkerd,
  Chromium: onChromium,
};

/** Installs the runtimes from npm in the versions of `runtimes/package.json`, unless they are installed. */
export function installRuntimes(): void {
  const folder = path.join(here, 'runtimes');
  const read = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  const installed = Object.entries<string>(read('package.json').dependencies).every(([name, version]) => {
    const manifest = `node_modules/${name}/package.json`;
    return existsSync(path.join(folder, manifest)) && version.endsWith(read(manifest).version);
  });
  if (installed) return;
  execFileSync('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

/** Bundles the suite with the built package, one file per kind of runtime. */
export async function bundleSuite(): Promise<void> {
  await build({
    entryPoints: ['on-process.ts', 'on-worker.ts', 'on-page.ts'].map((file) => path.join(here, file)),
    outdir: bundles,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
  });
}

export const NO_CHROMIUM = 'no Chromium: npm does not bring it; install the Debian package or set CHROMIUM';
/** The system's Chromium; npm has none. */
export const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

/** The origin of the page. The port is fixed, because the service must allow the origin before it starts. */
const pagePort = 39_127;
export const pageOrigin = `http://localhost:${pagePort}`;

/** @param binary - its path, absolute or in the folder of the runtimes from npm */
function onProcess(binary: string, ...args: string[]) {
  return async ({ baseUrl, apiKey }: Target): Promise<Result[]> => {
    const command = [...args, path.join(bundles, 'on-process.mjs'), baseUrl, apiKey];
    const { stdout } = await promisify(execFile)(path.resolve(binaries, binary), command, { timeout: 60_000 });
    return JSON.parse(stdout);
  };
}

async function onWorkerd(target: Target): Promise<Result[]> {
  return withWorkerd(path.join(bundles, 'on-worker.mjs'), {}, async (origin) => {
    const response = await fetch(`${origin}/?${new URLSearchParams({ ...target })}`);
    return (await response.json()) as Result[];
  });
}

type Use<T> = (origin: string) => Promise<T>;
/** Runs a module as a worker, with texts as its bindings, while `use` runs with its origin. */
export async function withWorkerd<T>(module: string, bindings: Record<string, string>, use: Use<T>): Promise<T> {
  const port = await freePort();
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`);
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (
      modules = [(name = "worker", esModule = embed "${path.basename(module)}")],
      bindings = [${texts.join(', ')}],
      compatibilityDate = "2026-01-01",
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "worker")],
);`;
  const file = `${module}.capnp`;
  await writeFile(file, config);
  const program = path.join(binaries, 'workerd/bin/workerd');
  const worker = spawn(program, ['serve', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const origin = `http://127.0.0.1:${port}`;
    (await eventually('workerd does not listen', () => openConnection(port))).destroy();
    return await use(origin);
  } finally {
    await stopped(worker);
  }
}

async function onChromium(target: Target): Promise<Result[]> {
  const profile = await mkdtemp(path.join(tmpdir(), 'petstore-chromium-'));
  let report = (_: Result[] | PromiseLike<Result[]>) => {};
  const reported = new Promise<Result[]>((resolve) => {
    report = resolve;
  });
  const page = createServer((request, reply) => {
    if (request.url === '/results') {
      report(json(request) as Promise<Result[]>);
      reply.end();
    } else if (request.url === '/suite.mjs') {
      reply.setHeader('Content-Type', 'text/javascript').end(readFileSync(path.join(bundles, 'on-page.mjs')));
    } else {
      reply.setHeader('Content-Type', 'text/html').end('<script type="module" src="/suite.mjs"></script>');
    }
  });
  await listen(page, pagePort);
  const flags =
    '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
  const url = `${pageOrigin}/?${new URLSearchParams({ ...target })}`;
  const args = [...flags.split(' '), `--user-data-dir=${profile}`, url];
  const browser = spawn(chromium as string, args, { stdio: 'ignore' });
  try {
    return await reported;
  } finally {
    await stopped(browser);
    page.closeAllConnections();
    page.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exit;
}
