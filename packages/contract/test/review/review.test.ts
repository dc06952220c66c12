import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { STABILITIES } from '../../src/contract.ts';
import { diffContracts, readVersion } from '../../src/review/diff.ts';
import { toAnnotations, toJson } from '../../src/review/formats.ts';
import { toMarkdown } from '../../src/review/markdown.ts';
import { review } from '../../src/review/review.ts';
import { Source } from '../../src/review/source.ts';
import { CorpusFiles } from './corpus.ts';
import { ROOT, Workspace } from './workspace.ts';

const TODAY = new Date('2026-11-21T12:00:00Z');

let workspace: Workspace;

afterEach(() => workspace.remove());

const reportOf = (now = TODAY) => review({ base: 'main', cwd: workspace.root, now });

const CONTRACT = readFileSync(new URL('petstore.yaml', import.meta.url), 'utf8');

/** Reports by their names in openapi/README.md. */
const examples = new Map<string, string>();

/** Of a repository after the first release. */
const RELEASED = { 'openapi/.released.yaml': CONTRACT };

const rulesOf = ({ violations }: { violations: { rule: string }[] }) => violations.map(({ rule }) => rule);

/** A repository on whose `main` one operation has the level. */
async function createWithStability(level: string) {
  workspace = await Workspace.create();
  workspace.replace('operationId: listPets\n', `operationId: listPets\n      x-stability: ${level}\n`);
  workspace.git('switch', '--quiet', 'main');
  workspace.commit('Stability');
  workspace.git('switch', '--quiet', '--create', 'review');
}

/** Renames an operation, lowers a limit and adds a value. */
function breakClients() {
  workspace.replace('operationId: createPet', 'operationId: addPet');
  workspace.replace('maximum: 100, default: 20', 'maximum: 50, default: 20');
  workspace.replace('enum: [available, pending, sold]', 'enum: [available, pending, sold, returned]');
  workspace.replace('summary: List all animals', 'summary: List the animals');
}

