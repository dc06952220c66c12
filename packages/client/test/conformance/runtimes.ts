import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@petstore-platform/testkit/eventually';
import { openConnection } from '@petstore-platform/testkit/raw';
import { freePort } from '@petstore-platform/testkit/server';
import { build } from 'esbuild';
import puppeteer from 'puppeteer-core';
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

/** The origin of the page, which the service must allow before it starts. */
export const pageOrigin = 'http://localhost';

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

/** Starts the system's Chromium, in which a page without a server may call this machine. */
export function launch() {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-features=LocalNetworkAccessChecks'];
  return puppeteer.launch({ executablePath: chromium as string, args, timeout: 0 });
}

async function onChromium(target: Target): Promise<Result[]> {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    // The page has an origin, but no server.
    await page.setRequestInterception(true);
    page.once('request', (request) => request.respond({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto(pageOrigin);
    await page.setRequestInterception(false);
    await page.evaluate(readFileSync(path.join(bundles, 'on-page.mjs'), 'utf8'));
    return (await page.evaluate(`runSuite(${JSON.stringify(target)})`)) as Result[];
  } finally {
    await browser.close();
  }
}

export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exit;
}
