import { readFileSync } from 'node:fs';
import { diffContracts, review, toMarkdown, Version } from '@petstore-platform/contract-review';
import { describe, expect, test } from 'vitest';
import { Folder } from '../../contract-review/test/folder.ts';
import { STABILITIES } from '../src/contract.ts';
import { EXTENSIONS } from '../src/lint/extensions.ts';
import { CONTRACT, FILE, released, Workspace } from './workspace.ts';

const TODAY = new Date('2026-11-21T12:00:00Z');

let workspace: Workspace;

const reportOf = (now = TODAY) => workspace.report(now);

/** A repository after the first release. */
const RELEASED = await released();

/** Matches the property of a book, not the title of the contract. */
const TITLE = /\btitle\b(?!: Bookstore)/g;

/** The parameter of `listBooks` before which another one is added. */
const FORMAT =
  '        - name: format\n          in: query\n          description: Return only books of this format.\n';

const rulesOf = ({ violations }: { violations: { rule: string }[] }) => violations.map(({ rule }) => rule);

/** The text of a line of the contract. */
const lineAt = (line: unknown) => workspace.read(FILE).split('\n')[Number(line) - 1]?.trim();

/** The contract with an operation that is experimental. */
const EXPERIMENTAL = CONTRACT.replace('operationId: listBooks\n', '$&      x-stability: experimental\n');

/** Renames an operation, lowers a limit and adds a value. */
function breakClients() {
  workspace.replace('operationId: createBook', 'operationId: addBook');
  workspace.replace('maximum: 100, default: 20', 'maximum: 50, default: 20');
  workspace.replace('enum: [hardcover, paperback, ebook]', 'enum: [hardcover, paperback, ebook, audio]');
  workspace.replace('summary: List all books', 'summary: List the books');
}

