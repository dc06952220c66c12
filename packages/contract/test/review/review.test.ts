import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { STABILITIES } from '../../src/contract.ts';
import { diffContracts, readVersion } from '../../src/review/diff.ts';
import { toAnnotations, toJson } from '../../src/review/formats.ts';
import { toMarkdown } from '../../src/review/markdown.ts';
import { type Report, reviews } from '../../src/review/review.ts';
import { Source } from '../../src/review/source.ts';
import { CONTRACT, FILE, released, Workspace } from '../workspace.ts';
import { CorpusFiles } from './corpus.ts';

const TODAY = new Date('2026-11-21T12:00:00Z');

let workspace: Workspace;

afterEach(() => workspace.remove());

const reportOf = (now = TODAY) => workspace.report(now);

/** Of a repository after the first release. */
const RELEASED = await released();

/** The property of a book, and not the title of the contract. */
const TITLE = /\btitle\b(?!: Bookstore)/g;

/** In front of which a parameter of `listBooks` is added. */
const FORMAT =
  '        - name: format\n          in: query\n          description: Return only books of this format.\n';

/** Compares two files. */
async function compare(files: { base: string; head: string }, cwd = tmpdir()) {
  const [report] = await reviews({ ...files, cwd, now: TODAY });
  return report as Report;
}

const rulesOf = ({ violations }: { violations: { rule: string }[] }) => violations.map(({ rule }) => rule);

/** A repository on whose `main` one operation has the level. */
async function createWithStability(level: string) {
  workspace = await Workspace.create();
  workspace.replace('operationId: listBooks\n', `operationId: listBooks\n      x-stability: ${level}\n`);
  workspace.git('switch', '--quiet', 'main');
  workspace.commit('Stability');
  workspace.git('switch', '--quiet', '--create', 'review');
}

const NARROWED = 'description: Return only books of this format.\n          required: true';

/** Makes a parameter of one operation required. */
const narrow = () => workspace.replace('description: Return only books of this format.', NARROWED);

/** Renames an operation, lowers a limit and adds a value. */
function breakClients() {
  workspace.replace('operationId: createBook', 'operationId: addBook');
  workspace.replace('maximum: 100, default: 20', 'maximum: 50, default: 20');
  workspace.replace('enum: [hardcover, paperback, ebook]', 'enum: [hardcover, paperback, ebook, audio]');
  workspace.replace('summary: List all books', 'summary: List the books');
}

/** In a repository with some files, removes an operation, with a changeset. */
async function removeGetBook(files?: Record<string, string>) {
  workspace = await Workspace.create(files);
  workspace.edit((contract) => contract.deleteIn(['paths', '/books/{bookId}', 'get']));
  await workspace.declare('major');
}

