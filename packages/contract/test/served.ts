/** The generated server and SDK of any contract, in a folder of their own, and a service of it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createDatabase } from '@petstore-platform/testkit/database';
import type {} from '@petstore-platform/testkit/global-setup';
import { openConnection } from '@petstore-platform/testkit/raw';
import { afterAll, expect, inject, onTestFinished, vi } from 'vitest';
import { Folder } from '../../contract-review/test/folder.ts';
import type { Document } from '../src/contract.ts';
import { generateFiles } from '../src/generate/generate.ts';
import { folderOf, readContract } from '../src/read.ts';
import { typeFindings } from '../src/trial/types.ts';
import type { Json } from './json.ts';
import { PLATFORM, ROOT, TARGET } from './workspace.ts';

export const runtime: Json = await import(path.join(ROOT, 'packages/server-runtime/src/index.ts'));
export const testing: Json = await import(path.join(ROOT, 'packages/service/src/testing/testing.ts'));

/** Generates into an empty folder, and loads the modules. */
async function build(file: string, scratch: string) {
  const { published } = readContract(file, PLATFORM, folderOf(file));
  for (const [place, text] of generateFiles(published as Document, { ...TARGET, server: 'server', client: 'client' })) {
    mkdirSync(path.dirname(path.join(scratch, place)), { recursive: true });
    writeFileSync(path.join(scratch, place), text);
  }
  writeFileSync(path.join(scratch, 'package.json'), '{ "type": "module" }');
  symlinkSync(path.join(ROOT, 'packages/contract/node_modules'), path.join(scratch, 'node_modules'));
  const load = (place: string): Promise<Json> => import(path.join(scratch, place));
  const [{ contract }, { createClient }, { createTestClient, errorResponse }] = await Promise.all(
    ['server/contract.ts', 'client/index.ts', 'client/testing.ts'].map(load),
  );
  return { contract, createClient, createTestClient, errorResponse };
}

export type Prepared = Awaited<ReturnType<typeof prepare>>;

/**
 * Generates the code of a contract, and makes a database for services of it.
 *
 * @returns `code`: the folder of the code; `close` ends the services
 */
export async function prepare(text: string) {
  const folder = new Folder();
  const database = await createDatabase(inject('postgresUrl'));
  const code = path.join(folder.root, 'code');
  const built = await build(folder.write('contract.yaml', text), code);
  const { contract } = built;
  const servers: Json[] = [];
  /** Starts a service, whose database it migrates. */
  const open = async (service: Json): Promise<Json> => {
    const bound = testing.bind(service);
    await bound.withDatabase(database.url, (db: Json) => bound.migrateUp(db));
    const server = await testing.startService(service, database.url);
    servers.push(server);
    return server;
  };
  /**
   * Starts a service of the contract. An operation without a handler is still to be written.
   *
   * @param implement - makes the handlers with the functions of `operationsOf`
   * @param options - of the service, and `tables`
   */
  const start = async (implement: (authoring: Json) => Json = () => ({}), { tables, ...options }: Json = {}) => {
    const authoring = runtime.operationsOf(contract, tables);
    const handlers = Object.fromEntries(Object.keys(contract.operations).map((id) => [id, authoring.todo(id)]));
    Object.assign(handlers, implement(authoring));
    const base = { name: 'contracts', contract, migrations: {}, addressPlan: 'free' };
    return open(runtime.defineService({ ...base, handlers, ...options }));
  };
  /** A client that sends nothing again. */
  const clientOf = ({ apiKey, origin }: Json, options: object = {}): Json =>
    built.createClient({ apiKey, baseUrl: `${origin}/v1`, maxRetries: 0, ...options });
  /** Compiles the generated code, and the code that a test has added. Returns the compiler's errors. */
  const compile = () => {
    const operations = Object.keys(contract.operations).map((id) => ({ id }));
    return typeFindings(new Map(), operations as never, new Map(), code, ROOT);
  };
  const close = async () => {
    for (const server of servers) await server.close();
    await database.drop();
  };
  return { code, built, open, start, clientOf, compile, close };
}

/** Serves a contract to all tests of a file, with a client, and functions that send requests. */
export async function served(text: string, implement: (authoring: Json) => Json, options?: Json) {
  const { built, start, clientOf, close } = await prepare(text);
  afterAll(close);
  const server = await start(implement, options);
  const client = clientOf(server);
  const request = (target: string, method = 'GET', body: Json = undefined, headers: object = {}) =>
    fetch(`${server.origin}/v1${target}`, {
      method,
      body,
      redirect: 'manual',
      headers: { Authorization: `Bearer ${server.apiKey}`, ...headers },
      ...(body?.getReader && { duplex: 'half' }),
    } as RequestInit);
  /** The beginning of a raw request. */
  const headOf = (line: string, headers: object = {}) => {
    const all = Object.entries({ Host: 'x', Authorization: `Bearer ${server.apiKey}`, ...headers });
    return `${line} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  };
  /** Sends the beginning of a request, and some text, over a connection that ends with the test. */
  const connect = async (line: string, headers?: object, text = '') => {
    const connection = await openConnection(server.port);
    onTestFinished(() => connection.destroy());
    connection.write(headOf(line, headers) + text);
    return connection;
  };
  return { built, server, client, clientOf, request, headOf, connect };
}

/** The status of a failure, its message, and the pointers to its fields. */
export async function failureOf(response: Response) {
  const { message, errors = [] }: Json = await response.json();
  return [response.status, message, ...errors.map(({ pointer }: Json) => pointer)];
}

/** Waits until a number stays the same for a while. */
export const untilStill = (count: () => number) =>
  vi.waitFor(async () => {
    const before = count();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(count()).toBe(before);
  }, 60_000);