describe('a change of the contract', () => {
  test('without effect passes', async () => {
    workspace = await Workspace.create();
    const report = await reportOf();
    expect(report).toMatchObject({ requiredBump: 'none', declaredBump: 'none', changes: [], violations: [] });
    await expect(toMarkdown(report)).toMatchFileSnapshot('reports/no-change.md');
  });

  test('that adds an unused type requires no release', async () => {
    workspace = await Workspace.create();
    const toy = { type: 'object', properties: { id: { type: 'string' } } };
    workspace.edit((contract) => contract.setIn(['components', 'schemas', 'Toy'], toy));
    await workspace.generate();
    expect(workspace.read('packages/client/src/generated/operations.ts')).toContain('export interface Toy {');
    const report = await reportOf();
    expect(report).toMatchObject({ requiredBump: 'none', changes: [], surface: '' });
    expect(toMarkdown(report)).not.toContain('Exports of the SDK');
  });

  test('that breaks clients is refused within the version, until overrides lift all violations', async () => {
    workspace = await Workspace.create(RELEASED);
    workspace.replace('operationId: createBook', 'operationId: addBook');
    workspace.replace('maximum: 100, default: 20', 'maximum: 50, default: 20');
    workspace.write(FILE, workspace.read(FILE).replaceAll(TITLE, 'heading'));
    await workspace.declare('minor');
    workspace.commit('Change');

    const report = await reportOf();
    expect(rulesOf(report)).toEqual([...Array(4).fill('breaking-within-version'), 'changeset-too-small']);
    expect(report.surface).toMatch(/^\+.*\baddBook\b/m);
    workspace.changeset('major');
    const refused = await workspace.review('--base', 'main');
    expect(refused.stdout).toContain(
      '## Contract review of `bookstore`: requires major, changeset says major ✗ (4 to fix)',
    );
    expect(refused.status).toBe(1);

    const entries = report.override.map((text) => text.replace(/# Why.*/, 'Nobody calls it.'));
    workspace.write('openapi/.overrides/bookstore.yaml', entries.join('\n'));
    const accepted = await workspace.review('--base', 'main', '--format', 'json');
    expect(JSON.parse(accepted.stdout)).toMatchObject({ requiredBump: 'major', declaredBump: 'major', violations: [] });
    expect(accepted.status).toBe(0);
  });

  test('that breaks what is not released yet is no violation', async () => {
    const merged = CONTRACT.replace('maximum: 100, default: 20', 'maximum: 90, default: 20');
    const name = '        - { name: name, in: query, description: Its name., schema: { type: string } }\n';
    const contract = merged.replace(FORMAT, name + FORMAT);
    workspace = await Workspace.create({ ...RELEASED, [FILE]: contract });
    // The base already has the lower limit. No release has the parameter.
    workspace.replace(name, '');
    await workspace.declare('major');
    expect(await reportOf()).toMatchObject({ requiredBump: 'major', violations: [] });
    workspace.replace('maximum: 90,', 'maximum: 80,');
    const [violation, ...others] = (await reportOf()).violations.filter(({ rule }) => rule !== 'generated-stale');
    expect(violation?.message).toBe('Query parameter `limit`: at most 80; it was at most 100.');
    expect(others).toEqual([]);
  });

  test('that opens an operation is one row: the 401 that goes with it is no loss', async () => {
    workspace = await Workspace.create();
    workspace.edit((contract) => contract.setIn(['paths', '/books', 'get', 'security'], []));
    expect((await reportOf()).changes).toMatchObject([{ impact: 'minor', rule: 'security-removed' }]);
  });

  test('that breaks clients before the first release passes by the policy', async () => {
    workspace = await Workspace.create();
    breakClients();
    await workspace.declare('major');
    const { violations, policy } = await reportOf();
    expect(violations).toEqual([]);
    expect(policy).toMatch(/^No contract was released yet\. .* within `\/v1`\.$/);
  });

  test('of an experimental operation is minor, and the note on stability says what the README says', async () => {
    workspace = await Workspace.create({ [FILE]: EXPERIMENTAL });
    workspace.edit((contract) => contract.deleteIn(['paths', '/books', 'get', 'parameters', 1]));
    const { requiredBump, notes } = await reportOf();
    expect(requiredBump).toBe('minor');
    expect(notes).toEqual(Object.entries(STABILITIES).map(([level, may]) => `\`${level}\` operations ${may}.`));
    const page = readFileSync(new URL('../../contract-review/README.md', import.meta.url), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    for (const note of notes) expect(page).toContain(note.replace(/\.$/, ''));
  });

  test('is responsible for the lint errors that base does not have, wherever they are', async () => {
    // The base has one error.
    const summary = '      tags: [books]\n      summary: Add a book\n';
    workspace = await Workspace.create({
      [FILE]: CONTRACT.replace(summary, `${summary}      x-stability: stable\n`),
    });
    // The examples of two operations no longer match, and a name has two spellings.
    workspace.replace('required: [title, storeId]', 'required: [title, store_id]');
    workspace.replace('        storeId: &storeId\n', '        store_id: &storeId\n');
    workspace.replace('summary: Open a store\n', 'summary: Open a store\n      x-not-idempotent: true\n');
    await workspace.declare('major');
    const { status, stdout } = await workspace.review('--base', 'main');
    const problems = [...stdout.matchAll(/^- `openapi\/bookstore\.yaml:(\d+)` .*\(`(.*)`\)$/gm)].map(
      ([, line, rule]) => `${rule} ${lineAt(line)}`,
    );
    expect(problems).toEqual(['rule/not-idempotent x-not-idempotent: true']);
    expect(stdout).toContain('> Lint errors that the base has, too: 1.');
    expect(stdout).toContain('> New lint warnings, which the lint shows: 3.');
    expect(status).toBe(1);
  });

  test('is not responsible for a lint error that it moves', async () => {
    const parameter = (name: string, style = 'pipeDelimited') =>
      `        - { name: ${name}, in: query, required: true, style: ${style}, description: A number., schema: { type: string }, example: a }\n`;
    workspace = await Workspace.create({
      [FILE]: CONTRACT.replace(FORMAT, parameter('second') + FORMAT),
    });
    workspace.replace(parameter('second'), parameter('first', 'form') + parameter('second'));
    expect(rulesOf(await reportOf())).toEqual(['generated-stale', 'changeset-missing']);
    // One more error of the same text counts as an error of this change.
    workspace.replace(parameter('second'), parameter('second') + parameter('third'));
    const { violations, notes } = await reportOf();
    const [problem] = violations.filter(({ rule }) => rule === 'platform/operations');
    const line = workspace.read(FILE).split(parameter('third'))[0]?.split('\n').length;
    expect(problem?.message).toMatch(new RegExp(`^\`openapi/bookstore\\.yaml:${line}\` `));
    expect(violations).toHaveLength(3);
    expect(notes).toContain('Lint errors that the base has, too: 1.');
  });

  test('that the generators cannot read is reported in full', async () => {
    workspace = await Workspace.create();
    breakClients();
    const content = "          application/json:\n            schema: { $ref: '#/components/schemas/NewBook' }";
    workspace.replace(content, content.replace('application/json', 'multipart/mixed'));
    workspace.changeset('major');
    const { violations, changes, surface } = await reportOf();
    const message =
      'Generation failed: `describe every body as one type that is served, and not addBook (multipart/mixed)`';
    expect(violations).toContainEqual(expect.objectContaining({ rule: 'generation-failed', message }));
    expect(changes.length).toBeGreaterThan(3);
    expect(surface).toBe('');
  });
});

describe('each extension of the platform', () => {
  /** Two values of each, and what the object needs besides. */
  const VALUES: Record<string, [old: unknown, now: unknown, beside?: object]> = {
    'x-rate-limit-plans': [{ free: { perMinute: 60 } }, { free: { perMinute: 50 } }],
    'x-error': [{ code: 'code' }, { code: 'reason' }],
    'x-error-codes': [['gone'], ['sold']],
    'x-lint': [{ ignore: ['a'] }, { ignore: ['b'] }],
    'x-read-only': ['ignore', undefined],
    'x-environment': ['production', 'sandbox'],
    'x-stability': ['beta', 'experimental'],
    'x-deprecated-at': ['2026-01-01', '2026-01-02', { deprecated: true }],
    'x-sunset': ['2027-01-01', '2027-01-02', { deprecated: true }],
    'x-replaced-by': [{ operationId: 'a' }, { operationId: 'b' }, { deprecated: true }],
    'x-not-idempotent': ['It is a login.', undefined],
    'x-unpaged': ['There are few.', 'There are ten.'],
    'x-max-body': [2000, 1000],
    'x-invalid': [undefined, 422],
    'x-token': [true, false],
    'x-extensible-enum': [['a'], ['b'], { type: 'string' }],
  };
  /** Those that only the lint reads. */
  const SILENT = ['x-lint', 'x-unpaged'];
  const documentOf = (type: string, part: object) => ({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1.0.0' },
    servers: [{ url: 'https://shop.example', ...(type === 'Server' && part) }],
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: { content: { 'application/json': { schema: type === 'Schema' ? part : {} } } },
          responses: { 204: { description: 'Done', ...(type === 'Response' && part) } },
          ...(type === 'Operation' && part),
        },
      },
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', ...(type === 'SecurityScheme' && part) } },
    },
    ...(type === 'Root' && part),
  });
  const all = Object.entries(EXTENSIONS).flatMap(([type, [, ...names]]) => names.map((name) => [type, name] as const));

  test.each(all)('of %s has a rule: %s', (type, name) => {
    const [old, now, beside] = VALUES[name] ?? [];
    const [base, head] = [old, now].map((value, side) => {
      const text = JSON.stringify(documentOf(type, { ...beside, [name]: value }));
      return new Version(new Folder().write(`${side}.json`, text));
    }) as [Version, Version];
    const rules = diffContracts(base, head).map(({ rule }) => rule);
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.every((rule) => rule.startsWith('x-'))).toBe(SILENT.includes(name));
  });
});