describe('a change of the contract', () => {
  test('without effect passes', async () => {
    workspace = await Workspace.create();
    const report = await reportOf();
    expect(report).toMatchObject({ requiredBump: 'none', declaredBump: 'none', changes: [], violations: [] });
    await expect(toMarkdown(report)).toMatchFileSnapshot('reports/no-change.md');
    expect(workspace.review('--base', 'main')).toMatchObject({ status: 0 });
  });

  test('that adds an unused type requires no release', async () => {
    workspace = await Workspace.create();
    workspace.edit((contract) => {
      contract.setIn(
        ['components', 'schemas', 'Toy'],
        contract.createNode({ type: 'object', properties: { id: { type: 'string' } } }),
      );
    });
    await workspace.generate();
    expect(workspace.read('packages/client/src/generated/operations.ts')).toContain('export interface Toy {');
    const report = await reportOf();
    expect(report).toMatchObject({ requiredBump: 'none', changes: [], surface: '' });
    expect(toMarkdown(report)).not.toContain('Exports of the SDK');
  });

  test('that is compatible passes with a changeset', async () => {
    workspace = await Workspace.create();
    const name =
      '        - name: name\n          in: query\n          description: Return only books of this name.\n          schema: { type: string, minLength: 1 }\n';
    workspace.replace(FORMAT, name + FORMAT);
    workspace.replace('description: A page of books.', 'description: The animals, or a page of them.');
    await workspace.declare('minor');
    const report = await reportOf();
    expect(report).toMatchObject({ requiredBump: 'minor', declaredBump: 'minor', violations: [] });
  });

  test('that breaks clients is refused within the version, until overrides lift each violation', async () => {
    workspace = await Workspace.create(RELEASED);
    workspace.replace('operationId: createBook', 'operationId: addBook');
    workspace.replace('maximum: 100, default: 20', 'maximum: 50, default: 20');
    workspace.write(FILE, workspace.read(FILE).replaceAll(TITLE, 'heading'));
    await workspace.declare('minor');
    workspace.commit('Change');

    const report = await reportOf();
    expect(rulesOf(report)).toEqual([...Array(3).fill('breaking-within-version'), 'changeset-too-small']);
    workspace.changeset('major');
    const refused = workspace.review('--base', 'main');
    expect(refused.stdout).toContain(
      '## Contract review of bookstore: requires major, changeset says major ✗ (3 to fix)',
    );
    expect(refused.status).toBe(1);

    const [entry = '', ...others] = report.override.replaceAll(/# Why.*/g, 'Nobody calls it.').split(/^(?=- )/m);
    workspace.write('openapi/.overrides/bookstore.yaml', entry);
    expect(rulesOf(await reportOf())).toHaveLength(others.length);
    workspace.write('openapi/.overrides/bookstore.yaml', [entry, ...others].join(''));
    const accepted = workspace.review('--base', 'main', '--format', 'json');
    expect(JSON.parse(accepted.stdout)).toMatchObject({ requiredBump: 'major', declaredBump: 'major', violations: [] });
    expect(accepted.status).toBe(0);
  });

  test("that breaks the SDK's names needs a major changeset and no more", async () => {
    workspace = await Workspace.create(RELEASED);
    workspace.replace('operationId: createBook', 'operationId: addBook');
    workspace.write(FILE, workspace.read(FILE).replaceAll(/\bNewBook\b/g, 'BookToAdd'));
    await workspace.declare('minor');
    expect(rulesOf(await reportOf())).toEqual(['changeset-too-small']);
    workspace.changeset('major');
    expect(rulesOf(await reportOf())).toEqual([]);
  });

  test('that breaks what is not released yet is no violation', async () => {
    const merged = CONTRACT.replace('maximum: 100, default: 20', 'maximum: 90, default: 20');
    const name = '        - { name: name, in: query, description: Its name., schema: { type: string } }\n';
    const contract = merged.replace(FORMAT, name + FORMAT);
    workspace = await Workspace.create({ ...RELEASED, [FILE]: contract });
    // The lower limit is in the base; the parameter is in no release.
    workspace.replace(name, '');
    await workspace.declare('major');
    expect(await reportOf()).toMatchObject({ requiredBump: 'major', violations: [] });
    workspace.replace('maximum: 90,', 'maximum: 80,');
    const [violation, ...others] = (await reportOf()).violations.filter(({ rule }) => rule !== 'generated-stale');
    expect(violation?.message).toBe('Query parameter `limit`: at most 80; it was at most 100.');
    expect(others).toEqual([]);
  });

  test('that breaks an operation which only the released contract calls stable is a violation', async () => {
    const lowered = CONTRACT.replace(
      'operationId: listBooks\n',
      'operationId: listBooks\n      x-stability: experimental\n',
    );
    workspace = await Workspace.create({ ...RELEASED, [FILE]: lowered });
    narrow();
    const report = await reportOf();
    expect(report.requiredBump).toBe('minor');
    expect(rulesOf(report)).toContain('breaking-within-version');
  });

  test('that removes one operation of an older breaking change does not repeat the violation', async () => {
    const contract = CONTRACT.replaceAll(TITLE, 'heading');
    await removeGetBook({ ...RELEASED, [FILE]: contract });
    expect(rulesOf(await reportOf(new Date('2031-01-01T00:00:00Z')))).toEqual([]);
  });

  test('that breaks clients before the first release is a note', async () => {
    workspace = await Workspace.create();
    breakClients();
    await workspace.declare('major');
    const { violations, notes } = await reportOf();
    expect(violations).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^No contract was released yet\. .* within `\/v1`\.$/)]);
  });

  test('of an operation and of all breaks all clients', async () => {
    workspace = await Workspace.create();
    breakClients();
    workspace.replace('perMinute: 60', 'perMinute: 30', 'packages/contract/platform.yaml');
    expect(toMarkdown(await reportOf())).toContain('**Breaks all clients**: 4 breaking changes');
  });

  test('is annotated at its line', async () => {
    workspace = await Workspace.create();
    breakClients();
    const { changes } = JSON.parse(workspace.review('--base', 'main', '--format', 'json').stdout);
    const lines = workspace.read(FILE).split('\n');
    const lineOf = (rule: string) => lines[changes.find((change: { rule: string }) => change.rule === rule).line - 1];
    expect(lineOf('operation-id-changed')).toContain('operationId: addBook');
    expect(lineOf('request-max-decreased')).toContain('maximum: 50');
    expect(lineOf('response-enum-value-added')).toContain('audio]');
    expect(lineOf('summary-changed')).toContain('List the books');
    const annotations = toAnnotations(await reportOf());
    expect(annotations).toMatch(
      /^::warning file=openapi\/bookstore\.yaml,line=\d+,title=operation-id-changed::major%?: /m,
    );
    expect(annotations).toMatch(/^::error title=changeset-missing::/m);
  });

  test('that removes something is annotated at its former location, with its line in the base', async () => {
    workspace = await Workspace.create();
    workspace.edit((contract) => contract.deleteIn(['paths', '/books', 'get', 'parameters', 1]));
    const report = await reportOf();
    const removal = report.changes.find(({ rule }) => rule === 'request-parameter-removed');
    const line = workspace.git('show', 'main:openapi/bookstore.yaml').split('\n').indexOf('        - name: format') + 1;
    expect(removal && report.where(removal.place)).toBe(`openapi/bookstore.yaml:${line} (base)`);
    expect(toAnnotations(report)).toMatch(/file=openapi\/bookstore\.yaml,line=\d+,title=request-parameter-removed/);
  });

  test('is compared with the merge base', async () => {
    workspace = await Workspace.create();
    workspace.git('switch', '--quiet', 'main');
    workspace.replace('maximum: 100, default: 20', 'maximum: 10, default: 10');
    workspace.commit('Meanwhile');
    workspace.git('switch', '--quiet', 'change');
    expect((await reportOf()).changes).toEqual([]);
  });

  test('without a changeset gets one to paste', async () => {
    workspace = await Workspace.create();
    breakClients();
    const report = await reportOf();
    expect(report.violations.map(({ rule }) => rule)).toEqual(['generated-stale', 'changeset-missing']);
    expect(report.changeset).toMatch(/^---\n"@bookstore\/client": major\n---\n\n- /);
  });

  test('with a larger changeset than required is a note', async () => {
    workspace = await Workspace.create();
    workspace.changeset('major');
    const report = await reportOf();
    expect(report.violations).toEqual([]);
    expect(report.notes).toEqual(['The changesets say major; this change of the contract alone requires no release.']);
  });

  test('of an experimental operation is minor, and the note on stability says what the README says', async () => {
    await createWithStability('experimental');
    workspace.edit((contract) => contract.deleteIn(['paths', '/books', 'get', 'parameters', 1]));
    const { requiredBump, notes } = await reportOf();
    expect(requiredBump).toBe('minor');
    expect(notes).toEqual(Object.entries(STABILITIES).map(([level, may]) => `\`${level}\` operations ${may}.`));
    const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
    for (const note of notes) expect(page).toContain(note.replace(/\.$/, ''));
  });

  test('with only an older changeset counts as without one', async () => {
    workspace = await Workspace.create({ '.changeset/old.md': '---\n"@bookstore/client": major\n---\n\nOld.\n' });
    breakClients();
    await workspace.generate();
    expect(await reportOf()).toMatchObject({ declaredBump: 'none', violations: [{ rule: 'changeset-missing' }] });
  });

  test('is responsible for the lint problems that base does not have, wherever they are', async () => {
    // A problem of base: the summary.
    const summary = '      tags: [books]\n      summary: Add a book\n';
    workspace = await Workspace.create({
      [FILE]: CONTRACT.replace(summary, '      tags: [books]\n'),
    });
    workspace.replace('required: [title, storeId]', 'required: [title, store_id]');
    workspace.replace('        storeId: &storeId\n', '        store_id: &storeId\n');
    await workspace.declare('major');
    const { status, stdout } = workspace.review('--base', 'main');
    const problems = [...stdout.matchAll(/^- openapi\/bookstore\.yaml:(\d+) .*\(`(.*)`\)$/gm)].map(([, line, rule]) => {
      return `${rule} ${workspace.read(FILE).split('\n')[Number(line) - 1]?.trim()}`;
    });
    expect(problems).toEqual([
      // An example elsewhere no longer matches for two reasons.
      'no-invalid-media-type-examples example: { title: The Dispossessed, storeId: 7, format: hardcover }',
      'no-invalid-media-type-examples example: { title: The Dispossessed, storeId: 7, format: hardcover }',
      'platform/property-names store_id: &storeId',
    ]);
    expect(stdout).toContain('> Problems of the lint that the base has, too: 1.');
    expect(status).toBe(1);
  });

  test('is not responsible for a lint problem that it moves', async () => {
    const parameter = (name: string) =>
      `        - { name: ${name}, in: query, description: A number., schema: { type: string }, example: 3 }\n`;
    workspace = await Workspace.create({
      [FILE]: CONTRACT.replace(FORMAT, parameter('second') + FORMAT),
    });
    workspace.replace(parameter('second'), parameter('first').replace('3', "'3'") + parameter('second'));
    expect(rulesOf(await reportOf())).toEqual(['generated-stale', 'changeset-missing']);
    // An equal problem more is its own.
    workspace.replace(parameter('second'), parameter('second') + parameter('third'));
    const { violations, notes } = await reportOf();
    const [problem] = violations.filter(({ rule }) => rule === 'no-invalid-parameter-examples');
    const line = workspace.read(FILE).split(parameter('third'))[0]?.split('\n').length;
    expect(problem?.message).toMatch(new RegExp(`^openapi/bookstore\\.yaml:${line} `));
    expect(violations).toHaveLength(3);
    expect(notes).toContain('Problems of the lint that the base has, too: 1.');
  });

  test('of a beta operation says so in its row', async () => {
    await createWithStability('beta');
    narrow();
    workspace.replace('tags: [books]\n      summary: List', 'tags: [stores]\n      summary: List');
    const text = toMarkdown(await reportOf());
    expect(text).toContain('**Breaks clients of `listBooks` (beta, GET /books)**: 1 breaking change; also 1 patch.');
    expect(text).toContain('| **major** | `listBooks` (beta, request) | Query parameter `format` is now required.');
    expect(text).toContain('| patch | `listBooks` (beta) | The tags of `listBooks` were changed. |');
  });

  test('of a server names it', async () => {
    workspace = await Workspace.create();
    workspace.replace('description: Production', 'description: For customers');
    const { changes } = await reportOf();
    const messages = changes.map(({ message }) => message);
    expect(messages).toEqual(['The description of the server `https://api.bookstore.example/v1` was changed.']);
  });

  test('that the generators cannot read is reported in full', async () => {
    workspace = await Workspace.create();
    breakClients();
    workspace.replace('    NewBook:\n', '    1toy: { type: object }\n    NewBook:\n');
    workspace.changeset('major');
    const { violations, changes, surface } = await reportOf();
    const message = 'Generation failed: the schema 1toy needs a name that is a TypeScript identifier';
    expect(violations).toContainEqual(expect.objectContaining({ rule: 'generation-failed', message }));
    expect(changes.length).toBeGreaterThan(3);
    expect(surface).toBe('');
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
  workspace.changeset('major');
  const { status, stdout, stderr } = workspace.review('--base', 'main', '--format', 'json');
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  const { changes, violations } = JSON.parse(stdout);
  const lines = workspace.read(FILE).split('\n');
  const reported = violations
    .filter(({ rule }: { rule: string }) => rule === 'struct')
    .map(({ message }: { message: string }) =>
      lines[Number(/:(\d+) /.exec(message)?.[1]) - 1]?.trim().replace(/: null$/, ':'),
    );
  expect(reported).toEqual(expect.arrayContaining(Object.keys(forgotten)));
  expect(changes.map(({ rule }: { rule: string }) => rule)).toEqual(
    expect.arrayContaining(['request-body-removed', 'request-parameter-removed', 'response-header-removed']),
  );
});

