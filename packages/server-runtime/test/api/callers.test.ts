import { createSecretKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineService, migration, type Operation } from '@petstore-platform/server-runtime';
import { loadConfig, TestClock, TestIssuer } from '@repo/bookstore/testing';
import { exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { rowsOf } from '../support/database.ts';
import { temporaryFile } from '../support/files.ts';
import { type Any, contractOf, operation, startOwn } from '../support/handmade.ts';

type Security = NonNullable<Operation['security']>;
type Credential = Security[number][number];

const START = Date.UTC(2026, 10, 20, 12);
const bearer: Credential = { kind: 'key', in: 'bearer' };
const token: Credential = { kind: 'token', in: 'bearer' };
const header: Credential = { kind: 'key', in: 'header', name: 'X-Api-Key' };
const query: Credential = { kind: 'key', in: 'query', name: 'api_key' };
const cookie: Credential = { kind: 'key', in: 'cookie', name: 'session' };

/** The paths of operations, by their security. */
const SECURITY: Record<string, Security | undefined> = {
  usual: undefined,
  header: [[header]],
  query: [[query]],
  cookie: [[cookie]],
  basic: [[{ kind: 'key', in: 'basic' }]],
  plain: [[{ kind: 'key', in: 'header', name: 'Authorization' }]],
  token: [[{ ...token, scopes: ['read'] }]],
  scoped: [[{ ...bearer, scopes: ['read', 'write'] }]],
  either: [[bearer], [token]],
  both: [[header, token]],
  optional: [[bearer], []],
  open: [],
};

const row = (method: string, name: string, more: object) =>
  operation(name, method, { id: `${method}-${name}`, security: SECURITY[name], ...more } as Partial<Operation>);
const text = { type: 'string' };
const parameter = (place: 'header' | 'query', name: string) => ({ in: place, name, required: false, schema: text });
const all = Object.keys(SECURITY).flatMap((name) => [
  row('GET', name, { parameters: [parameter('query', 'q')] }),
  row('POST', name, { parameters: [parameter('header', 'Idempotency-Key')] }),
]);
const media = { 200: [{ type: 'text/event-stream', kind: 'events' as const }] };
const watch = row('GET', 'watch', { security: [[bearer], [query], [token]], response: { status: 200, media } });
const limits = { perMinute: 1_000, perDay: 100_000 };
const plans = { pro: { ...limits, perMinute: 5 }, own: { perMinute: null, perDay: null } };
const { contract, read, write, events } = contractOf([...all, watch], { plans });
/** Says so with each beat. */
async function* beats(_request: unknown, _db: unknown, { signal }: { signal: AbortSignal }) {
  while (!signal.aborted) {
    yield { data: 'beat' };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const handlers = Object.fromEntries(
  all.map(({ id, method }) => [
    id,
    method === 'GET'
      ? read(id, async ({ query }: Any, _db: Any, { caller }: Any) => ({ status: 200, body: { caller, query } }))
      : write(id, async (_request: Any, db: Any, { caller }: Any) => {
          const added = db.insertInto('notes').values({ author: caller.id }).returning('id');
          return { status: 200, body: await added.executeTakeFirstOrThrow() };
        }),
  ]),
);
handlers[watch.id] = events(watch.id, beats);
const define = (more: object = {}) =>
  defineService({
    name: 'callers',
    contract,
    handlers,
    migrations: {
      'notes-1': migration(
        'create table notes (id bigint generated always as identity, author text)',
        'drop table notes',
      ),
    },
    addressPlan: 'free',
    tokens: { planClaim: 'plan', ownerClaim: 'org' },
    ...more,
  } as never);

async function start(more: object = {}, config: object = {}) {
  const issuer = await new TestIssuer().open();
  const clock = new TestClock(START);
  const usual = { ...issuer.config, CORS_ORIGINS: ['https://app.example'] };
  const server = await startOwn(define(more), { clock, config: { ...usual, ...config } });
  const close = async () => {
    issuer.close();
    await server.close();
  };
  const tokenOf = (claims: Record<string, unknown> = {}, head?: object) => issuer.token(claims, head, START);
  return { ...server, issuer, clock, close, tokenOf };
}
type Started = Awaited<ReturnType<typeof start>>;

/** Like `start`, closed when the running test ends. */
async function startTemporary(...options: Parameters<typeof start>): Promise<Started> {
  const started = await start(...options);
  onTestFinished(started.close);
  return started;
}

let one: Started;
beforeAll(async () => {
  one = await start();
});
afterAll(() => one.close());

const as = (credential: string) => ({ Authorization: `Bearer ${credential}` });
const basic = (user: string) => ({ Authorization: `Basic ${Buffer.from(user).toString('base64')}` });

describe('each place of a key', () => {
  test.each<[string, (key: string, id: number) => [path: string, headers?: Record<string, string>], number, string?]>([
    ['a bearer', (key) => ['usual', as(key)], 200],
    ['a header', (key) => ['header', { 'x-api-key': key }], 200],
    ['a header twice', (key) => ['header', { 'x-api-key': `${key}, ${key}` }], 401, 'api_key_invalid'],
    ['an empty header', () => ['header', { 'x-api-key': '' }], 401, 'api_key_invalid'],
    ['a bearer in place of the header', (key) => ['header', as(key)], 401, 'api_key_missing'],
    ['a query', (key) => [`query?api_key=${key}`], 200],
    ['a query twice', (key) => [`query?api_key=${key}&api_key=${key}`], 401, 'api_key_invalid'],
    ['a query of another operation', (key) => [`usual?api_key=${key}`, as(key)], 400, 'invalid_request'],
    ['a cookie', (key) => ['cookie', { cookie: `a=b; session=${key}; c=d` }], 200],
    ['a cookie twice', (key) => ['cookie', { cookie: `session=${key}; session=x` }], 401, 'api_key_invalid'],
    ['basic, the key as password', (key) => ['basic', basic(`:${key}`)], 200],
    ['basic, the key as user', (key) => ['basic', basic(`${key}:`)], 200],
    ['basic, id and key', (key, id) => ['basic', basic(`${id}:${key}`)], 200],
    ['basic, another id', (key, id) => ['basic', basic(`${id + 1}:${key}`)], 401, 'api_key_invalid'],
    ['basic without a colon', (key) => ['basic', basic(key)], 401, 'api_key_invalid'],
    ['basic that is no base64', () => ['basic', { Authorization: 'Basic ?' }], 401, 'api_key_invalid'],
    ['basic where a bearer is expected', (key) => ['usual', basic(`:${key}`)], 401, 'api_key_missing'],
    ['Authorization without a scheme', (key) => ['plain', { Authorization: key }], 200],
    ['Authorization as a bearer, though it says nothing of it', (key) => ['plain', as(key)], 200],
    ['either: a key', (key) => ['either', as(key)], 200],
    ['either: no token and no key', () => ['either', as('a.b.c')], 401, 'token_invalid'],
    ['open', () => ['open'], 200],
    ['open, with a key that nobody reads', () => ['open', as('nonsense')], 200],
    ['optional: none', () => ['optional'], 200],
    ['optional: a key', (key) => ['optional', as(key)], 200],
    ['optional: a wrong one is not none', () => ['optional', as('wrong')], 401, 'api_key_invalid'],
    ['optional: one in another form is not none', (key) => ['optional', basic(`:${key}`)], 401, 'api_key_missing'],
    ['scopes that it does not have', (key) => ['scoped', as(key)], 403, 'insufficient_scope'],
  ])('%s', async (_, request, status, code) => {
    const { id, key } = await one.createKey({ owner: 'acme', scopes: ['read'] });
    const response = await one.send(...request(key, id));
    expect([response.status, response.code]).toEqual([status, code]);
    const isUnseen = /^(header|query|cookie)\b/.test(request(key, id)[0]);
    expect(response.headers.get('Cache-Control')).toBe(isUnseen ? 'private' : null);
    if (status === 401)
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^(Bearer|Basic|ApiKey) realm="callers"/);
    if (status === 403)
      expect(response.headers.get('WWW-Authenticate')).toBe(
        'Bearer realm="callers", error="insufficient_scope", scope="write"',
      );
  });

  test('the caller of a key, and of none', async () => {
    const { id, key } = await one.createKey({ owner: 'acme', scopes: ['read'] });
    const { json, headers } = await one.send(`query?api_key=${key}&q=1`);
    const caller = { kind: 'key', id: `key:${id}`, owner: 'acme', scopes: ['read'], plan: 'free' };
    expect(json).toEqual({ caller, query: { q: '1' } });
    expect(headers.get('X-RateLimit-Limit')).toBe('1000');
    const { json: nobody } = await one.send('open', { 'X-Forwarded-For': '192.0.2.7' });
    expect(nobody.caller).toEqual({ kind: 'anonymous', id: 'address:192.0.2.7', scopes: [], plan: 'free' });
  });
});

test.each<[string, Record<string, string>, number]>([
  ['of a page of this origin', { 'sec-fetch-site': 'same-origin' }, 200],
  ['of the address bar', { 'sec-fetch-site': 'none' }, 200],
  ['of a page of a subdomain', { 'sec-fetch-site': 'same-site' }, 403],
  ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
  ['of an origin that may call', { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' }, 200],
  ['of an old browser, from another site', { origin: 'https://evil.example' }, 403],
  ['of a sandbox', { origin: 'null' }, 403],
  ['of a program', {}, 200],
  ['of a program that sends JSON', { 'content-type': 'application/json' }, 200],
  ['of a form of a browser without both', { 'content-type': 'application/x-www-form-urlencoded' }, 403],
  ['of another one', { 'content-type': ' Multipart/Form-Data; boundary=x' }, 403],
])('a change by a cookie %s', async (_, headers, status) => {
  const { key } = await one.createKey();
  expect((await one.send('cookie', { ...headers, cookie: `session=${key}` }, 'POST')).status).toBe(status);
  expect((await one.send('cookie', { ...headers, cookie: `session=${key}` })).status).toBe(200);
});

test('pages of an origin that may call send cookies', async () => {
  const { headers } = await one.send('open', { origin: 'https://app.example' });
  expect(headers.get('Access-Control-Allow-Credentials')).toBe('true');
});

test('housekeeping deletes counts of subjects of earlier days, but those of keys, and expired keys of requests', async () => {
  const { createKey, tokenOf, send, db, clock, runJob } = await startTemporary();
  const { id, key } = await createKey({ owner: 'acme' });
  await send('usual', { ...as(key), 'Idempotency-Key': 'once' }, 'POST');
  await send('either', as(await tokenOf({ sub: 'ann' })));
  // Counts of owners, as a service has that limits them.
  await db.pool.query(
    `insert into rate_limits select (jsonb_populate_record(one, jsonb_build_object('subject', owner))).*
      from rate_limits as one, unnest(array['owner:acme', 'owner:gone']) as owner where subject = $1`,
    [`key:${id}`],
  );
  const subjects = async () => {
    const rows = await rowsOf<{ subject: string }>(db, 'select subject from rate_limits order by subject');
    return rows.map(({ subject }) => subject);
  };
  const kept = [`key:${id}`, 'owner:acme'];
  await runJob('housekeeping');
  expect(await subjects()).toEqual([...kept, 'owner:gone', 'token:ann']);
  await clock.pass(3 * 86_400_000);
  await runJob('housekeeping');
  expect(await subjects()).toEqual(kept);
  expect(await rowsOf(db, 'select from idempotency_keys')).toEqual([]);
});

describe('tokens', () => {
  type Forge = () => Promise<string> | string;
  const claims = { scope: 'read' };
  const now = START / 1_000;
  const unsigned = (head: object, body: object) =>
    `${[head, body].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
  const usual = () => ({ iss: one.issuer.url, aud: 'test', sub: 'ann', exp: now + 60, ...claims });
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const published = () => one.issuer.published[0] as { kid: string };
  const pem = async () => exportSPKI((await importJWK(published(), 'ES256', { extractable: true })) as never);
  /** Signed with a secret, or with a key that the issuer does not have. */
  const signed = async (head: object, secret?: string) => {
    const key = secret ? createSecretKey(Buffer.from(secret)) : (await generateKeyPair('ES256')).privateKey;
    return new SignJWT(usual()).setProtectedHeader({ alg: 'ES256', kid: published().kid, ...head }).sign(key);
  };

  test.each<[string, Forge, status?: number, code?: string]>([
    ['one that is valid', () => one.tokenOf(claims), 200],
    ['one of a list of audiences', () => one.tokenOf({ ...claims, aud: ['other', 'test'] }), 200],
    ['scopes as a list', () => one.tokenOf({ scp: ['a', 'read'] }), 200],
    ['without a signature', () => unsigned({ alg: 'none' }, usual())],
    ['signed with the text of the public key', () => signed({ alg: 'HS256' }, JSON.stringify(published()))],
    ['signed with the PEM of the public key', async () => signed({ alg: 'HS256' }, await pem())],
    ['that brings its key', () => signed({ kid: undefined, jwk: published() })],
    ['of another key by the same name', () => signed({})],
    ['whose key is a file', () => one.tokenOf(claims, { kid: '../../dev/null' })],
    ['whose key is SQL', () => one.tokenOf(claims, { kid: "' or 1=1 --" })],
    ['of another audience', () => one.tokenOf({ ...claims, aud: 'other' })],
    ['of another issuer', () => one.tokenOf({ ...claims, iss: 'https://other.example' })],
    ['without an end', () => one.tokenOf({ ...claims, exp: undefined })],
    ['without a subject', () => one.tokenOf({ ...claims, sub: undefined })],
    ['with an empty subject', () => one.tokenOf({ ...claims, sub: '' })],
    // Postgres could not count by them, and would fail the counts of all callers.
    ['with a long subject', () => one.tokenOf({ ...claims, sub: 'x'.repeat(256) })],
    ['with a subject that has NUL', () => one.tokenOf({ ...claims, sub: 'a\0' })],
    ['with a subject that is no UTF-8', () => one.tokenOf({ ...claims, sub: '\ud800' })],
    ['that is not valid yet', () => one.tokenOf({ ...claims, nbf: now + 100 })],
    ['that ended a minute ago', () => one.tokenOf({ ...claims, exp: now - 60 }), 401, 'token_expired'],
    ['that ended ten seconds ago', () => one.tokenOf({ ...claims, exp: now - 10 }), 200],
    ['that is long', () => one.tokenOf({ ...claims, more: 'x'.repeat(9_000) })],
    ['whose claims are deep', () => one.tokenOf({ ...claims, more: nested(200) })],
    ['whose claims are deeper', () => one.tokenOf({ ...claims, more: nested(2_500) })],
    ['whose scope is an object', () => one.tokenOf({ scope: { toString: 'read' } })],
    ['whose scopes are no texts', () => one.tokenOf({ scp: ['read', 1] })],
    ['that is cut', async () => (await one.tokenOf(claims)).slice(0, -9)],
    ['that asks for what nobody knows', () => one.tokenOf(claims, { crit: ['b64'], b64: false }).catch(() => 'a.b.c')],
    ['without the scope', () => one.tokenOf({ scope: 'write' }), 403, 'insufficient_scope'],
    ['that is a key', async () => (await one.createKey({ scopes: ['read'] })).key],
  ])('%s', async (_, forge, status = 401, code = status === 401 ? 'token_invalid' : undefined) => {
    const credential = await forge();
    for (let times = 0; times < 2; times++) {
      const response = await one.send('token', as(credential));
      expect([response.status, response.code]).toEqual([status, code]);
    }
  });

  test('the caller, with its plan and its owner', async () => {
    const ask = async (claims: object) => one.send('either', as(await one.tokenOf({ ...claims })));
    const { json, headers } = await ask({ sub: 'ann', plan: 'pro', org: 'acme' });
    const caller = { kind: 'token', id: 'token:ann', owner: 'acme', scopes: [], plan: 'pro', claims: { sub: 'ann' } };
    expect(json.caller).toMatchObject(caller);
    expect(headers.get('X-RateLimit-Limit')).toBe('5');
    // Another token of the subject has no more requests, and neither a list nor a plan without numbers are taken.
    const other = await ask({ sub: 'ann', plan: 'pro', org: ['acme', 'else'], jti: '2' });
    expect(other.json.caller.owner).toBeUndefined();
    expect(other.headers.get('X-RateLimit-Remaining')).toBe('3');
    expect((await ask({ sub: 'bob', plan: 'own' })).json.caller.plan).toBe('free');
  });

  test('a key and a token together belong to the same owner; the limits are those of the key', async () => {
    const { key } = await one.createKey({ owner: 'acme', plan: 'own', perMinute: 7, perDay: 70 });
    const both = async (org: string | undefined) =>
      one.send('both', { 'x-api-key': key, ...as(await one.tokenOf({ sub: 'carl', org })) });
    expect((await both('other')).status).toBe(403);
    expect((await both(undefined)).status).toBe(403);
    const { json, headers } = await both('acme');
    expect(json.caller).toMatchObject({ kind: 'token', id: 'token:carl', owner: 'acme' });
    expect(headers.get('X-RateLimit-Limit')).toBe('7');
    expect((await one.send('both', { 'x-api-key': key })).code).toBe('token_missing');
    expect((await one.send('both', as(await one.tokenOf()))).code).toBe('api_key_missing');
  });

  test('an Idempotency-Key belongs to the caller', async () => {
    const { key } = await one.createKey();
    const ann = await one.tokenOf({ sub: 'ann' });
    const bob = await one.tokenOf({ sub: 'bob' });
    const elsewhere = await one.tokenOf({ sub: 'ann', org: 'acme' });
    const post = (credential: string) => one.send('either', { ...as(credential), 'Idempotency-Key': 'k' }, 'POST');
    const ids: number[] = [];
    for (const credential of [key, ann, bob, ann, elsewhere]) ids.push((await post(credential)).json.id);
    expect(new Set(ids).size).toBe(4);
    expect(ids[3]).toBe(ids[1]);
    const open = (address: string) => one.send('open', { 'X-Forwarded-For': address, 'Idempotency-Key': 'k' }, 'POST');
    const [first, second, again] = [await open('192.0.2.1'), await open('192.0.2.2'), await open('192.0.2.1')];
    expect(first.json.id).not.toBe(second.json.id);
    expect(again.json.id).toBe(first.json.id);
    expect(await rowsOf(one.db, 'select from idempotency_keys where api_key_id < 0')).toHaveLength(5);
  });
});

const revoke =
  (what: string) =>
  (id: number, { db, clock }: Started) =>
    db.pool.query(`update api_keys set ${what} where id = $1`, [id]).then(() => clock.pass(10_000));
test.each<[string, (key: string, token: string) => [string, object?], (id: number, one: Started) => Promise<unknown>]>([
  ['once its key is revoked', (key) => ['watch', as(key)], revoke('revoked_at = service_now()')],
  ['once the key of its query is revoked', (key) => [`watch?api_key=${key}`], revoke('revoked_at = service_now()')],
  ['once its key has another owner', (key) => ['watch', as(key)], revoke(`owner = 'other'`)],
  ['once its token has expired', (_, text) => ['watch', as(text)], (_, { clock }) => clock.pass(3_640_000)],
  [
    'once its issuer has withdrawn the key',
    (_, text) => ['watch', as(text)],
    async (_, { issuer, clock, send, tokenOf }) => {
      await issuer.rotate();
      await clock.pass(60_000);
      await send('either', as(await tokenOf()));
    },
  ],
])('a stream of events ends %s', async (_, request, end) => {
  const started = await startTemporary();
  const { id, key } = await started.createKey({ owner: 'acme' });
  const [path, headers = {}] = request(key, await started.tokenOf());
  const { body } = await fetch(`${started.origin}/v1/${path}`, { headers: { ...headers } });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  for (let beat = 0; beat < 3; beat++) expect((await reader.read()).done).toBe(false);
  // A key that is looked up anew is the same one.
  await started.clock.pass(10_000);
  for (let beat = 0; beat < 3; beat++) expect((await reader.read()).done).toBe(false);
  await end(id, started);
  while (!(await reader.read()).done);
});

describe('the issuer', () => {
  test('is not asked within requests, and may be away', async () => {
    const { issuer, send, tokenOf, clock } = await startTemporary();
    const first = await tokenOf({ scope: 'read' });
    expect((await send('token', as(first))).status).toBe(200);
    const { requests } = issuer;
    for (let sub = 0; sub < 20; sub++)
      expect((await send('token', as(await tokenOf({ sub: `${sub}`, scope: 'read' })))).status).toBe(200);
    expect(issuer.requests).toBe(requests);
    // A key that it does not know yet is looked up once for all; made-up ones are not.
    await clock.pass(60_000);
    await issuer.rotate();
    const fresh = await Promise.all([1, 2, 3].map((n) => tokenOf({ sub: `${n}`, scope: 'read' })));
    const statuses = await Promise.all(fresh.map(async (each) => (await send('token', as(each))).status));
    expect(statuses).toEqual([200, 200, 200]);
    expect(issuer.requests).toBe(requests + 2);
    // The old key is withdrawn, also for tokens that were verified.
    expect((await send('token', as(first))).code).toBe('token_invalid');
    for (const kid of ['x', 'y', 'z'])
      expect((await send('token', as(await tokenOf({}, { kid })))).code).toBe('token_invalid');
    expect(issuer.requests).toBe(requests + 2);
    issuer.isAway = true;
    await clock.pass(60_000);
    expect((await send('token', as(fresh[0] as string))).status).toBe(200);
    expect((await send('token', as(await tokenOf({ sub: 'new', scope: 'read' })))).status).toBe(200);
    const unknown = await send('token', as(await tokenOf({}, { kid: 'other' })));
    expect([unknown.status, unknown.headers.get('Retry-After')]).toEqual([503, '5']);
    expect((await send('token', as('a.b.c'))).status).toBe(401);
  });

  test('does not answer: few requests wait for it, and none of others', async () => {
    const { issuer, send, tokenOf, clock } = await startTemporary({}, { MAX_REQUESTS: 30 });
    const known = await tokenOf({ scope: 'read' });
    expect((await send('token', as(known))).status).toBe(200);
    await clock.pass(60_000);
    const released = Promise.withResolvers<void>();
    issuer.held = released.promise;
    const statuses: number[] = [];
    const guesses = Array.from({ length: 60 }, async (_, kid) => {
      const { status, headers } = await send('token', as(await tokenOf({}, { kid: `${kid}` })));
      if (status === 503) expect(headers.get('Retry-After')).toBe('5');
      statuses.push(status);
    });
    await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(40);
    expect((await send('token', as(known))).status).toBe(200);
    released.resolve();
    await Promise.all(guesses);
    // Those that waited have an answer of the issuer, unless this machine took too long for it.
    expect(statuses.slice(0, 40)).toEqual(Array(40).fill(503));
    for (const status of statuses.slice(40)) expect(status).toSatisfy((each) => each === 401 || each === 503);
  });

  test('is away from the start: 503 for tokens, and keys work', async () => {
    const { send, tokenOf, createKey } = await startTemporary({}, { OIDC_JWKS: 'http://127.0.0.1:1/keys' });
    const left: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      const { status, headers } = await send('token', as(await tokenOf({ scope: 'read' })));
      left.push(Number(headers.get('X-RateLimit-Remaining')));
      expect(status).toBe(503);
    }
    // Such a request counts for the address, as any without a valid credential.
    expect(left).toEqual([999, 998]);
    expect((await send('usual', as((await createKey()).key))).status).toBe(200);
  });
});

test('a start needs the keys of the issuer, if they are in a file', () => {
  const file = temporaryFile('keys.json');
  const load = (OIDC_JWKS: string) => {
    const issuer = { OIDC_ISSUER: 'https://login.example', OIDC_AUDIENCE: 'test', OIDC_JWKS };
    return loadConfig({ DATABASE_URL: 'postgres://db.example/x', ...issuer }, define().variables);
  };
  const problem = 'Configuration: OIDC_JWKS must be an https URL or a file with keys';
  for (const text of [undefined, '', '{}', '{"keys":[]}', 'null', '{"keys":{"a":1}}']) {
    if (text !== undefined) writeFileSync(file, text);
    expect(() => load(file), text).toThrow(problem);
  }
  expect(() => load(path.dirname(file))).toThrow(problem);
  writeFileSync(file, JSON.stringify({ keys: one.issuer.published }));
  for (const good of [file, '', 'https://login.example/keys']) expect(load(good)).toMatchObject({ OIDC_JWKS: good });
});

test('owners are limited over all keys and subjects, where the service says so', async () => {
  const { send, tokenOf, createKey, db } = await startTemporary({ limitsBy: 'owner' });
  const keyOf = (owner?: string) => createKey({ plan: 'pro', ...(owner && { owner }) });
  const [{ key }, { key: second, id }] = [await keyOf('acme'), await keyOf('acme')];
  const others = [(await keyOf()).key, (await keyOf()).key];
  const left: unknown[] = [];
  for (const credential of [key, second, await tokenOf({ org: 'acme', plan: 'pro' }), ...others])
    left.push((await send('either', as(credential))).headers.get('X-RateLimit-Remaining'));
  expect(left).toEqual(['4', '3', '2', '4', '4']);
  await expect
    .poll(() => rowsOf(db, `select subject from rate_limits where subject like 'owner:%'`))
    .toEqual([{ subject: 'owner:acme' }]);
  // The ban of an owner is lifted by any of its keys.
  await db.pool.query(`update rate_limits set banned_until = $1 where subject = 'owner:acme'`, [START + 60_000]);
  const lifted = await rowsOf(db, `select lift_ban(${id}) is null as free, lift_ban(${id}) is null as again`);
  expect(lifted).toEqual([{ free: false, again: true }]);
});

test('hooks of `extend` concern the operations: before their authentication, after it, and their responses', async () => {
  const seen: unknown[] = [];
  const { send, createKey } = await startTemporary({
    extend(app: Any, { callerOf }: Any) {
      const note = async (request: Any) => {
        seen.push(callerOf(request).kind);
        const statusCode = Number(request.headers['x-fail'] ?? 0);
        if (statusCode > 0) throw Object.assign(new Error('A teapot'), { statusCode, expose: statusCode === 418 });
      };
      app.addHook('onRequest', note);
      app.addHook('preHandler', note);
      app.addHook('onSend', async (_request: unknown, reply: { header(name: string, value: string): void }) => {
        reply.header('X-Own', 'yes');
      });
    },
  });
  const { status, headers } = await send('usual', as((await createKey()).key));
  expect([status, headers.get('X-Own'), ...seen]).toEqual([200, 'yes', 'anonymous', 'key']);
  for (const [status, thrown, message] of [
    [418, 418, 'A teapot'],
    [404, 404, 'Not Found'],
    [503, 503, 'Service Unavailable'],
    [500, 200, 'Internal error'],
  ] as const) {
    const failed = await send('usual', { 'x-fail': `${thrown}` });
    expect([failed.status, failed.json.message, seen.pop()]).toEqual([status, message, 'anonymous']);
  }
  // A failure ends before the handler.
  const refused = await send('usual');
  expect([refused.status, refused.headers.get('X-Own'), ...seen.slice(2)]).toEqual([401, 'yes', 'anonymous']);
  expect(refused.headers.get('X-RateLimit-Limit')).toBe('1000');
});

test('a route beside the contract has the hooks of the API', async () => {
  const { origin, createKey } = await startTemporary({
    extend(app: Any, { authenticate, limit, callerOf }: Any) {
      const guarded = { onRequest: [authenticate([[{ ...header, scopes: ['read'] }]]), limit] };
      app.get('/guarded', guarded, async (request: never) => callerOf(request));
      app.get('/limited', { onRequest: [limit] }, async (request: never) => callerOf(request));
    },
  });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}${path}`, { headers: { 'X-Forwarded-For': '192.0.2.9', ...headers } });
    const json: Any = await response.json();
    return { status: response.status, left: response.headers.get('X-RateLimit-Remaining'), json };
  };
  const { key, id } = await createKey({ scopes: ['read'], plan: 'pro' });
  const poor = await createKey();
  const known = { status: 200, left: '4', json: { id: `key:${id}`, scopes: ['read'] } };
  expect(await get('/guarded', { 'x-api-key': key })).toMatchObject(known);
  expect(await get('/guarded')).toMatchObject({ status: 401, left: '999', json: { code: 'api_key_missing' } });
  expect(await get('/guarded', { 'x-api-key': poor.key })).toMatchObject({ status: 403, left: '999' });
  expect(await get('/limited')).toMatchObject({ status: 200, left: '998', json: { kind: 'anonymous' } });
  for (let times = 0; times < 4; times++) await get('/guarded', { 'x-api-key': key });
  expect(await get('/guarded', { 'x-api-key': key })).toMatchObject({ status: 429 });
});
