import { writeFileSync } from 'node:fs';
import { defineService, type Operation } from '@petstore-platform/server-runtime';
import { loadConfig, TestClock, TestIssuer } from '@repo/bookstore/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFile } from '../support/files.ts';
import { contractOf, operation, startOwn } from '../support/handmade.ts';

const START = Date.UTC(2026, 10, 20, 12);
const security: Operation['security'] = [[{ kind: 'token', in: 'bearer', scopes: ['read'] }]];
const { contract, read, write, stream } = contractOf([
  operation('login', 'POST'),
  operation('flowing', 'POST'),
  operation('renewed', 'GET', { security }),
]);
type Context = { issue(token: object): Promise<string>; caller: object };
const answer = async ({ issue, caller }: Context) => ({
  status: 200,
  body: { caller, token: await issue({ owner: 'ann', scopes: ['read'], claims: { name: 'Ann' } }) },
});
const handlers = {
  login: write('login', (_request: object, _db: object, context: Context) => answer(context)),
  flowing: stream('flowing', (_request: object, _db: object, { issue }: Context) => answer({ issue, caller: {} })),
  renewed: read('renewed', (_request: object, _db: object, context: Context) => answer(context)),
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
  const clock = new TestClock(START);
  const server = await startOwn(service, { clock, config });
  onTestFinished(server.close);
  const send = (id: string, token?: string, method = 'GET') =>
    server.send(id, token ? { Authorization: `Bearer ${token}` } : {}, method);
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
  const file = temporaryFile('keys.json');
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
