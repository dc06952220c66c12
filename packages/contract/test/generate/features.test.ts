import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { Folder } from '../../../contract-review/test/folder.ts';
import { writeFiles } from '../../src/generate/generate.ts';
import { lint } from '../../src/redocly.ts';
import { filesOf, PLATFORM } from '../workspace.ts';

const contract = fileURLToPath(new URL('features.yaml', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const workspace = new Folder();
let files: Map<string, string>;

beforeAll(async () => {
  files = await filesOf(contract);
  writeFiles(workspace.root, files);
});

const text = (name: string) => files.get(name) ?? '';

/** Type-checks the generated code of one side, with a file that uses it. Returns the errors. */
function compile(folder: string, packages: Record<string, string>, options: object, use: string): string {
  const root = join(workspace.root, folder);
  for (const [name, target] of Object.entries(packages)) {
    mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true });
    symlinkSync(join(ROOT, target), join(root, 'node_modules', name));
  }
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'src/use.ts'), use);
  const compilerOptions = { noEmit: true, typeRoots: [join(ROOT, 'node_modules/@types')], ...options };
  const extended = join(ROOT, 'tsconfig.base.json');
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ extends: extended, compilerOptions, include: ['src'] }));
  try {
    return execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--project', root], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test('the contract has no problems', async () => {
  expect(await lint(contract, PLATFORM)).toEqual([]);
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
  const packages = Object.fromEntries(
    ['openapi-fetch', '@tanstack/react-query'].map((name) => [name, `packages/client-runtime/node_modules/${name}`]),
  );
  expect(compile('packages/client', packages, { lib: ['es2023', 'dom', 'dom.iterable'], types: [] }, use)).toBe('');
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
  const packages = { '@repo/server-runtime': 'packages/server-runtime' };
  const options = { lib: ['es2024'], customConditions: ['source'] };
  expect(compile('apps/server', packages, options, use)).toBe('');
});

test('webhooks and callbacks are in no table, and the first server is production', () => {
  const [operations = ''] = text('apps/server/src/generated/table.ts').split('satisfies');
  const ids = [...operations.matchAll(/^ {2}"(\w+)": \{/gm)].map(([, id]) => id);
  expect(ids).toEqual(['orders', 'placeOrder', 'priceOf']);
  expect(text('packages/client/src/generated/table.ts')).toContain("production: 'https://api.shop.example/v1'");
});

test('an int64 has no bounds in the documentation that its author did not give', () => {
  expect(text('packages/client/src/generated/operations.ts')).not.toContain('9007199254740991');
});