test('a key without a value is a lint problem, and the report is complete', async () => {
  const forgotten = {
    'requestBody:': ['paths', '/books', 'post', 'requestBody'],
    'put:': ['paths', '/books', 'put'],
    '- null': ['paths', '/books', 'get', 'parameters', 0],
    'Link:': ['paths', '/books', 'get', 'responses', '200', 'headers', 'Link'],
    '"404":': ['paths', '/books/{bookId}', 'get', 'responses', '404'],
  };
  workspace = await Workspace.create();
  workspace.edit((contract) => {
    for (const path of Object.values(forgotten)) contract.setIn(path, null);
  });
  const report = await reportOf();
  const messages = report.violations.filter(({ rule }) => rule === 'struct').map(({ message }) => message);
  const reported = messages.map((message) => lineAt(/:(\d+)` /.exec(message)?.[1])?.replace(/: null$/, ':'));
  expect(reported).toEqual(expect.arrayContaining(Object.keys(forgotten)));
  expect(report.changes.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['request-body-removed', 'request-parameter-removed', 'response-header-removed']),
  );
});

describe("the platform's part", () => {
  const file = 'packages/contract/platform.yaml';

  test('of each side by its own platform shows a change of the platform', async () => {
    workspace = await Workspace.create();
    const line =
      workspace
        .read(file)
        .split('\n')
        .findIndex((text) => text.includes('Any other error')) + 1;
    workspace.replace('Any other error, such as', 'Any other failure, such as', file);
    const report = await reportOf();
    expect(report.changes).toMatchObject([{ rule: 'description-changed', impact: 'patch' }]);
    expect(report.changes.map(({ place }) => report.where(place))).toMatchObject([{ file, line, side: 'head' }]);
    expect(rulesOf(report)).toContain('generated-stale');
  });

  test('is none of a base without a platform', async () => {
    workspace = await Workspace.create();
    workspace.git('switch', '--quiet', 'main');
    workspace.git('rm', '--quiet', file);
    workspace.commit('No platform');
    workspace.git('switch', '--quiet', '--create', 'other');
    workspace.git('checkout', '--quiet', 'change', '--', file);
    const rules = (await reportOf()).changes.map(({ rule }) => rule);
    expect(rules).toContain('response-status-added');
  });

  test('is none of two files, which may be of any API', async () => {
    const complete = Object.values(RELEASED).join('');
    workspace = await Workspace.create({ 'old.yaml': complete });
    const report = await review({ base: 'old.yaml', head: FILE, cwd: workspace.root, now: TODAY });
    expect(report?.changes.map(({ rule }) => rule)).toContain('response-status-removed');
  });
});

describe('several contracts', () => {
  const toys = CONTRACT.replace('title: Bookstore', 'title: Toys');
  const server = JSON.stringify({ name: 'toys', version: '1.0.0', contract: { file: 'api/toys.yaml', server: 'src' } });

  test('have a report and a marker each, and one can be chosen', async () => {
    workspace = await Workspace.create({ 'api/toys.yaml': toys, 'apps/toys/package.json': server });
    workspace.replace('summary: List all books', 'summary: List the toys', 'api/toys.yaml');
    const { stdout } = await workspace.review('--base', 'main');
    expect(stdout.match(/^(<!--|## ).*$/gm)).toEqual([
      '<!-- contract-review: toys -->',
      '## Contract review of `toys`: requires patch ✗',
      '<!-- contract-review: bookstore -->',
      '## Contract review of `bookstore`: requires no release ✓',
    ]);
    for (const contract of ['bookstore', FILE])
      expect(await workspace.review('--base', 'main', '--contract', contract)).toMatchObject({ status: 0 });
  });

  test('need no base of one that is new, or of a private SDK that nobody else has', async () => {
    const sdk = server.replace('"server"', '"client"').replace('{', '{"private":true,');
    workspace = await Workspace.create({
      'openapi/tools.yaml': toys,
      'packages/tools/package.json': sdk.replace('api/toys', 'openapi/tools'),
    });
    workspace.write('api/toys.yaml', toys);
    workspace.write('apps/toys/package.json', server);
    const { status, stdout } = await workspace.review('--base', 'main');
    expect(stdout.match(/^<!--.*$/gm)).toEqual(['<!-- contract-review: bookstore -->']);
    expect(status).toBe(0);
  });

  test('that are new are named, and break nobody, also alone', async () => {
    workspace = await Workspace.create();
    workspace.git('rm', '--quiet', FILE);
    workspace.commit('None');
    workspace.git('branch', '--force', 'main');
    workspace.write(FILE, CONTRACT);
    for (const args of [[], ['--contract', 'bookstore']]) {
      const { status, stdout } = await workspace.review('--base', 'main', ...args);
      expect({ status, stdout }).toEqual({
        status: 0,
        stdout: 'The contract openapi/bookstore.yaml is new, so it breaks nobody.\n',
      });
    }
  });

  test('that are removed are reviewed as their operations, and so is one that no package names any more', async () => {
    workspace = await Workspace.create({ 'api/toys.yaml': toys, 'apps/toys/package.json': server });
    workspace.git('rm', '--quiet', '-r', 'api');
    expect((await workspace.review('--base', 'main')).stdout).not.toContain('stale');
    workspace.git('rm', '--quiet', '-r', 'apps/toys');
    const removed = await workspace.review('--base', 'main', '--contract', 'toys');
    expect(removed.stdout).toContain('`listBooks` was removed, but the released contract does not deprecate it.');
    expect(removed.status).toBe(1);
    workspace.git('checkout', '--quiet', 'main', '--', 'api');
    const unnamed = await workspace.review('--base', 'main', '--contract', 'toys');
    expect(unnamed.stdout).toContain('No package names the contract `api/toys.yaml` any more');
    expect(unnamed.status).toBe(1);
  });

  test('at another path are compared with what they were', async () => {
    workspace = await Workspace.create({ 'api/toys.yaml': toys, 'apps/toys/package.json': server });
    workspace.git('mv', 'api/toys.yaml', 'api/games.yaml');
    workspace.write('apps/toys/package.json', server.replace('toys.yaml', 'games.yaml'));
    workspace.replace('summary: List all books', 'summary: List the toys', 'api/games.yaml');
    const { stdout } = await workspace.review('--base', 'main', '--contract', 'games');
    expect(stdout).toContain('requires patch');
  });

  test('of another repository are neither completed nor linted', async () => {
    workspace = await Workspace.create({ 'api/toys.yaml': toys });
    workspace.git('rm', '--quiet', '-r', 'packages/contract');
    workspace.commit('No platform');
    workspace.git('branch', '--force', 'main');
    workspace.replace('operationId: createBook', 'operationId: Create', 'api/toys.yaml');
    const { status, stdout } = await workspace.review('--base', 'main', '--contract', 'api/toys.yaml');
    expect(stdout).toContain('## Contract review of `toys`: requires major ✗\n\nPolicy: strict.');
    expect(status).toBe(1);
  });
});
