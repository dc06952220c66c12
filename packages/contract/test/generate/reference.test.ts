import { normalize } from '@petstore-platform/openapi';
import { beforeAll, expect, test } from 'vitest';
import { describe } from '../../src/generate/describe.ts';
import { referenceDocument } from '../../src/generate/reference.ts';
import { bundleFile } from '../../src/read.ts';
import type { Json } from '../json.ts';
import { BOOKSTORE, PLATFORM, TARGET } from '../workspace.ts';

const show = (document: Json) => {
  const { operations } = describe(normalize(document).document as Json, TARGET.sdk?.variable);
  return JSON.parse(referenceDocument(document, operations, '/v1', TARGET.sdk));
};

let document: Json;
let page: Json;
beforeAll(async () => {
  document = await bundleFile(BOOKSTORE, PLATFORM);
  page = show(document);
});

test('requests from the page go to this server', () => {
  expect(page.servers[0]).toEqual({ url: '/v1', description: 'This server' });
  expect(page.servers.slice(1)).toEqual(document.servers);
});

test('requests from the page send no example cursor or idempotency key', () => {
  const contract = structuredClone(document);
  const { parameters } = contract.components;
  // The platform's have none, but a service's own may.
  for (const name of ['Cursor', 'IdempotencyKey']) parameters[name].example = 'x';
  contract.paths['/books'].get.parameters = [
    ...contract.paths['/books'].get.parameters.slice(0, -1),
    parameters.Cursor,
  ];
  const examples = ({ paths, components }: Json) =>
    [paths['/books'].get.parameters.at(-1), components.parameters.IdempotencyKey].map(({ example }) => example);
  expect(examples(contract)).toEqual(['x', 'x']);
  expect(examples(show(contract))).toEqual([undefined, undefined]);
});

test('the plans are a table', () => {
  expect(page.info.description).toContain('| free | 60 | 1,000 |');
  expect(page.info.description).toContain('| enterprise | as agreed | as agreed |');
});

test('the rate limit headers are a list', () => {
  for (const name of [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'RateLimit-Policy',
    'RateLimit',
  ]) {
    expect(page.info.description).toMatch(new RegExp(`^- \`${name}\`: [A-Z].+$`, 'm'));
  }
});

test('a deprecation is described as text', () => {
  const { description } = page.paths['/books/{bookId}'].get;
  expect(description).toContain('Since 20 November 2026; removed on 5 December 2030');
  expect(description).toContain('Use `listBooks` with `format=hardcover` instead.');
  expect(page.paths['/books'].get.description).toBe(document.paths['/books'].get.description);
});

test('a stability marker is a badge', () => {
  const contract = structuredClone(document);
  contract.paths['/books'].get['x-stability'] = 'beta';
  expect(show(contract).paths['/books'].get).toMatchObject({ 'x-badges': [{ name: 'beta' }] });
});

const samplesOf = ({ 'x-codeSamples': samples }: Json) =>
  Object.fromEntries(samples.map(({ label, source }: Json) => [label, source]));

test('samples call an operation with the examples of the contract: SDK first, then curl', () => {
  const { get, post } = page.paths['/books'];
  expect(Object.keys(samplesOf(post))).toEqual(['@bookstore/client', 'curl']);
  expect(samplesOf(post)['@bookstore/client']).toContain(
    'bookstore.createBook({\n  title: "The Dispossessed",\n  storeId: 7,\n  format: "hardcover"\n})',
  );
  expect(samplesOf(post).curl).toContain(`--data '{"title":"The Dispossessed","storeId":7,"format":"hardcover"}'`);
  expect(samplesOf(post).curl).toContain('--header "Idempotency-Key: $(uuidgen)"');
  expect(samplesOf(get)['@bookstore/client']).toContain(
    'bookstore.listBooks({\n  limit: 20,\n  format: "hardcover"\n})',
  );
  expect(samplesOf(get).curl).toContain("'https://api.bookstore.example/v1/books?limit=20&format=hardcover'");
});

