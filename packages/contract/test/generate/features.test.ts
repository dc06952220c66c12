import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { Folder } from '../../../contract-review/test/folder.ts';
import { generateFiles, writeFiles } from '../../src/generate/generate.ts';
import { bundleFile, readContract } from '../../src/read.ts';
import { lint } from '../../src/redocly.ts';
import { filesOf, PLATFORM, ROOT, TARGET } from '../workspace.ts';

const workspace = new Folder();
let files: Map<string, string>;

const fileOf = (name: string) => join(import.meta.dirname, `${name}.yaml`);
const contract = fileOf('features');

/** Hard names and schemas, all ways to say who calls, and files. Their code is beside the other, so that all are compiled at once. */
const OTHERS = { anything: fileOf('anything'), secured: fileOf('security'), files: fileOf('files') };

beforeAll(async () => {
  files = await filesOf(contract);
  writeFiles(workspace.root, files);
  for (const [name, file] of Object.entries(OTHERS)) {
    const target = { ...TARGET, server: `apps/server/src/${name}`, client: `packages/client/src/${name}` };
    writeFiles(workspace.root, generateFiles(await bundleFile(file, PLATFORM), target));
  }
});

const text = (name: string) => files.get(name) ?? '';

/** Type-checks the generated code of one side, with modules that use it. Returns the errors. */
function compile(folder: string, runtime: string, options: object, ...uses: string[]): string {
  const write = (file: string, content: unknown) => workspace.write(join(folder, file), content);
  const packages = join(workspace.root, folder, 'node_modules/@petstore-platform');
  mkdirSync(packages, { recursive: true });
  symlinkSync(join(ROOT, 'packages', runtime), join(packages, runtime));
  write('package.json', { type: 'module' });
  for (const [index, use] of uses.entries()) write(`src/use-${index}.ts`, use);
  const compilerOptions = { noEmit: true, checkers: 1, typeRoots: [join(ROOT, 'node_modules/@types')], ...options };
  const config = { extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, include: ['src'] };
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  return spawnSync(tsc, ['--project', write('tsconfig.json', config)], { encoding: 'utf8' }).stdout;
}

const VALUES = `
const values: ValuesInput = {
  secret: 's',
  required: { a: 'x' },
  deep: { a: 'x', b: 2 },
  ghost: { ghost: 1 },
  either: { b: 1 },
  limited: 'abc',
  both: { a: 'x', kind: 'Square', s: 1 },
  nothing: null,
  only: { a: [1, true] },
  tuple: ['x', 1, false],
  closed: ['x'],
  mixed: { a: 'x', more: 1 },
  codes: 3,
  free: { anything: { at: 'all' } },
  none: {},
  forbidden: { a: 'x' },
  shape: { kind: 'round', r: 1 },
  tree: { a: { b: {} } },
  orNull: null,
  big: 1,
};
// @ts-expect-error: it is required beside allOf
values.required = {};
// @ts-expect-error: by a part
values.deep = { b: 1 };
// @ts-expect-error: and described nowhere
values.ghost = {};
// @ts-expect-error: one of both is required
values.either = {};
// @ts-expect-error: not null
values.nothing = 0;
// @ts-expect-error: the only value
values.only = { a: [1, false] };
// @ts-expect-error: the first item is required
values.tuple = [];
// @ts-expect-error: and there is no second one
values.closed = ['x', 'y'];
// @ts-expect-error: other fields are numbers
values.mixed = { a: 'x', more: true };
// @ts-expect-error: an integer
values.codes = 'x';
// @ts-expect-error: it has no fields
values.none = { a: 1 };
// @ts-expect-error: the field is forbidden
values.forbidden = { admin: true };
// @ts-expect-error: the value of the mapping
values.shape = { kind: 'Circle', r: 1 };
// @ts-expect-error: the service sets it
values.id = 'x';
const names: Names = {
  a: { dotted: 'x' }, b: { camel: 'x' }, c: 1, d: 2, e: 3, f: 4, g: 5, h: 6, i: 7, j: 8, constructor: 9, ['__proto__']: 1, "it's \\"\\\\": true,
};
`;

