import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@petstore-platform/testkit/eventually';
import { freePort } from '@petstore-platform/testkit/server';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

/**
 * Clients that others generate: each is built from the `/openapi.json` of a server, as it is, and lists, creates and handles a 400 there.
 * Known faults of generators stand in openapi/README.md.
 */

const sources = path.resolve(import.meta.dirname, '../clients');
const tsc = path.resolve(import.meta.dirname, '../../../../node_modules/.bin/tsc');
const server = sharedServer();

/** Keeps what later runs need again: programs of PyPI, and crates once compiled. */
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'petstore-clients');

const run = async (cwd: string, command: string, ...args: string[]) => {
  const env = { ...process.env, CARGO_TARGET_DIR: path.join(cache, 'crates') };
  return (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 1e8 })).stdout;
};
const succeeds = (command: string, ...args: string[]) =>
  promisify(execFile)(command, args).then(
    () => true,
    () => false,
  );

const hasPython = await succeeds('python3', '-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)');
const NO_PYTHON = 'no python3, 3.11 or later, with its venv module';
const hasGo = await succeeds('go', 'version');
const hasJava = (await succeeds('mvn', '--version')) && (await succeeds('javac', '-version'));
const hasRust = await succeeds('cargo', '--version');

let folder: string;
let baseUrl: string;
let key: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'petstore-clients-'));
  baseUrl = `${server.origin}/v1`;
  key = server.apiKey;
  writeFileSync(path.join(folder, 'openapi.json'), await (await server.anonymous('/openapi.json')).text());
});

/** Installs the generators of PyPI, once for their versions. @returns the folder of their programs */
async function installPython(): Promise<string> {
  const requirements = path.join(sources, 'requirements.txt');
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const environment = path.join(cache, version);
  const programs = path.join(environment, 'bin');
  const stamp = path.join(environment, 'installed');
  if (existsSync(stamp)) return programs;
  mkdirSync(cache, { recursive: true });
  await run(cache, 'python3', '-m', 'venv', '--clear', environment);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes'];
  await run(cache, path.join(programs, 'python'), ...pip, '--requirement', requirements);
  writeFileSync(stamp, '');
  return programs;
}

/** What each client prints after it has created, listed and made a mistake. */
function expectUse(printed: string): void {
  const { created, listed, failure } = JSON.parse(printed);
  expect(created).toEqual({ id: expect.any(Number), name: 'Biscuit', categoryId: 7, status: 'available' });
  expect(listed).toContainEqual(created);
  expect(failure).toEqual([400, 'invalid_request', '/body/name']);
}

test('Python: openapi-python-client, and pydantic models of datamodel-codegen', async ({ skip }) => {
  skip(!hasPython, NO_PYTHON);
  const programs = await installPython();
  const program = (name: string) => path.join(programs, name);
  const source = ['--meta', 'none', '--output-path', 'client'];
  await run(folder, program('openapi-python-client'), 'generate', '--path', 'openapi.json', ...source);
  const models = ['--input-file-type', 'openapi', '--output-model-type', 'pydantic_v2.BaseModel'];
  await run(folder, program('datamodel-codegen'), '--input', 'openapi.json', ...models, '--output', 'models.py');
  expectUse(await run(folder, program('python'), path.join(sources, 'main.py'), folder, baseUrl, key));
});

/** Runs openapi-generator, which is of PyPI, into the folder `client`. */
async function openapiGenerator(generator: string, ...options: string[]): Promise<void> {
  const program = path.join(await installPython(), 'openapi-generator-cli');
  await run(folder, program, 'generate', '-i', 'openapi.json', '-g', generator, '-o', 'client', ...options);
}

test('Python: python of openapi-generator', async ({ skip }) => {
  skip(!hasPython, NO_PYTHON);
  await openapiGenerator('python');
  const python = path.join(await installPython(), 'python');
  const program = path.join(sources, 'generated.py');
  expectUse(await run(folder, python, program, path.join(folder, 'client'), baseUrl, key));
});

test('Java: java of openapi-generator', async ({ skip }) => {
  skip(!hasPython, NO_PYTHON);
  skip(!hasJava, 'no JDK with Maven');
  await openapiGenerator('java', '--library', 'native');
  const client = path.join(folder, 'client');
  await run(client, 'mvn', '--quiet', '-Dmaven.test.skip=true', '-Dmaven.javadoc.skip=true', 'package');
  const classes = ['-cp', 'target/*:target/lib/*'];
  expectUse(await run(client, 'java', ...classes, path.join(sources, 'Main.java'), baseUrl, key));
});

test('Rust: rust of openapi-generator', async ({ skip }) => {
  skip(!hasPython, NO_PYTHON);
  skip(!hasRust, 'no Cargo');
  cpSync(path.join(sources, 'rust'), folder, { recursive: true });
  await openapiGenerator('rust', '--additional-properties', 'packageName=petstore');
  expectUse(await run(folder, 'cargo', 'run', '--quiet', '--', baseUrl, key));
});

test('TypeScript: typescript-fetch of openapi-generator', async ({ skip }) => {
  skip(!hasPython, NO_PYTHON);
  await openapiGenerator('typescript-fetch');
  cpSync(path.join(sources, 'main.ts'), path.join(folder, 'main.ts'));
  const types = path.resolve(import.meta.dirname, '../../../../node_modules/@types');
  const options = ['--module', 'commonjs', '--lib', 'es2022,dom', '--types', 'node', '--typeRoots', types, '--strict'];
  await run(folder, tsc, ...options, 'main.ts');
  expectUse(await run(folder, process.execPath, 'main.js', baseUrl, key));
});

test.skipIf(!hasGo).each([
  ['oapi-codegen', 'go', ['-generate', 'types,client', '-package', 'api', '-o', 'api/api.go']],
  ['ogen', 'ogen', ['--target', 'api', '--package', 'api']],
])('Go: %s', async (tool, source, options) => {
  cpSync(path.join(sources, source), folder, { recursive: true });
  mkdirSync(path.join(folder, 'api'));
  await run(folder, 'go', 'tool', tool, ...options, 'openapi.json');
  expectUse(await run(folder, 'go', 'run', '.', baseUrl, key));
});

test('Prism, between a client and the server, finds no response that differs from the contract', async () => {
  const port = await freePort();
  const args = ['proxy', `${server.origin}/openapi.json`, baseUrl, '--port', `${port}`];
  const prism = spawn('npx', ['--yes', '@stoplight/prism-cli@5.16.0', ...args], {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
  });
  onTestFinished(() => void process.kill(-(prism.pid as number)));
  const call = async (method: string, target: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${port}${target}`, init);
    const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]') as { location: string[] }[];
    return { json: await response.json(), violations: violations.map(({ location }) => location.join('.')) };
  };
  await eventually('Prism listens', () => call('GET', '/pets'), 120_000);
  const created = await call('POST', '/pets', { name: 'Biscuit', categoryId: 7, status: 'available' });
  const listed = await call('GET', '/pets?status=available');
  expect([created.violations, listed.violations]).toEqual([[], []]);
  const failed = await call('POST', '/pets', { name: '', categoryId: 7 });
  expect(failed.violations).toEqual(['request.body.name']);
  const { status, code, errors } = failed.json as { status: number; code: string; errors: [{ pointer: string }] };
  expectUse(JSON.stringify({ created: created.json, listed: listed.json, failure: [status, code, errors[0].pointer] }));
});
