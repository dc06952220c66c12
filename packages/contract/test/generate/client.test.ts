import { readFileSync } from 'node:fs';
import { normalize } from '@petstore-platform/openapi';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { codesByStatus } from '../../src/failures.ts';
import { clientOperations } from '../../src/generate/client.ts';
import { clientQueries } from '../../src/generate/client-queries.ts';
import { clientValidators } from '../../src/generate/client-schemas.ts';
import { clientSdk, wordsOf } from '../../src/generate/client-sdk.ts';
import { clientTable } from '../../src/generate/client-table.ts';
import { describe } from '../../src/generate/describe.ts';
import type { Json } from '../json.ts';

const BANNER =
  '// Generated from the fixture of packages/contract/test/generate by its tests (vitest -u). Do not edit.\n\n';
const generated = '../../../client-runtime/test/fixture/generated';

const read = (): Json => parse(readFileSync(new URL('./fixture.yaml', import.meta.url), 'utf8'));
const { document }: Json = normalize(read());
const described = describe(document);
const { operations } = described;
const types = clientOperations(described);
const sdk = { package: 'orders-client', variable: 'orders' };
const words = wordsOf(sdk, operations);

// The tests of the SDK compile and run these files. They show stabilities, deprecations, defaults, named interfaces and lists.
test('the generated SDK of the fixture is up to date', async () => {
  await expect(`${BANNER}${types}`).toMatchFileSnapshot(`${generated}/operations.ts`);
  await expect(`${BANNER}${clientQueries(operations, words)}`).toMatchFileSnapshot(`${generated}/queries.ts`);
  await expect(`${BANNER}${clientTable(document, operations)}`).toMatchFileSnapshot(`${generated}/table.ts`);
  await expect(`${BANNER}${clientSdk(document, operations, sdk, words)}`).toMatchFileSnapshot(`${generated}/sdk.ts`);
});

test('a text with known values is a string in `paths`, because openapi-fetch maps over `string & {}`', () => {
  const components = { schemas: { Colour: { 'x-extensible-enum': ['red'] }, Code: { 'x-extensible-enum': [1] } } };
  const { schema } = describe({ ...document, paths: {}, components });
  expect(schema).toContain('Colour: string;');
  expect(schema).toContain('Code: number;');
  expect(schema).not.toContain('{}');
});

const tableOf = (changed: Json) => clientTable(changed, describe(normalize(changed).document as Json).operations);

test('bodies that are not served are refused at once', () => {
  const changed = read();
  const { patch, delete: gone } = changed.paths['/stores/{storeId}/orders/{orderId}'];
  patch.requestBody.content = { 'multipart/mixed': {} };
  patch.responses['200'].content['multipart/form-data'] = {};
  gone.responses.default = { description: 'No.', content: { 'image/*': {} } };
  expect(() => describe(normalize(changed).document as Json)).toThrow(
    'as one type that is served, and not deleteOrder (image/*), updateOrder (multipart/mixed), updateOrder (multipart/form-data)',
  );
});

test('paging requires both the query parameter and the header', () => {
  const changed = read();
  changed.paths['/orders'].get.parameters = [];
  delete changed.paths['/stores/{storeId}/orders'].get.responses['200'].headers;
  expect(tableOf(changed)).not.toContain('pages');
});