describe('the tool itself fails with a reason', () => {
  test('on invalid YAML, with the line', async () => {
    workspace = await Workspace.create();
    workspace.replace('enum: [hardcover, paperback, ebook]', 'enum: [available, paperback, ebook');
    const line = workspace.read(FILE).split('paperback, ebook')[0]?.split('\n').length;
    const { status, stderr, stdout } = workspace.review('--base', 'main');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    const [, reported] = /^contract review: openapi\/bookstore\.yaml:(\d+):\d+ /.exec(stderr) ?? [];
    expect(Number(reported) - Number(line)).toBeOneOf([0, 1, 2]);
  });

  test.each([
    ['Swagger', ['--base', FILE, '--head', 'old.yaml'], 'old.yaml:1:1 is not an OpenAPI 3 document'],
    ['an empty file', ['--base', FILE, '--head', 'no.yaml'], 'no.yaml:1:1 is not an OpenAPI 3 document'],
    ['an unknown ref', ['--base', 'nowhere'], 'nowhere'],
    [
      'an unknown contract',
      ['--base', 'main', '--contract', 'shop'],
      'there is no contract shop; known are: bookstore',
    ],
    ['no base', [], '--base'],
    ['an unknown format', ['--base', 'main', '--format', 'html'], '--format html'],
  ])('on %s', async (_, args, message) => {
    workspace = await Workspace.create({ 'old.yaml': "swagger: '2.0'\npaths: {}\n", 'no.yaml': '' });
    workspace.git('rm', '--quiet', FILE);
    workspace.commit('None');
    workspace.git('checkout', '--quiet', 'main', '--', FILE);
    const { status, stdout, stderr } = workspace.review(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^contract review: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });

  test.each([
    ['#book', '$ref by `$anchor` is not followed; write a JSON pointer: #book'],
    ['https://example.com/book.yaml', '$ref to another host is not followed'],
    ['./missing.yaml', '$ref: ./missing.yaml is no regular file below the folder of the contract'],
    ['#/components/schemas/Missing', '$ref leads nowhere'],
  ])('on a reference that it does not follow: %s', async (reference, message) => {
    workspace = await Workspace.create();
    const base = workspace.read(FILE);
    workspace.write('base.yaml', base);
    workspace.write('head.yaml', base.replace("'#/components/schemas/NewBook'", `'${reference}'`));
    const { source: old } = await readVersion(join(workspace.root, 'base.yaml'));
    const now = new Source(join(workspace.root, 'head.yaml'));
    const version = { source: now, bundle: now.root.value };
    expect(() => diffContracts({ source: old, bundle: old.root.value }, version)).toThrow(message);
    expect(() => diffContracts({ source: old, bundle: old.root.value }, version)).toThrow(/head\.yaml:\d+ /);
  });
});

describe('two files', () => {
  const corpus = new CorpusFiles();
  const pair = (name: string) => ({ base: corpus.fileOf(name, 'base'), head: corpus.fileOf(name, 'head') });

  afterAll(() => corpus.remove());

  test('have no changesets; the base counts as released', async () => {
    workspace = await Workspace.create();
    const report = await compare(pair('operation-removed'));
    expect(report).toMatchObject({ requiredBump: 'major', declaredBump: undefined });
    const rules = report.violations.map(({ rule }) => rule);
    expect(rules).toContain('operation-removed-without-deprecation');
    expect(rules.filter((rule) => rule.startsWith('changeset'))).toEqual([]);
  });

  test('are neither linted nor generated from, as the rules and the SDK are not for them', async () => {
    workspace = await Workspace.create();
    const base = workspace.read(FILE).replace('    NewBook:\n', '    1toy: {}\n    NewBook:\n');
    workspace.write('base.yaml', base);
    workspace.write('head.yaml', base.replace('operationId: createBook', 'operationId: addBook'));
    const request = { base: join(workspace.root, 'base.yaml'), head: join(workspace.root, 'head.yaml') };
    const report = await compare(request);
    expect(report).toMatchObject({ requiredBump: 'major', violations: [], surface: '' });
  });

  test('are reported in the documented JSON', async () => {
    workspace = await Workspace.create();
    const request = pair('shared-schema-enum-value-added');
    const lines = readFileSync(request.head, 'utf8').split('\n');
    const report = JSON.parse(toJson(await compare(request)));
    expect(Object.keys(report)).toEqual(['requiredBump', 'declaredBump', 'changes', 'violations']);
    expect(report.changes).toEqual([
      {
        impact: 'major',
        rule: 'response-enum-value-added',
        operations: ['listOrders (response)', 'createOrder (request)'],
        pointer: '#/components/schemas/Order/enum',
        line: lines.findIndex((line) => line.trim() === 'enum:') + 1,
        message: '`Order` gained `b`: an exhaustive switch no longer covers all values.',
      },
    ]);
  });
});

describe('completion', () => {
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
    expect(report.changes.map(({ place }) => report.where(place))).toEqual([`${file}:${line}`]);
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
    const { changes } = await compare({ base: 'old.yaml', head: FILE }, workspace.root);
    expect(changes.map(({ rule }) => rule)).toContain('response-status-removed');
  });
});

