import { read } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { expect, test } from 'vitest';
import { diffContracts } from '../src/compare.ts';
import { unclassified } from '../src/unclassified.ts';
import { Version } from '../src/version.ts';
import { CASES, CorpusFiles, PLAIN } from './corpus.ts';

const corpus = new CorpusFiles();

/** Each version is read once. */
const versions = new Map<string, Version>();

function versionOf(name: string, side: 'base' | 'head'): Version {
  const file = corpus.fileOf(name, side);
  const version = versions.get(file) ?? new Version(file);
  versions.set(file, version);
  return version;
}

const compare = (name: string, from: 'base' | 'head', to: 'base' | 'head') =>
  diffContracts(versionOf(name, from), versionOf(name, to));

const messages = (changes: readonly { message: string }[]) => changes.map(({ message }) => message);

const sorted = (changes: readonly object[]) => changes.map((change) => JSON.stringify(change)).sort();

/** Changes beside which a difference is noted: it follows from them, but has another place. */
const NOTED =
  /all-of-added|-alternative-added-|alternative-with-a-view|operation-deprecated|-schema-became-read-only|header-content-became|security-(now|scheme-(by|flow|key|header-c|token|type))|condition-in-a-component/;

test.each(CASES)('$topic: $name', ({ name, expected }) => {
  const changes = compare(name, 'base', 'head');
  const notes = unclassified(versionOf(name, 'base'), versionOf(name, 'head'), changes);
  if (changes.length > 0) expect(notes.length > 0).toBe(NOTED.test(name));
  const actual = changes.map(({ impact, rule, operations }) => {
    return {
      impact,
      rule,
      operations: operations.map((one) => (one.message ? `${one.name} (${one.message})` : one.name)),
    };
  });
  expect(sorted(actual)).toEqual(sorted(expected));
});

test('the notation of 3.0 written in that of 3.1 is not even a note', () => {
  const [base, head] = (['base', 'head'] as const).map(
    (side) => new Version(corpus.fileOf('openapi-3.0-rewritten-as-3.1', side)),
  ) as [Version, Version];
  expect(unclassified(base, head, [])).toEqual([]);
});

const inline = (name: string, document: object) => new Version(corpus.write(`${name}.json`, { ...PLAIN, ...document }));

test('a definition within a schema, and a field that has any type now, are called by their names', () => {
  const [base, head] = [5, 6].map((maxLength) => {
    const $defs = { Member: { type: 'object', properties: { a: { type: 'string', maxLength } } } };
    const [m, own] = [{ $ref: '#/components/schemas/Thing/$defs/Member' }, { $ref: '#/components/schemas/Thing' }];
    const Thing = { type: 'object', properties: { m, own: maxLength === 5 ? own : {} }, $defs };
    return inline(`defined-${maxLength}`, { paths: {}, components: { schemas: { Thing } } });
  }) as [Version, Version];
  expect(messages(diffContracts(base, head))).toEqual([
    '`Thing.own` is any type; it was object.',
    '`Thing.$defs.Member.a`: at most 6 characters; it was at most 5 characters.',
  ]);
});

test('a default of another type is told from the one it was', () => {
  const [base, head] = ['true', true].map((value, side) => {
    const schema = { default: value, type: ['string', 'boolean'] };
    const get = { operationId: 'a', parameters: [{ name: 'q', in: 'query', schema }], responses: { 204: {} } };
    return inline(`default-${side}`, { paths: { '/a': { get } } });
  }) as [Version, Version];
  expect(messages(diffContracts(base, head))).toEqual([
    'The default of query parameter `q` is `true`; it was `"true"`.',
  ]);
});

test('no two cases have the same name', () => {
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});

test.each(CASES)('$name: a contract compared with itself has no changes', ({ name }) => {
  const again = new Version(corpus.fileOf(name, 'head'));
  expect(messages(diffContracts(versionOf(name, 'head'), again))).toEqual([]);
});

/** The reading leaves these out, or writes them in another way, which is a change if an author does it. */
const REWRITTEN = /discriminator|x-read-only|\$anchor|\(\?i\)/;
const READ = CASES.filter(({ files }) => !REWRITTEN.test(files.get('head.yaml') ?? ''));

test.each(READ)('$name: its normalized document has no changes', ({ name }) => {
  const head = versionOf(name, 'head');
  const normalized = corpus.write(
    `${name}/normalized.json`,
    `${stringify(read(corpus.fileOf(name, 'head')).document)}`,
  );
  expect(messages(diffContracts(head, new Version(normalized)))).toEqual([]);
});

// An added component is not reversible: its removal breaks those who import it.
const REVERSIBLE = CASES.filter(
  ({ name, expected }) => expected.length === 0 && !name.includes('component-schema') && !name.includes('to-component'),
);

test.each(REVERSIBLE)('$name: the reverse has no changes either', ({ name }) => {
  expect(messages(compare(name, 'head', 'base'))).toEqual([]);
});
