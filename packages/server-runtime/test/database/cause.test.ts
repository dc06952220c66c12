import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { withClient } from '@petstore-platform/testkit/postgres';
import { listen } from '@petstore-platform/testkit/server';
import { service } from '@repo/bookstore/service';
import { bind, loadConfig } from '@repo/bookstore/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { createKey } from '../support/runtime.ts';

/** The cause of `/readyz`, its reason, and the status of a request with a key. */
async function ask(url: string, more: typeof service.privileges = []): Promise<unknown[]> {
  const usual = loadConfig({ DATABASE_URL: 'postgres://checked/before', LOG_LEVEL: 'silent' });
  const { openService } = bind({ ...service, privileges: [...service.privileges, ...more] });
  const { app, close } = await openService({ ...usual, DATABASE_URL: url });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const ready = (await (await fetch(`${origin}/readyz`)).json()) as { cause?: string; reason?: string };
  const request = await fetch(`${origin}/v1/books`, { headers: { Authorization: `Bearer ${createKey()}` } });
  await app.close();
  await close();
  return [ready.cause, ready.reason, request.status];
}

/** Creates a role on a migrated database, and runs statements that grant it rights. Returns its URL. */
async function roleUrl(...statements: string[]): Promise<string> {
  const url = new URL(await temporaryDatabase());
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  const run = (...all: string[]) =>
    withClient(url.href, (client) => client.query(all.join(';').replaceAll('$role', role)));
  await run(`create role $role login password 'secret'`, ...statements);
  onTestFinished(async () => void (await run('drop owned by $role', 'drop role $role')));
  return Object.assign(new URL(url), { username: role, password: 'secret' }).href;
}

const GRANTS = [
  'grant select on all tables in schema public to $role',
  'grant select, insert, update on rate_limits to $role',
  'grant select, insert, update, delete on idempotency_keys to $role',
  'grant insert on books, sales, stores to $role',
  'grant update on sales, stores to $role',
  'grant delete on books, stores to $role',
  'grant usage on all sequences in schema public to $role',
];

test('a role with these privileges alone is ready', async () => {
  expect(await ask(await roleUrl(...GRANTS))).toEqual([undefined, undefined, 401]);
});

test.each([
  ['privileges', [...GRANTS, 'revoke update on rate_limits from $role'], 'lacks update on rate_limits'],
  ['privileges', [...GRANTS, 'revoke insert on books from $role'], 'lacks insert on books'],
  ['privileges', [...GRANTS, 'revoke update on sales from $role'], 'lacks update on sales'],
  ['privileges', [...GRANTS, 'revoke select on visits from $role'], 'lacks select on visits'],
  ['privileges', [...GRANTS, 'revoke usage on books_id_seq from $role'], 'lacks usage on public.books_id_seq'],
  ['privileges', GRANTS.slice(1, 3), 'lacks a privilege'],
  ['read_only', [...GRANTS, 'alter role $role set default_transaction_read_only = on'], 'read-only'],
  ['too_many_connections', [...GRANTS, 'alter role $role connection limit 0'], 'no connection left'],
  ['authentication', [...GRANTS, 'alter role $role nologin'], 'refuses the role'],
])('the cause %s is told apart: %j', async (cause, statements, reason) => {
  const answer = await ask(await roleUrl(...statements));
  expect(answer).toEqual([cause, expect.stringContaining(reason), expect.any(Number)]);
});

test('tables and sequences of any name are checked', async () => {
  const tables = ['create table "lineItems" (id bigint generated always as identity)', 'create table "item-name" ()'];
  const url = await roleUrl(...GRANTS, ...tables, 'grant insert on "lineItems" to $role');
  const select = 'the role lacks select on item-name';
  expect(await ask(url, [['item-name', 'select']])).toEqual(['privileges', select, 401]);
  const usage = 'the role lacks usage on public."lineItems_id_seq"';
  expect(await ask(url, [['lineItems', 'insert']])).toEqual(['privileges', usage, 401]);
});

describe('TLS', () => {
  const certificates = fileURLToPath(new URL('../support/certificates/', import.meta.url));
  const fileOf = (name: string) => path.join(certificates, `${name}.pem`);

  /** Ends TLS in front of Postgres, with a self-signed certificate for 127.0.0.1. */
  async function withTls(url: string, certificate: string): Promise<URL> {
    const credentials = { key: readFileSync(fileOf('key')), cert: readFileSync(fileOf(certificate)) };
    const target = new URL(url);
    const server = createServer((socket) => {
      // pg sends an SSLRequest first. The answer S means yes.
      socket.once('data', () => {
        socket.write('S');
        const secure = new TLSSocket(socket, { isServer: true, ...credentials }).on('error', () => {});
        const postgres = connect(Number(target.port), target.hostname).on('error', () => {});
        secure.pipe(postgres).pipe(secure);
      });
      socket.on('error', () => {});
    });
    onTestFinished(() => void server.close());
    return Object.assign(new URL(url), { port: String(await listen(server)) });
  }

  const verified = (url: URL, certificate?: string) =>
    `${url.href}?sslmode=verify-full${certificate ? `&sslrootcert=${encodeURIComponent(fileOf(certificate))}` : ''}`;

  test('with the CA given, a server is ready; what cannot be verified is unavailable, not a bug', async () => {
    const plain = await temporaryDatabase();
    const valid = await withTls(plain, 'valid');
    expect(await ask(verified(valid, 'valid'))).toEqual([undefined, undefined, 401]);
    // An unknown CA, an expired certificate, a server without TLS, and a file that is missing.
    const unknown = verified(valid);
    const expired = verified(await withTls(plain, 'expired'), 'expired');
    const replaced = `${plain}?sslmode=verify-full&sslrootcert=/nowhere`;
    for (const url of [unknown, expired, verified(new URL(plain)), replaced])
      expect(await ask(url)).toEqual(['tls', 'the database cannot be reached by TLS', 503]);
  });
});