const useOfClient = `import * as files from './files/index.ts';
import * as secured from './secured/index.ts';
import { createClient, type Names, type ValuesInput } from './anything/index.ts';
import * as schemas from './anything/schemas.ts';
${VALUES}
const { createOrder, getOrder, getOrderOperation, thenOperation, 注文する, requestOperation, ...shop } = createClient({ apiKey: 'a' });
const order: { id: string } = await createOrder({ title: 'x' });
const found: { dotted: string } = await getOrderOperation({ constructor: order.id, 'filter[a]': ['x'] });
const nothing: undefined = await getOrder();
const gone: undefined = await shop.delete();
const { g }: Names = await thenOperation({ 注: found.dotted });
await 注文する({ 注: 'x', 'If-Match': '"1"' }, names);
// @ts-expect-error: the header is required
await 注文する({ 注: 'x' }, names);
const result: { ready?: boolean | undefined } | string | undefined = await requestOperation();
const numbers: number[] = await shop.patchValues(1);
const { id, shape } = await shop.postValues(values);
if (shape?.kind === 'round') console.log(id.toUpperCase(), shape.r, numbers, result, nothing, gone, g === 5);
// @ts-expect-error: only requests have it
(await shop.postValues(values)).secret;
const location: string = await shop.follow({ slug: 'x' });
const orders = secured.createClient({ apiKey: 'a', token: async (isRefused) => (isRefused ? 'b' : 'c') });
await orders.withOptions({ token: 'd' }).deleteOrders();
secured.createClient();
const api = files.createClient({ apiKey: 'a' });
const blob: Blob = await api.getFile({ id: '1' });
const stream: ReadableStream<Uint8Array> = await api.getFile({ id: '1' }, { as: 'stream', timeout: 1 });
const text: string = await api.getFile({ id: '1' }, { accept: 'text/plain' });
const [all, csv]: [string[], string] = [await api.exportFiles(), await api.exportFiles({ accept: 'text/csv' })];
for await (const { id, data } of api.watchFiles({ lastEventId: '1', signal: AbortSignal.timeout(1) }))
  console.log(id?.length, data.name.length);
const onProgress = ({ sent, total }: { sent: number; total: number | undefined }) => console.log(sent, total);
await api.addFile({ title: 'x', file: blob }, { onProgress });
await api.replaceFile({ id: '1' }, blob);
await api.replaceFile({ id: '1' }, stream, { onProgress });
// @ts-expect-error: only bytes come as a stream
await api.exportFiles({ as: 'stream' });
// @ts-expect-error: the contract has no such type
await api.exportFiles({ accept: 'text/html' });
// @ts-expect-error: it sends no file
await api.exportFiles({ onProgress });
console.log(text, all, csv);
schemas.IssueModel satisfies schemas.StandardSchema<{ name?: string | undefined }>;
export { location };
`;

const useOfServer = `import { defineService, operationsOf } from '@petstore-platform/server-runtime';
import { contract } from './secured/contract.ts';
import type { Handlers, Names, Values, ValuesInput } from './anything/operations.ts';
${VALUES}
export const handlers: Handlers<object> = {
  // A field with a default is never absent, also one of a part.
  createOrder: async ({ body }) => ({ status: 201, body: { id: body.title.repeat(body.count + body.b) } }),
  'get-order': async ({ query }) => ({ status: 200, body: { dotted: query['filter[a]']?.join() ?? '' } }),
  getOrder: async () => ({ status: 200 }),
  delete: async () => ({ status: 204 }),
  then: async ({ path }) => ({ status: 200, body: { ...names, ...(path.注 === '' && { g: 5 as const }) } }),
  注文する: async ({ headers, body }) => {
    if (body?.g === 5 && headers['if-match'] === '*') console.log(body);
    return { status: 204 };
  },
  postValues: async ({ body: { secret, shape } }) => {
    const body = shape?.kind === 'round' ? { id: secret } : { id: 'x', shape: { kind: 'Square' as const, s: 1 } };
    return { status: 200, body };
  },
  request: async () => (Math.random() > 0.5 ? { status: 200, body: { ready: true } } : { status: 202, body: 'later' }),
  patchValues: async ({ body }) => ({ status: 200, body: [body + 1] }),
  follow: async ({ path }) => ({ status: 302, headers: { Location: path.slug } }),
};
// @ts-expect-error: a redirection needs its place
handlers.follow = async () => ({ status: 302 });
const { read, write, todo } = operationsOf(contract);
defineService({
  name: 'secured',
  contract,
  handlers: {
    login: todo('login'),
    getOrders: read('getOrders', async (_request, _db, { caller }) => {
      const kind: 'token' | 'anonymous' = caller.kind;
      if (caller.kind === 'token') console.log(caller.claims.email, kind);
      // @ts-expect-error: there may be none
      caller.claims.email;
      return { status: 204 };
    }),
    replaceOrders: write('replaceOrders', async (_request, _db, { caller: { kind, id, owner, scopes, plan } }) => {
      const known: 'token' | 'key' = kind;
      console.log(known, id.length, owner?.length, scopes.length, plan.length);
      return { status: 204 };
    }),
    deleteOrders: write('deleteOrders', async (_request, _db, { caller }) => {
      caller.kind satisfies 'key';
      // @ts-expect-error: a key has no claims
      caller.claims.email;
      return { status: 204 };
    }),
    changeOrders: todo('changeOrders'),
  },
  migrations: {},
  addressPlan: 'free',
  tokens: { plan: 'pro', planClaim: 'plan', ownerClaim: 'org_id' },
  limitsBy: 'owner',
});
// @ts-expect-error: what is only written is not in a response
const answer: Values = { id: 'x', secret: 'x' };
export { answer, values };
`;

