import { expect, test } from 'vitest';
import { CorpusFiles } from '../../contract-review/test/corpus.ts';
import { generateFiles } from '../src/generate/generate.ts';
import { bundleFile } from '../src/read.ts';
import { surfaceDiff } from '../src/surface.ts';
import type { Json } from './json.ts';
import { BOOKSTORE, PLATFORM, TARGET } from './workspace.ts';

const bookstore: Json = await bundleFile(BOOKSTORE, PLATFORM);
const CLIENT = TARGET.client ?? '';

/** The generated files for a creation with inline body schemas. */
function generated(change: (contract: Json) => void): Map<string, string> {
  const contract = structuredClone(bookstore);
  const { requestBody, responses } = contract.paths['/books'].post;
  const schemaOf = (body: Json) => body.content['application/json'];
  schemaOf(requestBody).schema = { type: 'object', properties: { name: { type: 'string' } } };
  schemaOf(responses['201']).schema = { type: 'object', properties: { id: { type: 'integer' } } };
  change(contract);
  return generateFiles(contract, TARGET);
}

const body = (message: Json) => message.content['application/json'].schema.properties;

test.each<[string, (contract: Json) => void, string[]]>([
  [
    'an environment',
    ({ servers }) => Object.assign(servers[1], { 'x-environment': 'sandbox' }),
    [
      '@@ Environment @@',
      "-export type Environment = 'production' | 'staging';",
      "+export type Environment = 'production' | 'sandbox'",
    ],
  ],
  [
    'a parameter that operations share',
    ({ components }) => Object.assign(components.parameters.Cursor, { schema: { type: 'integer' } }),
    ['@@ ListBooksParameters @@', '-  cursor?: string | undefined;', '+  cursor?: number | undefined;'],
  ],
  [
    'an inline request body',
    ({ paths }) => Object.assign(body(paths['/books'].post.requestBody).name, { type: 'integer' }),
    ['@@ Operations @@', '-    name?: string | undefined;', '+    name?: number | undefined;'],
  ],
  [
    'an inline response body',
    ({ paths }) => Object.assign(body(paths['/books'].post.responses['201']).id, { type: 'string' }),
    ['@@ Operations @@', '-    id?: number | undefined;', '+    id?: string | undefined;'],
  ],
])('the exports of the SDK include the type of %s', (_, change, lines) => {
  const diff = surfaceDiff(
    generated(() => {}),
    generated(change),
    CLIENT,
  );
  for (const line of lines) expect(diff).toContain(line);
});

test('the exports of the SDK include the types of other files', async () => {
  const corpus = new CorpusFiles();
  const [before, after] = await Promise.all(
    (['base', 'head'] as const).map(async (side) => {
      return generateFiles(await bundleFile(corpus.fileOf('split-into-files-and-property-removed', side)), TARGET);
    }),
  );
  expect(surfaceDiff(before ?? new Map(), after ?? new Map(), CLIENT)).toContain('-  b?: string | undefined;');
});
