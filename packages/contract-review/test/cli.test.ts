import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FILE, Repository, SHOP } from './repository.ts';

let repository: Repository;

const NARROWER = ['maximum: 100', 'maximum: 50'] as const;

const yamlIn = (text: string) => /```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? '';

/** Writes the overrides that a report shows, with a reason. */
const override = (report: string) =>
  repository.write('openapi/.overrides/shop.yaml', yamlIn(report).replace(/# Why.*/, 'Nobody asks for more.'));

describe('a version is', () => {
  test('the merge base with a ref, and the work tree', async () => {
    repository = new Repository();
    repository.git('switch', '--quiet', 'main');
    repository.replace('maxLength: 50', 'maxLength: 10');
    repository.commit('Meanwhile');
    repository.git('switch', '--quiet', 'change');
    expect((await repository.review('--base', 'main')).stdout).toContain('requires no release ✓');
    repository.replace(...NARROWER);
    expect((await repository.review('--base', 'main')).stdout).toContain(
      '`request-max-decreased` | `openapi/shop.yaml:9`',
    );
  });

  test('a ref on either side, of another path, too', async () => {
    repository = new Repository();
    repository.replace(...NARROWER);
    repository.git('mv', FILE, 'shop.yaml');
    repository.commit();
    repository.write('shop.yaml', 'no: contract');
    const { status, stdout } = await repository.review('--base', `main:${FILE}`, '--head', 'change:shop.yaml');
    expect(stdout).toContain('1 breaking change');
    expect(stdout).toContain('`shop.yaml:9`');
    expect(status).toBe(1);
  });

  test('a file, without overrides or changesets', async () => {
    repository = new Repository();
    const text = SHOP.replace(/ {4}get:\n {6}operationId: listOrders[\s\S]*?(?= {4}post)/, '');
    repository.write('head.yaml', text);
    const compare = (...options: string[]) => repository.review('--base', FILE, '--head', 'head.yaml', ...options);
    const refused = await compare();
    expect(refused.stdout).toMatch(
      /## Contract review of `head`: requires major ✗\n\nPolicy: strict\. No released contract was found, so the base counts as released;/,
    );
    expect(refused.stdout).not.toMatch(/[Oo]verrides? (from|to)|changeset|\/v1`/);
    expect(refused.status).toBe(1);
    expect((await compare('--fail-on', 'major')).stdout).toMatch(
      /Policy: `--fail-on major` refuses [\s\S]*- Break nobody: keep it, and deprecate it until its clients have left\.\n- Break these clients, if they agreed\.\n/,
    );
    expect((await compare('--fail-on', 'major')).status).toBe(1);
    expect((await compare('--fail-on', 'minor')).status).toBe(1);
    const relaxed = await compare('--fail-on', 'never');
    expect(relaxed.stdout).toContain('Policy: `--fail-on never` reports only.');
    expect(relaxed.status).toBe(0);
    const released = await compare('--released', FILE);
    expect(released.stdout).toContain(`Policy: measured against \`${FILE}\`, as released.`);
    expect(released.stdout).toContain('`listOrders` was removed, but the released contract does not deprecate it.');
  });

  test('with references by `$id`', async () => {
    const named = SHOP.replace(' Order:\n', ' Order:\n      $id: https://shop.example/order\n');
    repository = new Repository({
      [FILE]: named.replaceAll('#/components/schemas/Order', 'https://shop.example/order'),
    });
    repository.replace('maxLength: 100', 'maxLength: 200');
    expect((await repository.review('--base', 'main')).stdout).toContain('`response-max-length-increased`');
  });

  test('of several files anywhere in the repository, two of one name, too', async () => {
    const file = "{ $ref: '../common/a/part.yaml#/Order' }";
    const parts = {
      'common/a/part.yaml': "Order: { type: object, properties: { b: { $ref: '../b/part.yaml' } } }\n",
      'common/b/part.yaml': '{ type: string, maxLength: 9 }\n',
    };
    repository = new Repository({ ...parts, [FILE]: SHOP.replaceAll("{ $ref: '#/components/schemas/Order' }", file) });
    repository.replace('maxLength: 9', 'maxLength: 10', 'common/b/part.yaml');
    repository.replace('{ b:', '{ c: { oneOf: [{ type: string }] }, b:', 'common/a/part.yaml');
    const { stdout } = await repository.review('--base', 'main');
    expect(stdout).toContain('`response-max-length-increased` | `common/b/part.yaml:1` |');
    expect(stdout).toContain('`Order.c` was added.');
    repository.commit();
    repository.replace('{ oneOf: [{ type: string }] }', '{ type: string }', 'common/a/part.yaml');
    expect((await repository.review('--base', 'change')).stdout).toContain(
      'own: `common/a/part.yaml#/Order/properties/c`.',
    );
    repository.write('outside.yaml', SHOP.replaceAll('#/components/schemas/Order', '/etc/hostname'));
    expect((await repository.review('--base', 'outside.yaml', '--head', FILE)).stderr).toContain(
      '/etc/hostname is no regular file',
    );
  });
});

