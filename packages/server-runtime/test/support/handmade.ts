/** Services whose contracts tests write by hand. */
import { type Operation, operationsOf } from '@petstore-platform/server-runtime';
import { bind, type StartOptions, startService } from '@repo/bookstore/testing';
import { createDatabase } from './database.ts';

// biome-ignore lint/suspicious/noExplicitAny: only generated contracts have types
export type Any = any;

/** An operation without parameters, which anybody may call. */
export const operation = (id: string, method: string, more: Partial<Operation> = {}): Operation => ({
  ...{ id, method, path: `/v1/${id}`, parameters: [], security: [], response: { status: 200 }, announcement: {} },
  ...more,
});

/** A contract of these operations, and the functions that make their handlers. */
export function contractOf(operations: Operation[], { tables, plans = {} }: { tables?: object; plans?: object } = {}) {
  const contract = {
    basePath: '/v1',
    operations: Object.fromEntries(operations.map((one) => [one.id, one])),
    schemas: {},
    responseHeaders: [],
    document: { info: { title: 'Handmade', version: '1.0.0' }, components: { schemas: {} } },
    reference: '{}',
    plans: { free: { perMinute: 1_000, perDay: 100_000 }, ...plans },
  };
  return { contract, ...(operationsOf(contract as never, tables as never) as Any) };
}

/** Starts a service on a database of its own, which `close` drops. */
export async function startOwn(service: Any, options: StartOptions<Any> = {}) {
  const { url, drop } = await createDatabase();
  await bind(service).withDatabase(url, bind(service).migrateUp);
  const server = await startService(service, url, options as Any);
  const send = async (path: string, headers: Record<string, string> = {}, method = 'GET', body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${server.origin}/v1/${path}`, init);
    const json: Any = await response.json();
    return { status: response.status, code: json.code, json, headers: response.headers };
  };
  const close = async () => {
    await server.close();
    await drop();
  };
  return { ...server, send, close };
}