test('samples of a deprecated operation show its replacement', () => {
  const samples = samplesOf(page.paths['/books/{bookId}'].get);
  expect(samples['@bookstore/client']).toMatch(
    /^\/\/ getBook will be removed on 5 December 2030\.\n\/\/ Use listBooks/,
  );
  expect(samples['@bookstore/client']).toContain('bookstore.listBooks({\n  format: "hardcover"\n})');
  expect(samples.curl).toMatch(/^# getBook will .*\n# Use listBooks instead\.\ncurl .*\/v1\/books\?format=hardcover'/);
});

test('a sample escapes path, query, body and shell text, and is omitted without a value that fits', () => {
  const contract = structuredClone(document);
  const { get } = contract.paths['/books/{bookId}'];
  Object.assign(get, { deprecated: false, 'x-stability': 'beta' });
  get.parameters = [{ name: 'tag', in: 'query', example: ['a & b', 'c'], schema: { type: 'array' } }];
  Object.assign(contract.paths['/books/{bookId}'].parameters[0], {
    example: "it's/1",
    schema: { type: 'string', pattern: '^it' },
  });
  contract.paths['/books'].post.requestBody.content['application/json'].example = { name: "Kitty's", 'x-y': [1] };
  contract.paths['/books'].post.requestBody.content['application/json'].schema = { type: 'object', minProperties: 2 };
  const shown = show(contract);
  const { curl, ...sdk } = samplesOf(shown.paths['/books/{bookId}'].get);
  expect(curl).toContain(`'https://api.bookstore.example/v1/books/it'\\''s%2F1?tag=a+%26+b&tag=c'`);
  expect(sdk['@bookstore/client']).toContain(
    'const book = await bookstore.beta.getBook({\n  bookId: "it\'s/1",\n  tag: [',
  );
  const { post } = shown.paths['/books'];
  expect(samplesOf(post).curl).toContain(`--data '{"name":"Kitty'\\''s","x-y":[1]}'`);
  expect(samplesOf(post)['@bookstore/client']).toContain('name: "Kitty\'s",\n  "x-y": [');

  delete contract.paths['/books/{bookId}'].parameters[0].example;
  delete contract.paths['/books'].post.requestBody.content['application/json'].example;
  expect(show(contract).paths['/books/{bookId}'].get['x-codeSamples']).toEqual([]);
  expect(show(contract).paths['/books'].post['x-codeSamples']).toEqual([]);
});

test('a sample takes the first of several examples of a body, and shows no result where there is none', () => {
  const contract = structuredClone(document);
  const { post } = contract.paths['/books'];
  post.requestBody.content['application/json'] = { schema: {}, examples: { cat: { value: { name: 'Olive' } } } };
  post.responses = { '204': { description: 'Added.' } };
  const sdk = samplesOf(show(contract).paths['/books'].post)['@bookstore/client'];
  expect(sdk).toMatch(/\n\nawait bookstore\.createBook\(\{\n {2}name: "Olive"\n\}\);$/);
});

test('without an example that fits, a sample has the examples, defaults and limits of its fields', () => {
  const contract = structuredClone(document);
  const properties = {
    title: { type: 'string', example: 'Ubik' },
    storeId: { type: 'integer', minimum: 3, maximum: 9 },
    since: { type: 'string', format: 'date' },
    state: { type: 'string', enum: ['new', 'used'] },
    note: { type: 'string', default: 'none' },
    other: { type: 'string' },
    id: { type: 'string', readOnly: true, example: 'b1' },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
  };
  const of = { type: 'number', minimum: 0.25, multipleOf: 0.5 };
  contract.components.schemas.Part = { type: 'object', required: ['of'], properties: { of } };
  const { content } = contract.paths['/books'].post.requestBody;
  const sampleOf = (media: Json) => {
    content['application/json'] = media;
    const [{ source } = { source: '' }] = show(contract).paths['/books'].post['x-codeSamples'];
    return source;
  };
  const required = ['title', 'storeId', 'since', 'state', 'note', 'parts'];
  const schema = { allOf: [{ type: 'object', properties, required }] };
  const made = `{
  title: "Ubik",
  storeId: 3,
  since: "2026-01-01",
  state: "new",
  note: "none",
  parts: [
    {
      of: 0.5
    }
  ]
}`;
  expect(sampleOf({ schema })).toContain(`createBook(${made})`);
  expect(sampleOf({ schema, example: { title: 7 } })).toContain(`createBook(${made})`);
  expect(sampleOf({ schema: { type: 'string', pattern: '^x' }, example: 'y' })).toBe('');
});

test.each(['Return', 'Class', 'Console', 'Bookstore', 'Await'])('a sample with a result %s is JavaScript', (name) => {
  const contract = structuredClone(document);
  Object.assign(contract.components.schemas, { [name]: { type: 'object' } });
  const { content } = contract.paths['/books'].post.responses['201'];
  content['application/json'] = { schema: { $ref: `#/components/schemas/${name}` } };
  const sdk = samplesOf(show(contract).paths['/books'].post)['@bookstore/client'];
  expect(sdk).toContain('const result = await bookstore.createBook(');
  expect(sdk).toContain('console.log(result);');
});