test('a new contract breaks nobody; a removed one is reviewed as its operations', async () => {
  repository = new Repository({ 'README.md': 'Nothing yet' });
  repository.write(FILE, SHOP);
  expect(await repository.review('--base', 'main')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('is new'),
  });
  repository.commit();
  repository.git('branch', '--force', 'main');
  repository.git('rm', '--quiet', FILE);
  const { status, stdout } = await repository.review('--base', 'main', '--contract', FILE);
  expect(stdout).toContain('`getOrder` was removed, but the released contract does not deprecate it.');
  expect(status).toBe(1);
});

test('overrides lift what they name until it changes again', async () => {
  repository = new Repository({ [FILE]: SHOP, 'openapi/.released/shop.yaml': SHOP });
  repository.replace(...NARROWER);
  const refused = await repository.review('--base', 'main');
  expect(refused.status).toBe(1);
  override(refused.stdout);
  const accepted = await repository.review('--base', 'main');
  expect(accepted.stdout).toContain(
    '`breaking-within-version` for `#/paths/~1orders/get/parameters/0/schema/maximum` lifted',
  );
  expect(accepted.status).toBe(0);
  // With `--head`, the overrides are read from that ref, wherever they are in it.
  repository.write('exceptions.yaml', repository.read('openapi/.overrides/shop.yaml'));
  repository.commit();
  const ofRef = await repository.review('--base', 'main', '--head', 'change', '--overrides', 'exceptions.yaml');
  expect(ofRef.status).toBe(0);
  repository.replace('maximum: 50', 'maximum: 40');
  expect((await repository.review('--base', 'main')).status).toBe(1);
});

test('--fail-on refuses each change of that impact, until an override names it', async () => {
  repository = new Repository();
  repository.replace(...NARROWER);
  const { status, stdout } = await repository.review('--base', 'main', '--fail-on', 'major');
  expect(stdout).toContain('requires major ✗');
  expect(stdout).toContain('- Break nobody: keep accepting the earlier values.');
  expect(status).toBe(1);
  override(stdout);
  expect((await repository.review('--base', 'main', '--fail-on', 'major')).status).toBe(0);
  repository.replace('maxLength: 50', 'maxLength: 60');
  expect((await repository.review('--base', 'main', '--fail-on', 'major')).status).toBe(0);
  expect((await repository.review('--base', 'main', '--fail-on', 'minor')).status).toBe(1);
});

test('changesets of the package declare the version', async () => {
  repository = new Repository({ [FILE]: SHOP, '.changeset/old.md': '---\n"@shop/client": major\n---\n\nOld.\n' });
  repository.replace('maximum: 100', 'maximum: 200');
  const without = await repository.review('--base', 'main', '--package', '@shop/client');
  expect(without.stdout).toContain('requires minor, no changeset ✗');
  expect(without.stdout).toContain('---\n"@shop/client": minor\n---');
  repository.write('.changeset/new.md', '---\n"@shop/client": major\n---\n\nNew.\n');
  const enough = await repository.review('--base', 'main', '--package', '@shop/client');
  expect(enough.stdout).toContain('> The changesets say major; this change of the contract alone requires minor.');
  expect(enough.status).toBe(0);
});