test('the contract has no problems, and a name that TypeScript cannot have', async () => {
  const problems = await lint(readContract(contract, PLATFORM));
  expect(problems.map(({ rule, message }) => [rule, message])).toEqual([
    ['platform/names', 'In TypeScript, the schema `New-Order` is called `NewOrder`: it is no identifier.'],
  ]);
});

test('the SDK compiles, and a caller has the types of the contract', () => {
  const use = `import { createClient } from './generated/index.ts';

const shop = createClient({ apiKey: 'a' });
for await (const { id, status } of shop.orders({ status: ['open', 'paid'], rating: 2, paid: true, since: '2026-01-01' }))
  console.log(id.toUpperCase(), status satisfies 'open' | 'paid' | 'shipped' | undefined);
const order = await shop.placeOrder({
  address: { street: 'A', lines: ['b'], at: { x: 1, y: 2 } },
  payment: { kind: 'card', number: '4' },
  items: [{ article: 1, count: 2 }],
  note: null,
  labels: { gift: 'yes' },
  total: '12.50',
  rating: 3,
});
if (order.payment.kind === 'transfer') console.log(order.payment.iban);
const price = await shop.priceOf({ sku: 'ABC-1', currency: 'CHF' });
console.log('amount' in price ? price.amount : price.from);
// @ts-expect-error: no such status
shop.orders({ status: ['lost'] });
// @ts-expect-error: an array
shop.orders({ status: 'open' });
// @ts-expect-error: not in the enum
shop.orders({ rating: 4 });
// @ts-expect-error: the other kind has no number
shop.placeOrder({ address: { street: 'A' }, payment: { kind: 'transfer', number: '4' }, items: [] });
// @ts-expect-error: a map of texts
shop.placeOrder({ address: { street: 'A' }, payment: { kind: 'card', number: '4' }, items: [], labels: { gift: 1 } });
`;
  const options = { lib: ['es2023', 'dom', 'dom.iterable'], types: [], customConditions: ['source'] };
  expect(compile('packages/client', 'client-runtime', options, use, useOfClient)).toBe('');
});

test('the types of a server compile, and a handler has those of the contract', () => {
  const use = `import type { Handlers } from './generated/operations.ts';

export const handlers: Handlers<object> = {
  async orders({ query: { limit, status, paid, since, cursor } }) {
    const page: number = limit;
    const isPaid: boolean = paid;
    const chosen: ('open' | 'paid' | 'shipped')[] | undefined = status;
    return { status: 200, body: [], headers: { Link: [page, isPaid, chosen, since, cursor].join() } };
  },
  async placeOrder({ body, headers }) {
    const key: string | undefined = headers['idempotency-key'];
    return { status: 201, body: { ...body, id: key ?? '', placed: '2026-01-01T00:00:00Z' } };
  },
  async priceOf({ path: { sku, currency } }) {
    return { status: 200, body: currency === 'CHF' ? { amount: sku } : { from: '1', to: '2' } };
  },
};
`;
  const options = { lib: ['es2024'], customConditions: ['source'] };
  expect(compile('apps/server', 'server-runtime', options, use, useOfServer)).toBe('');
});

test('webhooks and callbacks are in no table, and the first server is production', () => {
  const [operations = ''] = text('apps/server/src/generated/routes.ts').split('satisfies');
  const ids = [...operations.matchAll(/^ {2}"(\w+)": \{/gm)].map(([, id]) => id);
  expect(ids).toEqual(['orders', 'placeOrder', 'priceOf']);
  expect(text('packages/client/src/generated/table.ts')).toContain("production: 'https://api.shop.example/v1'");
});

test('what an operation needs is in the table, in the documentation and in the samples', async () => {
  const read = (file: string) => workspace.read(file);
  const table = read('apps/server/src/secured/routes.ts');
  expect(table.match(/"security": .*|"security": \[\]/g)?.length).toBe(4);
  const docs = read('packages/client/src/secured/operations.ts');
  for (const needs of [
    'Needs no credentials.',
    'Needs an access token with `orders:read`, or nothing.',
    'Needs an API key and an access token with `orders:write`, `orders:read`, or an API key.',
  ])
    expect(docs).toContain(needs);
  const page = read('apps/server/src/secured/document.ts');
  for (const sample of ['Bearer YOUR_TOKEN', "--user ':YOUR_API_KEY'", 'Needs no credentials.'])
    expect(page).toContain(sample);
  const problems = await lint(readContract(OTHERS.secured, PLATFORM));
  expect(problems).toEqual([]);
});

test('an SDK imports the code for credentials and files only where its contract has them', () => {
  const sdkOf = (folder: string) => workspace.read(`packages/client/src/${folder}/sdk.ts`);
  const extrasOf = (folder: string) => sdkOf(folder).match(/(?<=client-runtime\/)\w+/g) ?? [];
  expect(['generated', 'secured', 'files'].map(extrasOf)).toEqual([[], ['credentials'], ['events', 'files']]);
  expect(workspace.read('packages/client/src/secured/security.ts')).toContain('  login: [],');
  expect(files.has('packages/client/src/generated/security.ts')).toBe(false);
});