/** In a repository with some files, removes an operation and what only it uses, with a changeset. */
async function removeGetPet(files?: Record<string, string>) {
  workspace = await Workspace.create(files);
  const components = ['responses NotFound', 'headers Deprecation', 'headers Sunset'];
  workspace.edit((contract) => {
    contract.deleteIn(['paths', '/pets/{petId}']);
    for (const component of components) contract.deleteIn(['components', ...component.split(' ')]);
  });
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
    const cursor = "        - $ref: '#/components/parameters/Cursor'\n";
    const name =
      '        - name: name\n          in: query\n          description: Return only animals of this name.\n          schema: { type: string, minLength: 1 }\n';
    workspace.replace(cursor, name + cursor);
    workspace.replace('description: A page of animals.', 'description: The animals, or a page of them.');
    await workspace.declare('minor');
    const report = await reportOf();
    expect(report).toMatchObject({ requiredBump: 'minor', declaredBump: 'minor', violations: [] });
    examples.set('compatible-change', toMarkdown(report));
  });

  test('that breaks clients is refused within the version, until overrides lift each violation', async () => {
    workspace = await Workspace.create(RELEASED);
    workspace.replace('operationId: createPet', 'operationId: addPet');
    workspace.replace('maximum: 100, default: 20', 'maximum: 50, default: 20');
    workspace.write(
      'openapi/petstore.yaml',
      workspace.read('openapi/petstore.yaml').replaceAll('categoryId', 'category_id'),
    );
    await workspace.declare('minor');
    workspace.commit('Change');

    const report = await reportOf();
    expect(rulesOf(report)).toEqual([...Array(3).fill('breaking-within-version'), 'changeset-too-small']);
    examples.set('breaking-change', toMarkdown(report));
    workspace.changeset('major');
    const refused = workspace.review('--base', 'main');
    expect(refused.stdout).toContain('## Contract review: requires major, changeset says major ✗ (3 to fix)');
    expect(refused.status).toBe(1);

    const [entry = '', ...others] = report.override.replaceAll(/# Why.*/g, 'Nobody calls it.').split(/^(?=- )/m);
    workspace.write('openapi/.overrides.yaml', entry);
    expect(rulesOf(await reportOf())).toHaveLength(others.length);
    workspace.write('openapi/.overrides.yaml', [entry, ...others].join(''));
    const accepted = workspace.review('--base', 'main', '--format', 'json');
    expect(JSON.parse(accepted.stdout)).toMatchObject({ requiredBump: 'major', declaredBump: 'major', violations: [] });
    expect(accepted.status).toBe(0);
  });

  test("that breaks the SDK's names needs a major changeset and no more", async () => {
    workspace = await Workspace.create(RELEASED);
    workspace.replace('operationId: createPet', 'operationId: addPet');
    workspace.write(
      'openapi/petstore.yaml',
      workspace.read('openapi/petstore.yaml').replaceAll(/\bNewPet\b/g, 'PetToAdd'),
    );
    await workspace.declare('minor');
    expect(rulesOf(await reportOf())).toEqual(['changeset-too-small']);
    workspace.changeset('major');
    expect(rulesOf(await reportOf())).toEqual([]);
  });

  test('that breaks what is not released yet is no violation', async () => {
    const merged = CONTRACT.replace('maximum: 100, default: 20', 'maximum: 90, default: 20');
    const name = '        - { name: name, in: query, description: Its name., schema: { type: string } }\n';
    const [before, after] = merged.split("        - $ref: '#/components/parameters/Cursor'\n");
    const contract = `${before}${name}        - $ref: '#/components/parameters/Cursor'\n${after}`;
    workspace = await Workspace.create({ ...RELEASED, 'openapi/petstore.yaml': contract });
    // The lower limit is in the base; the parameter is in no release.
    workspace.replace(name, '');
    await workspace.declare('major');
    expect(await reportOf()).toMatchObject({ requiredBump: 'major', violations: [] });
    workspace.replace('maximum: 90', 'maximum: 80');
    const [violation, ...others] = (await reportOf()).violations.filter(({ rule }) => rule !== 'generated-stale');
    expect(violation?.message).toBe('Query parameter `limit`: at most 80; it was at most 100.');
    expect(others).toEqual([]);
  });

  test('that breaks an operation which only the released contract calls stable is a violation', async () => {
    const lowered = CONTRACT.replace(
      'operationId: listPets\n',
      'operationId: listPets\n      x-stability: experimental\n',
    );
    workspace = await Workspace.create({ ...RELEASED, 'openapi/petstore.yaml': lowered });
    workspace.replace('maximum: 100, default: 20', 'maximum: 50, default: 20');
    const report = await reportOf();
    expect(report.requiredBump).toBe('minor');
    expect(rulesOf(report)).toContain('breaking-within-version');
  });

  test('that removes one operation of an older breaking change does not repeat the violation', async () => {
    const contract = CONTRACT.replaceAll('categoryId', 'category_id');
    await removeGetPet({ ...RELEASED, 'openapi/petstore.yaml': contract });
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
    workspace.replace('perMinute: 60', 'perMinute: 30');
    expect(toMarkdown(await reportOf())).toContain('**Breaks all clients**: 4 breaking changes');
  });

  test('is annotated at its line', async () => {
    workspace = await Workspace.create();
    breakClients();
    const { changes } = JSON.parse(workspace.review('--base', 'main', '--format', 'json').stdout);
    const lines = workspace.read('openapi/petstore.yaml').split('\n');
    const lineOf = (rule: string) => lines[changes.find((change: { rule: string }) => change.rule === rule).line - 1];
    expect(lineOf('operation-id-changed')).toContain('operationId: addPet');
    expect(lineOf('request-max-decreased')).toContain('maximum: 50');
    expect(lineOf('response-enum-value-added')).toContain('returned]');
    expect(lineOf('summary-changed')).toContain('List the animals');
    const annotations = toAnnotations(await reportOf());
    expect(annotations).toMatch(
      /^::warning file=openapi\/petstore\.yaml,line=\d+,title=operation-id-changed::major%?: /m,
    );
    expect(annotations).toMatch(/^::error title=changeset-missing::/m);
  });

  test('that removes something is annotated at its former location, with its line in the base', async () => {
    workspace = await Workspace.create();
    workspace.replace("        - $ref: '#/components/parameters/Cursor'\n", '');
    const report = await reportOf();
    const removal = report.changes.find(({ rule }) => rule === 'request-parameter-removed');
    const line = workspace.git('show', 'main:openapi/petstore.yaml').split('\n').indexOf('    Cursor:') + 1;
    expect(removal && report.where(removal.place)).toBe(`openapi/petstore.yaml:${line} (base)`);
    expect(toAnnotations(report)).toMatch(/file=openapi\/petstore\.yaml,line=\d+,title=request-parameter-removed/);
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
    expect(report.changeset).toMatch(/^---\n"@petstore\/client": major\n---\n\n- /);
  });

  test('with a larger changeset than required is a note', async () => {
    workspace = await Workspace.create();
    workspace.changeset('major');
    const report = await reportOf();
    expect(report.violations).toEqual([]);
    expect(report.notes).toEqual(['The changesets say major; this change of the contract alone requires no release.']);
  });

  test('of an experimental operation is minor, and the note on stability says what the READMEs say', async () => {
    await createWithStability('experimental');
    workspace.replace("        - $ref: '#/components/parameters/Cursor'\n", '');
    const { requiredBump, notes } = await reportOf();
    expect(requiredBump).toBe('minor');
    expect(notes).toEqual(Object.entries(STABILITIES).map(([level, may]) => `\`${level}\` operations ${may}.`));
    for (const file of ['openapi/README.md', 'packages/client/README.md'])
      for (const note of notes)
        expect(readFileSync(join(ROOT, file), 'utf8').replaceAll(/\s+/g, ' ')).toContain(note.replace(/\.$/, ''));
  });

  test('with only an older changeset counts as without one', async () => {
    workspace = await Workspace.create({ '.changeset/old.md': '---\n"@petstore/client": major\n---\n\nOld.\n' });
    breakClients();
    await workspace.generate();
    expect(await reportOf()).toMatchObject({ declaredBump: 'none', violations: [{ rule: 'changeset-missing' }] });
  });

  test('is responsible for the lint problems that base does not have, wherever they are', async () => {
    // A problem of base: the summary.
    const summary = '      tags: [animals]\n      summary: Add an animal\n';
    workspace = await Workspace.create({
      'openapi/petstore.yaml': CONTRACT.replace(summary, '      tags: [animals]\n'),
    });
    workspace.replace('required: [name, categoryId]', 'required: [name, category_id]');
    workspace.replace('        categoryId:\n', '        category_id:\n');
    await workspace.declare('major');
    const { status, stdout } = workspace.review('--base', 'main');
    const problems = [...stdout.matchAll(/^- openapi\/petstore\.yaml:(\d+) .*\(`(.*)`\)$/gm)].map(([, line, rule]) => {
      return `${rule} ${workspace.read('openapi/petstore.yaml').split('\n')[Number(line) - 1]?.trim()}`;
    });
    expect(problems).toEqual([
      // An example elsewhere no longer matches for two reasons, and `Pet` has the other spelling.
      'no-invalid-media-type-examples example: { name: Biscuit, categoryId: 7, status: available }',
      'no-invalid-media-type-examples example: { name: Biscuit, categoryId: 7, status: available }',
      'platform/property-names category_id:',
    ]);
    expect(stdout).toContain('> Problems of the lint that the base has, too: 1.');
    expect(status).toBe(1);
  });

  test('is not responsible for a lint problem that it moves', async () => {
    const cursor = "        - $ref: '#/components/parameters/Cursor'\n";
    const parameter = (name: string) =>
      `        - { name: ${name}, in: query, description: A number., schema: { type: string }, example: 3 }\n`;
    workspace = await Workspace.create({
      'openapi/petstore.yaml': CONTRACT.replace(cursor, parameter('second') + cursor),
    });
    workspace.replace(parameter('second'), parameter('first').replace('3', "'3'") + parameter('second'));
    expect(rulesOf(await reportOf())).toEqual(['generated-stale', 'changeset-missing']);
    // An equal problem more is its own.
    workspace.replace(parameter('second'), parameter('second') + parameter('third'));
    const { violations, notes } = await reportOf();
    const [problem] = violations.filter(({ rule }) => rule === 'no-invalid-parameter-examples');
    const line = workspace.read('openapi/petstore.yaml').split(parameter('third'))[0]?.split('\n').length;
    expect(problem?.message).toMatch(new RegExp(`^openapi/petstore\\.yaml:${line} `));
    expect(violations).toHaveLength(3);
    expect(notes).toContain('Problems of the lint that the base has, too: 1.');
  });

  test('of a beta operation says so in its row', async () => {
    await createWithStability('beta');
    workspace.replace('maximum: 100, default: 20', 'maximum: 50, default: 20');
    workspace.replace('tags: [animals]\n      summary: List', 'tags: [pets]\n      summary: List');
    const text = toMarkdown(await reportOf());
    expect(text).toContain('**Breaks clients of `listPets` (beta, GET /pets)**: 1 breaking change; also 1 patch.');
    expect(text).toContain('| **major** | `listPets` (beta, request) | Query parameter `limit`: at most 50;');
    expect(text).toContain('| patch | `listPets` (beta) | The tags of `listPets` were changed. |');
  });

  test('of a server names it', async () => {
    workspace = await Workspace.create();
    workspace.replace('description: Production', 'description: For customers');
    const { changes } = await reportOf();
    const messages = changes.map(({ message }) => message);
    expect(messages).toEqual(['The description of the server `https://api.petstore.example/v1` was changed.']);
  });

  test('that the generators cannot read is reported in full', async () => {
    workspace = await Workspace.create();
    breakClients();
    workspace.replace('    NewPet:\n', '    x-toy: { type: object }\n    NewPet:\n');
    workspace.changeset('major');
    const { violations, changes, surface } = await reportOf();
    const message = 'Generation failed: the schema x-toy needs a name that is a TypeScript identifier';
    expect(violations).toContainEqual(expect.objectContaining({ rule: 'generation-failed', message }));
    expect(changes.length).toBeGreaterThan(3);
    expect(surface).toBe('');
  });
});

