import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineService, type Operation, operationsOf } from '@petstore-platform/server-runtime';
import { bind, loadConfig, startService, TestClock, TestIssuer } from '@repo/bookstore/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../support/database.ts';

const START = Date.UTC(2026, 10, 20, 12);
const row = (id: string, method: string, more: Partial<Operation> = {}): [string, Operation] => [
  id,
  { id, method, path: `/v1/${id}`, parameters: [], security: [], response: { status: 200 }, announcement: {}, ...more },
];
const limits = { perMinute: 1_000, perDay: 100_000 };
const contract = {
  basePath: '/v1',
  operations: Object.fromEntries([
    row('login', 'POST'),
    row('flowing', 'POST'),
    row('renewed', 'GET', { security: [[{ kind: 'token', in: 'bearer', scopes: ['read'] }]] }),
  ]),
  schemas: {},
  responseHeaders: [],
  document: { info: { title: 'Users', version: '1.0.0' }, components: { schemas: {} } },
  reference: '{}',
  plans: { free: limits },
};
type Context = { issue(token: object): Promise<string>; caller: object };
const { read, write, stream } = operationsOf(contract as never) as unknown as Record<
  'read' | 'write' | 'stream',
  (id: string, run: (request: unknown, db: unknown, context: Context) => Promise<object>) => never
>;
const answer = async ({ issue, caller }: Context) => ({
  status: 200,
  body: { caller, token: await issue({ owner: 'ann', scopes: ['read'], claims: { name: 'Ann' } }) },
});
const handlers = {
  login: write('login', (_request, _db, context) => answer(context)),
  flowing: stream('flowing', (_request, _db, { issue }) => answer({ issue, caller: {} })),
  renewed: read('renewed', (_request, _db, context) => answer(context)),
};
const service = defineService({
  name: 'users',
  contract,
  handlers,
  migrations: {},
  addressPlan: 'free',
  tokens: { issue: { seconds: 900 } },
} as never);

async function start(config: object = {}) {
  const database = await createDatabase();
  await bind(service).withDatabase(database.url, bind(service).migrateUp);
  const clock = new TestClock(START);
  const server = await startService(service, database.url, { clock, config });
  onTestFinished(async () => {
    await server.close();
    await database.drop();
  });
  const send = async (id: string, token?: string, method = 'GET') => {
    const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
    const response = await fetch(`${server.origin}/v1/${id}`, { method, headers });
    // biome-ignore lint/suspicious/noExplicitAny: any JSON
    return { status: response.status, json: (await response.json()) as any };
  };
  const login = async () => (await send('login', undefined, 'POST')).json.token as string;
  return { ...server, clock, send, login };
}

test('a service issues tokens that it accepts, and others can verify', async () => {
  const { send, login, origin, clock, tokenOf } = await start();
  const tokens = [await login(), (await send('flowing', undefined, 'POST')).json.token];
  tokens.push((await send('renewed', tokens[0])).json.token);
  for (const token of tokens) {
    const { status, json } = await send('renewed', token);
    expect(status).toBe(200);
    expect(json.caller).toMatchObject({ id: 'token:ann', owner: 'ann', scopes: ['read'], claims: { name: 'Ann' } });
  }
  expect((await send('renewed', await tokenOf({ scope: 'read' }))).status).toBe(200);
  const url = new URL('/.well-known/jwks.json', origin);
  expect(JSON.stringify(await (await fetch(url)).json())).not.toContain('"d"');
  const { payload } = await jwtVerify(tokens[0], createRemoteJWKSet(url), { currentDate: new Date(START) });
  expect(Number(payload.exp) - Number(payload.iat)).toBe(900);
  await clock.pass(931_000);
  expect((await send('renewed', tokens[0])).json.code).toBe('token_expired');
  expect((await send('renewed', await login())).status).toBe(200);
});

test('a new key signs from now on, and ends no session', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'keys.json');
  const issuer = new TestIssuer();
  const keyOf = async () => {
    await issuer.rotate();
    return JSON.parse(issuer.own.OIDC_JWKS).keys[0] as { kid: string };
  };
  const [old, fresh] = [await keyOf(), await keyOf()];
  const write = (...keys: object[]) => writeFileSync(file, JSON.stringify({ keys }));
  const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
  write(old, fresh);
  const config = { OIDC_ISSUER: 'https://users.example', OIDC_AUDIENCE: 'users', OIDC_JWKS: file };
  const [one, other] = [await start(config), await start(config)];
  const first = await one.login();
  expect(kidOf(first)).toBe(old.kid);
  write(fresh, old);
  // A restart stands for the next look at the file.
  const later = await start(config);
  const next = await later.login();
  expect(kidOf(next)).toBe(fresh.kid);
  for (const server of [one, other, later])
    for (const token of [first, next]) expect((await server.send('renewed', token)).status).toBe(200);
});

test('a start needs a private key, and only it', async () => {
  const issuer = new TestIssuer();
  await issuer.rotate();
  const load = (OIDC_JWKS?: string) =>
    loadConfig({ DATABASE_URL: 'postgres://db.example/x', OIDC_JWKS }, service.variables);
  const bad = [undefined, '{', '{}', 'https://login.example/keys', JSON.stringify({ keys: issuer.published })];
  for (const text of bad)
    expect(() => load(text), text).toThrow('Configuration: OIDC_JWKS must be a file or a text with private keys');
  const { OIDC_JWKS } = issuer.own;
  expect(load(OIDC_JWKS)).toMatchObject({ OIDC_ISSUER: 'http://localhost/users', OIDC_AUDIENCE: 'users', OIDC_JWKS });
});