describe('several contracts', () => {
  const toys = CONTRACT.replace('title: Bookstore', 'title: Toys');
  const server = JSON.stringify({ name: 'toys', version: '1.0.0', contract: { file: 'api/toys.yaml', server: 'src' } });

  test('have a report and a marker each, and one can be chosen', async () => {
    workspace = await Workspace.create({ 'api/toys.yaml': toys, 'apps/toys/package.json': server });
    workspace.replace('summary: List all books', 'summary: List the toys', 'api/toys.yaml');
    const { stdout } = workspace.review('--base', 'main');
    expect(stdout.match(/^(<!--|## ).*$/gm)).toEqual([
      '<!-- contract-review: toys -->',
      '## Contract review of toys: requires patch ✗',
      '<!-- contract-review: bookstore -->',
      '## Contract review of bookstore: requires no release ✓',
    ]);
    for (const contract of ['bookstore', FILE])
      expect(workspace.review('--base', 'main', '--contract', contract)).toMatchObject({ status: 0 });
  });

  test('need no base of one that is new, or of a private SDK that nobody else has', async () => {
    const sdk = server.replace('"server"', '"client"').replace('{', '{"private":true,');
    workspace = await Workspace.create({
      'openapi/tools.yaml': toys,
      'packages/tools/package.json': sdk.replace('api/toys', 'openapi/tools'),
    });
    workspace.write('api/toys.yaml', toys);
    workspace.write('apps/toys/package.json', server);
    const { status, stdout } = workspace.review('--base', 'main');
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
      const { status, stdout } = workspace.review('--base', 'main', ...args);
      expect({ status, stdout }).toEqual({
        status: 0,
        stdout: 'The contract openapi/bookstore.yaml is new, so it breaks nobody.\n',
      });
    }
  });

  test('of another repository are neither completed nor linted', async () => {
    workspace = await Workspace.create({ 'api/toys.yaml': toys });
    workspace.git('rm', '--quiet', '-r', 'packages/contract');
    workspace.commit('No platform');
    workspace.git('branch', '--force', 'main');
    workspace.replace('operationId: createBook', 'operationId: Create', 'api/toys.yaml');
    const { status, stdout } = workspace.review('--base', 'main', '--contract', 'api/toys.yaml');
    expect(stdout).toContain('## Contract review of toys: requires major ✓');
    expect(status).toBe(0);
  });
});

