/** The generated server and SDK of any contract, in a folder of their own, and a service of it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createDatabase } from '@petstore-platform/testkit/database';
import type {} from '@petstore-platform/testkit/global-setup';
import { afterAll, inject } from 'vitest';
import { Folder } from '../../contract-review/test/folder.ts';
import type { Document } from '../src/contract.ts';
import { generateFiles } from '../src/generate/generate.ts';
import { folderOf, readContract } from '../src/read.ts';
import type { Json } from './json.ts';
import { PLATFORM, ROOT, TARGET } from './workspace.ts';

const RUNTIME = path.join(ROOT, 'packages/server-runtime/src');

/** Generates into an empty folder, and loads the modules. */
export async function build(file: string, scratch: string) {
  const { published } = readContract(file, PLATFORM, folderOf(file));
  for (const [place, text] of generateFiles(published as Document, { ...TARGET, server: 'server', client: 'client' })) {
    mkdirSync(path.dirname(path.join(scratch, place)), { recursive: true });
    writeFileSync(path.join(scratch, place), text);
  }
  writeFileSync(path.join(scratch, 'package.json'), '{ "type": "module" }');
  symlinkSync(path.join(ROOT, 'packages/contract/node_modules'), path.join(scratch, 'node_modules'));
  const load = (place: string): Promise<Json> => import(path.join(scratch, place));
  const [{ contract }, { createClient }, { createTestClient, errorResponse }, { operations: table }] =
    await Promise.all(['server/contract.ts', 'client/index.ts', 'client/testing.ts', 'client/table.ts'].map(load));
  return { contract, createClient, createTestClient, errorResponse, table };
}

/**
 * Starts a service on a database. An operation without a handler is still to be written.
 *
 * @param implement - makes the handlers with the functions of `operationsOf`
 * @param options - of the service, and `tables`
 */
export async function serve(
  contract: Json,
  url: string,
  implement: (authoring: Json) => Json = () => ({}),
  { tables, ...options }: Json = {},
): Promise<Json> {
  const { defineService, operationsOf }: Json = await import(path.join(RUNTIME, 'index.ts'));
  const authoring = operationsOf(contract, tables);
  const handlers = Object.fromEntries(Object.keys(contract.operations).map((id) => [id, authoring.todo(id)]));
  const [addressPlan] = Object.entries<Json>(contract.plans).find(([, plan]) => plan?.perMinute) ?? [];
  const all = { ...handlers, ...implement(authoring) };
  const service = defineService({
    name: 'contracts',
    contract,
    handlers: all,
    migrations: {},
    addressPlan,
    ...options,
  });
  return open(service, url);
}

/** Starts a service on a database, which it migrates. */
export async function open(service: Json, url: string): Promise<Json> {
  const { bind, startService }: Json = await import(path.join(ROOT, 'packages/service/src/testing/testing.ts'));
  const bound = bind(service);
  await bound.withDatabase(url, (db: Json) => bound.migrateUp(db));
  return startService(service, url);
}

/** Generates the code of a contract, and starts its service on a database of its own, as {@link serve} does. */
export async function prepare(name: string, text: string) {
  const folder = new Folder();
  const database = await createDatabase(inject('postgresUrl'));
  const file = folder.write(name, text);
  const built = await build(file, path.join(folder.root, 'code'));
  const servers: Json[] = [];
  const start = async (implement?: (authoring: Json) => Json, options?: Json): Promise<Json> => {
    const server = await serve(built.contract, database.url, implement, options);
    servers.push(server);
    return server;
  };
  const close = async () => {
    for (const server of servers) await server.close();
    await database.drop();
  };
  return { file, built, start, close };
}

/** Serves a contract to all tests of a file, with a client that sends nothing again, and a function that sends requests. */
export async function served(name: string, text: string, implement: (authoring: Json) => Json, options?: Json) {
  const { built, start, close } = await prepare(name, text);
  afterAll(close);
  const server = await start(implement, options);
  const baseUrl = `${server.origin}/v1`;
  const client: Json = built.createClient({ apiKey: server.apiKey, baseUrl, maxRetries: 0 });
  const request = (target: string, method = 'GET', body: Json = undefined, headers: object = {}) =>
    fetch(baseUrl + target, {
      method,
      body,
      redirect: 'manual',
      headers: { Authorization: `Bearer ${server.apiKey}`, ...headers },
      ...(body?.getReader && { duplex: 'half' }),
    } as RequestInit);
  return { built, server, client, request };
}

/** The status of a failure, its message, and the pointers to its fields. */
export async function failureOf(response: Response) {
  const { message, errors = [] }: Json = await response.json();
  return [response.status, message, ...errors.map(({ pointer }: Json) => pointer)];
}