test('a text of the contract begins no tag and ends no comment', () => {
  const changed = read();
  const hostile =
    '@deprecated\n\n```ts\n@internal\n```\nAs {@link x} or @beta */ \u001b[31m\u2028@experimental `a @private`\r@hidden';
  const { get } = changed.paths['/orders'];
  Object.assign(get, { description: hostile, summary: hostile });
  Object.assign(get.parameters[0], { description: hostile, example: ' @public' });
  const inline = { type: 'object', description: hostile, properties: { a: { type: 'string', description: hostile } } };
  const properties = { a: { type: 'string', description: hostile, title: hostile, default: ' @public' }, b: inline };
  changed.components.schemas.Hostile = { type: 'object', description: hostile, properties, example: [hostile] };
  get.responses['200'].content['application/json'].schema = inline;
  const described = describe(normalize(changed).document as Json);
  const whole = [clientOperations(described), described.schema].map((text) => {
    const tags: string[] = [];
    const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node) => {
      const own = ts.getJSDocTags(node).filter((tag) => tag.getText() !== '');
      tags.push(...own.map(({ tagName }) => tagName.text));
      ts.forEachChild(node, visit);
    };
    visit(source);
    for (const hidden of ['\u001b', '\u2028', '{@']) expect(text).not.toContain(hidden);
    return new Set(tags);
  });
  const known = /^(default|example|description|enum|constant|deprecated|beta|experimental)$/;
  for (const tags of whole) expect([...tags].filter((tag) => !known.test(tag))).toEqual([]);
  const count = (text: string) => text.match(/^\s*\* @(deprecated|beta|experimental)/gm)?.length;
  expect(count(clientOperations(described))).toBe(count(types));
});

test('an operation that is deprecated without a date is marked', () => {
  const tagsOf = (document: Json) => {
    const described = describe(normalize(document).document as Json);
    return [...clientOperations(described).matchAll(/^ *\* @deprecated.*$/gm)].length;
  };
  const changed = read();
  changed.paths['/orders'].get.deprecated = true;
  expect(tagsOf(changed)).toBeGreaterThan(tagsOf(read()));
});

test('the validators take what the service takes', async () => {
  const changed = read();
  Object.assign(changed.components.schemas, {
    Sent: {
      type: 'object',
      required: ['id', 'constructor', 'kind'],
      properties: {
        id: { type: 'integer', readOnly: true },
        constructor: { type: 'string' },
        kind: { enum: ['a;const b', 'x require(', 'c'] },
        amount: { type: 'number', multipleOf: 0.01 },
      },
      examples: [{ $id: 'contract', $ref: '#/nowhere' }],
    },
    Größe: {
      allOf: [{ $ref: '#/components/schemas/Sent' }, { type: 'object', properties: { more: { type: 'integer' } } }],
    },
  });
  const schema = { $ref: '#/components/schemas/Größe' };
  changed.paths['/stores/{storeId}/orders'].post.requestBody.content['application/json'] = { schema };
  const document = normalize(changed).document as Json;
  const { operations, names } = describe(document);
  const code = clientValidators(document, operations, names);
  const validators = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const failures = (value: object) =>
    validators.Größe(value) ? [] : validators.Größe.errors.map(({ message }: Json) => message);
  const valid = { constructor: 'x', kind: 'a;const b', amount: 0.07, more: 1 };
  expect(failures(valid)).toEqual([]);
  expect(failures({ kind: 'c' })).toEqual(['is required']);
  expect(failures({ ...valid, kind: 'a;\nconst b' })).toEqual(['must be one of a;const b, x require(, c']);
  expect(failures({ ...valid, unknown: 1 })).toEqual(['is unknown']);
  expect(failures({ ...valid, id: 1 })).not.toEqual([]);
});

test('codes of a status are those of its examples, those that its response names, and those without a status', () => {
  const failure = (status: number, code: string) => ({
    content: { 'application/json': { examples: { one: { value: { code, message: 'm', status } } } } },
  });
  const responses = {
    200: { content: { 'application/json': { example: { code: 'none', status: 200 } } } },
    404: failure(404, 'not_found'),
    409: { ...failure(409, 'conflict'), 'x-error-codes': ['sold'] },
    default: failure(431, 'request_header_fields_too_large'),
  };
  const contract = { paths: { '/a': { get: { responses } } }, 'x-error-codes': ['sold', 'closed'] };
  expect([...codesByStatus(contract as never)].map(([status, codes]) => [status, ...codes])).toEqual([
    ['404', 'not_found', 'closed'],
    ['409', 'conflict', 'sold', 'closed'],
    ['431', 'request_header_fields_too_large', 'closed'],
  ]);
});