describe('a deprecated operation', () => {
  test('may be removed after its sunset', async () => {
    await removeGetBook();
    const report = await reportOf(new Date('2031-01-01T00:00:00Z'));
    expect(report).toMatchObject({ requiredBump: 'major', violations: [] });
  });

  test('may not be removed before', async () => {
    await removeGetBook();
    const report = await reportOf(new Date('2030-12-04T23:59:59Z'));
    expect(toMarkdown(report)).toContain(
      '**To do:** restore `getBook` until its sunset, 2030-12-05; or give the reason in the override',
    );
    expect(report.override).toContain('rule: operation-removed-before-sunset\n  operation: getBook\n');
    expect(report.violations).toMatchObject([
      { rule: 'operation-removed-before-sunset', message: expect.stringContaining('before its sunset, 2030-12-05') },
    ]);
  });

  test('is judged by the released contract, not by later merges', async () => {
    const marks = /\n {6}deprecated: true(\n {6} *x-.*)+(\n {8}.*)*?(?=\n {6}responses)/;
    const text = CONTRACT.replace(marks, '');
    expect(text).not.toContain('deprecated: true');
    await removeGetBook(await released(text));
    const { violations } = await reportOf(new Date('2031-01-01T00:00:00Z'));
    expect(violations).toMatchObject([{ rule: 'operation-removed-without-deprecation' }]);
  });

  test('may be removed earlier with an override, which is shown', async () => {
    await removeGetBook();
    const entry =
      '- rule: operation-removed-before-sunset\n  operation: getBook\n  reason: Nobody calls it, by the logs of a year.\n  expires: 2027-01-31\n';
    workspace.write('openapi/.overrides/bookstore.yaml', entry);
    const report = await reportOf();
    expect(report.violations).toEqual([]);
    expect(toMarkdown(report)).toContain(
      '- `operation-removed-before-sunset` for `getBook` lifted, until 2027-01-31: Nobody calls it',
    );

    const later = await reportOf(new Date('2027-02-01T00:00:00Z'));
    expect(later.violations).toMatchObject([{ rule: 'operation-removed-before-sunset' }]);
    expect(toMarkdown(later)).toContain('**expired**');
  });
});