describe('a report', () => {
  test('as JSON names the file, the line and the side', async () => {
    repository = new Repository();
    repository.replace('        - { name: limit, in: query, schema: { type: integer, maximum: 100 } }\n', '');
    repository.replace('      parameters:\n', '');
    repository.replace('maxLength: 50', 'maxLength: 60');
    const { stdout } = await repository.review('--base', 'main', '--fail-on', 'never', '--format', 'json');
    const { changes } = JSON.parse(stdout);
    expect(changes).toMatchObject([
      {
        impact: 'major',
        rule: 'request-parameter-removed',
        file: FILE,
        line: 9,
        side: 'base',
        pointer: '#/paths/~1orders/get/parameters/0',
      },
      { impact: 'minor', rule: 'request-max-length-increased', file: FILE, line: expect.any(Number), side: 'head' },
    ]);
  });

  test('for a comment is cut, and its YAML stays valid', async () => {
    const operations = Array.from({ length: 400 }, (_, index) => {
      return `  /a${index}: { get: { operationId: get${index}, responses: { '204': { description: Done } } } }\n`;
    });
    const all = SHOP.replace('paths:\n', `paths:\n${operations.join('')}`);
    repository = new Repository({ [FILE]: all, 'openapi/.released/shop.yaml': all });
    repository.write(FILE, SHOP);
    const { stdout } = await repository.review('--base', 'main', '--comment', 'comment.md');
    expect(stdout).not.toMatch(/… and \d+ more\./);
    const comment = repository.read('comment.md');
    expect(comment.length).toBeLessThan(60_000);
    expect(yamlIn(comment)).toMatch(/# … and \d+ more\./);
    expect(parse(yamlIn(comment)).length).toBeGreaterThan(10);
  });

  test('annotates the line of the work tree, and nothing of a contract is a command', () => {
    repository = new Repository();
    repository.replace('enum: [open, sent]', 'enum: [open, sent, "x\\n::error::y"]');
    const { stderr } = repository.reviewProcess(['--base', 'main'], { GITHUB_ACTIONS: 'true' });
    expect(stderr).toMatch(/^::warning file=openapi\/shop\.yaml,line=28,title=response-enum-value-added::major: /m);
    expect(stderr.split('\n').filter((line) => line.startsWith('::error::'))).toEqual([]);
  });
});

test.each([
  ['no base', [], '--base <file or git ref> is missing'],
  ['an unknown format', ['--base', 'main', '--format', 'html'], '--format html is none of markdown, json'],
  ['an unknown threshold', ['--base', 'main', '--fail-on', 'patch'], '--fail-on patch is none of'],
  ['a ref that is none', ['--base', 'nowhere'], 'nowhere is neither a file nor a git ref'],
  ['a file that is none', ['--base', 'old.yaml'], 'old.yaml is neither a file nor a git ref: there is no such file'],
  ['a URL', ['--base', 'https://shop.example/a.yaml'], 'is a URL, and no host is read'],
  ['a path that the ref does not have', ['--base', 'main:a.yaml'], 'there is no a.yaml at '],
  ['a head that is none', ['--base', FILE, '--head', 'nothing.yaml'], 'there is no file nothing.yaml'],
  [
    'Swagger',
    ['--base', FILE, '--head', 'swagger.yaml'],
    'swagger.yaml:1:1 This is Swagger 2.0. Convert it to OpenAPI 3 first',
  ],
  [
    'an empty file',
    ['--base', FILE, '--head', 'empty.yaml'],
    'empty.yaml:1:1 Begin the document with `openapi: 3.1.0`',
  ],
  ['invalid YAML', ['--base', FILE, '--head', 'invalid.yaml'], 'invalid.yaml:3:1 '],
  ['an anchor that is none', ['--base', FILE, '--head', 'anchor.yaml'], '$ref leads nowhere: #order'],
  ['an alias of itself', ['--base', FILE, '--head', 'itself.yaml'], 'itself.yaml:3:11 the alias *self is within'],
  ['aliases of aliases', ['--base', FILE, '--head', 'bomb.yaml'], 'bomb.yaml:7:46 aliases repeat too many values'],
  ['deep nesting', ['--base', FILE, '--head', 'deep.yaml'], 'deep.yaml:2:503 nesting exceeded maxDepth (500)'],
  [
    'references that nest too deeply',
    ['--base', FILE, '--head', 'chain.json'],
    'chain.json:1:1 Maximum call stack size exceeded',
  ],
  ['a host', ['--base', FILE, '--head', 'host.yaml'], '$ref to another host is not followed'],
  ['a reference that leads nowhere', ['--base', FILE, '--head', 'dangling.yaml'], '$ref leads nowhere'],
  ['a released contract that is none', ['--base', 'main', '--released', 'a.yaml'], '--released: there is no a.yaml'],
  ['overrides that are none', ['--base', 'main', '--overrides', 'a.yaml'], '--overrides: there is no a.yaml'],
  ['several documents', ['--base', 'main'], 'there are several documents (openapi/other.yaml, openapi/shop.yaml)'],
])('the tool fails with the reason on %s', async (_, args, message) => {
  const names = Array.from({ length: 6000 }, (_, index) => [
    `A${index}`,
    { allOf: [{ $ref: `#/components/schemas/A${index + 1}` }] },
  ]);
  const chain = Object.fromEntries([...names, ['A6000', { type: 'string' }]]);
  const linked = (to: string) => SHOP.replace("'#/components/schemas/NewOrder'", `'${to}'`);
  repository = new Repository({
    [FILE]: SHOP,
    'openapi/other.yaml': SHOP,
    'swagger.yaml': "swagger: '2.0'\n",
    'empty.yaml': '',
    'invalid.yaml': 'openapi: 3.1.0\ninfo: {\n',
    'itself.yaml': 'openapi: 3.1.0\nx-a: &self\n  x-b: [ *self ]\n',
    'bomb.yaml': `a0: &a0 x\n${[1, 2, 3, 4, 5, 6, 7].map((n) => `a${n}: &a${n} [${`*a${n - 1}, `.repeat(10)}]\n`).join('')}`,
    'deep.yaml': `openapi: 3.1.0\nx: ${'['.repeat(600)}${']'.repeat(600)}\n`,
    'chain.json': JSON.stringify({ openapi: '3.1.0', info: {}, components: { schemas: chain } }),
    'anchor.yaml': linked('#order'),
    'host.yaml': linked('https://shop.example/order.yaml'),
    'dangling.yaml': linked('#/components/schemas/Missing'),
  });
  const contract = message.includes('several') || args.includes(FILE) ? [] : ['--contract', FILE];
  const { status, stdout, stderr } = await repository.review(...args, ...contract);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^contract-review: [^\n]+\n$/);
  expect(stderr).toContain(message);
});

test('a file that is none is named outside of a repository, too', async () => {
  repository = new Repository();
  rmSync(join(repository.root, '.git'), { recursive: true });
  const { status, stderr } = await repository.review('--base', 'old.yaml', '--head', FILE);
  expect(stderr).toMatch(/^contract-review: old\.yaml is no file, and a git ref needs a repository: /);
  expect(status).toBe(2);
});

test('the exit code is that of the process', () => {
  repository = new Repository();
  repository.replace(...NARROWER);
  const statusOf = (...args: string[]) => repository.reviewProcess(['--base', 'main', ...args]).status;
  expect([statusOf('--fail-on', 'never'), statusOf(), statusOf('--fail-on', 'patch')]).toEqual([0, 1, 2]);
});

test('--help is no failure', async () => {
  repository = new Repository();
  expect(await repository.review('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--base') });
});