test('a key without a value is a lint problem, and the report is complete', async () => {
  const forgotten = {
    'requestBody:': ['paths', '/pets', 'post', 'requestBody'],
    'put:': ['paths', '/pets', 'put'],
    '- null': ['paths', '/pets', 'post', 'parameters', 0],
    'Link:': ['paths', '/pets', 'get', 'responses', '200', 'headers', 'Link'],
    "'404':": ['paths', '/pets/{petId}', 'get', 'responses', '404'],
  };
  workspace = await Workspace.create();
  workspace.edit((contract) => {
    for (const path of Object.values(forgotten)) contract.setIn(path, null);
  });
  workspace.changeset('major');
  const { status, stdout, stderr } = workspace.review('--base', 'main', '--format', 'json');
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  const { changes, violations } = JSON.parse(stdout);
  const lines = workspace.read('openapi/petstore.yaml').split('\n');
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
    workspace.replace('enum: [available, pending, sold]', 'enum: [available, pending, sold');
    const line = workspace.read('openapi/petstore.yaml').split('pending, sold')[0]?.split('\n').length;
    const { status, stderr, stdout } = workspace.review('--base', 'main');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    const [, reported] = /^contract review: openapi\/petstore\.yaml:(\d+):\d+ /.exec(stderr) ?? [];
    expect(Number(reported) - Number(line)).toBeOneOf([0, 1, 2]);
  });

  test.each([
    ['Swagger', ['--base', 'openapi/petstore.yaml', '--head', 'old.yaml'], 'old.yaml:1:1 is not an OpenAPI 3 document'],
    [
      'an empty file',
      ['--base', 'openapi/petstore.yaml', '--head', 'no.yaml'],
      'no.yaml:1:1 is not an OpenAPI 3 document',
    ],
    ['an unknown ref', ['--base', 'nowhere'], 'nowhere'],
    ['a base without a contract', ['--base', 'HEAD'], 'there is no openapi/petstore.yaml at'],
    ['no base', [], '--base'],
    ['an unknown format', ['--base', 'main', '--format', 'html'], '--format html'],
  ])('on %s', async (_, args, message) => {
    workspace = await Workspace.create({ 'old.yaml': "swagger: '2.0'\npaths: {}\n", 'no.yaml': '' });
    workspace.git('rm', '--quiet', 'openapi/petstore.yaml');
    workspace.commit('None');
    workspace.git('checkout', '--quiet', 'main', '--', 'openapi/petstore.yaml');
    const { status, stdout, stderr } = workspace.review(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^contract review: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });

  test.each([
    ['#pet', '$ref by `$anchor` is not followed; write a JSON pointer: #pet'],
    ['https://example.com/pet.yaml', '$ref to another host is not followed'],
    ['./missing.yaml', '$ref: ./missing.yaml is no regular file below the folder of the contract'],
    ['#/components/schemas/Missing', '$ref leads nowhere'],
  ])('on a reference that it does not follow: %s', async (reference, message) => {
    workspace = await Workspace.create();
    const base = workspace.read('openapi/petstore.yaml');
    workspace.write('base.yaml', base);
    workspace.write('head.yaml', base.replace("'#/components/schemas/NewPet'", `'${reference}'`));
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
    const report = await review({ ...pair('operation-removed'), cwd: ROOT, now: TODAY });
    expect(report).toMatchObject({ requiredBump: 'major', declaredBump: undefined });
    const rules = report.violations.map(({ rule }) => rule);
    expect(rules).toContain('operation-removed-without-deprecation');
    expect(rules.filter((rule) => rule.startsWith('changeset'))).toEqual([]);
  });

  test('are neither linted nor generated from, as the rules and the SDK are not for them', async () => {
    workspace = await Workspace.create();
    const base = workspace.read('openapi/petstore.yaml').replace('    NewPet:\n', '    x-toy: {}\n    NewPet:\n');
    workspace.write('base.yaml', base);
    workspace.write('head.yaml', base.replace('operationId: createPet', 'operationId: addPet'));
    const request = { base: join(workspace.root, 'base.yaml'), head: join(workspace.root, 'head.yaml') };
    const report = await review({ ...request, cwd: workspace.root, now: TODAY });
    expect(report).toMatchObject({ requiredBump: 'major', violations: [], surface: '' });
  });

  test('are reported in the documented JSON', async () => {
    workspace = await Workspace.create();
    const request = { ...pair('shared-schema-enum-value-added'), cwd: ROOT, now: TODAY };
    const lines = readFileSync(request.head, 'utf8').split('\n');
    const report = JSON.parse(toJson(await review(request)));
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
  const platform = readFileSync(join(ROOT, file), 'utf8');
  const contract = CONTRACT.replace(/^ {8}(default|'503'): .*\n/gm, '').replace(
    /^ {4}(ServiceUnavailable|OtherFailure):\n( {6}.*\n)+/gm,
    '',
  );

  test('of each side by its own platform shows a change of the platform', async () => {
    workspace = await Workspace.create({ 'openapi/petstore.yaml': contract, [file]: platform });
    expect((await reportOf()).changes).toEqual([]);
    workspace.replace('Any other error, such as', 'Any other failure, such as', file);
    const report = await reportOf();
    const line = platform.split('\n').findIndex((text) => text.includes('Any other error')) + 1;
    expect(report.changes).toMatchObject([{ rule: 'description-changed', impact: 'patch' }]);
    expect(report.changes.map(({ place }) => report.where(place))).toEqual([`${file}:${line}`]);
    expect(rulesOf(report)).toContain('generated-stale');
  });

  test('is none of a base without a platform', async () => {
    workspace = await Workspace.create({ 'openapi/petstore.yaml': contract });
    workspace.write(file, platform);
    const rules = new Set((await reportOf()).changes.map(({ rule }) => rule));
    expect(rules).toContain('response-status-added');
  });

  test('is none of two files, which may be of any API', async () => {
    workspace = await Workspace.create({ 'openapi/petstore.yaml': contract, [file]: platform, 'old.yaml': CONTRACT });
    const report = await review({ base: 'old.yaml', head: 'openapi/petstore.yaml', cwd: workspace.root, now: TODAY });
    expect(report.changes.map(({ rule }) => rule)).toContain('response-status-removed');
  });
});

describe('a deprecated operation', () => {
  test('may be removed after its sunset', async () => {
    await removeGetPet();
    const report = await reportOf(new Date('2031-01-01T00:00:00Z'));
    expect(report).toMatchObject({ requiredBump: 'major', violations: [] });
    examples.set('removal-after-sunset', toMarkdown(report));
  });

  test('may not be removed before', async () => {
    await removeGetPet();
    const report = await reportOf(new Date('2030-12-04T23:59:59Z'));
    expect(toMarkdown(report)).toContain(
      '**To do:** restore `getPet` until its sunset, 2030-12-05; or give the reason in the override',
    );
    expect(report.override).toContain('rule: operation-removed-before-sunset\n  operation: getPet\n');
    expect(report.violations).toMatchObject([
      { rule: 'operation-removed-before-sunset', message: expect.stringContaining('before its sunset, 2030-12-05') },
    ]);
  });

  test('is judged by the released contract, not by later merges', async () => {
    const marks = /\n {6}deprecated: true(\n {6} *x-.*)+(\n {8}.*)*?(?=\n {6}parameters)/;
    const released = CONTRACT.replace(marks, '');
    expect(released).not.toContain('deprecated: true');
    await removeGetPet({ 'openapi/.released.yaml': released });
    const { violations } = await reportOf(new Date('2031-01-01T00:00:00Z'));
    expect(violations).toMatchObject([{ rule: 'operation-removed-without-deprecation' }]);
  });

  test('may be removed earlier with an override, which is shown', async () => {
    await removeGetPet();
    const entry =
      '- rule: operation-removed-before-sunset\n  operation: getPet\n  reason: Nobody calls it, by the logs of a year.\n  expires: 2027-01-31\n';
    workspace.write('openapi/.overrides.yaml', entry);
    const report = await reportOf();
    expect(report.violations).toEqual([]);
    expect(toMarkdown(report)).toContain(
      '- `operation-removed-before-sunset` for `getPet` lifted, until 2027-01-31: Nobody calls it',
    );

    const later = await reportOf(new Date('2027-02-01T00:00:00Z'));
    expect(later.violations).toMatchObject([{ rule: 'operation-removed-before-sunset' }]);
    expect(toMarkdown(later)).toContain('**expired**');
  });
});

test('the examples of openapi/README.md are these reports', async () => {
  workspace = new Workspace();
  const file = join(ROOT, 'openapi/README.md');
  const page = readFileSync(file, 'utf8');
  const example = /(?<=<!-- report: ([\w-]+) -->\n)[\s\S]*?(?=<!-- end of report -->)/g;
  const names = [...page.matchAll(example)].map(([, name]) => name);
  expect(names, 'tests above write them: run all of this file').toEqual([...examples.keys()]);
  // Quoted, without the marker of the pull request comment.
  const quoted = (report = '') =>
    report
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((line) => `> ${line}`.trimEnd());
  const current = page.replace(example, (_, name) => `${quoted(examples.get(name)).join('\n')}\n`);
  await expect(current).toMatchFileSnapshot(file);
});
