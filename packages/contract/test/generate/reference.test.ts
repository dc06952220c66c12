import { normalize } from '@petstore-platform/openapi';
import { expect, test } from 'vitest';
import { fitIn } from '../../src/fits.ts';
import { describe } from '../../src/generate/describe.ts';
import { referenceDocument } from '../../src/generate/reference.ts';
import { bundleFile } from '../../src/read.ts';
import type { Json } from '../json.ts';
import { BOOKSTORE, PLATFORM, TARGET } from '../workspace.ts';

const show = (document: Json) => {
  const { operations } = describe(normalize(document).document as Json, TARGET.sdk?.variable);
  return JSON.parse(referenceDocument(document, operations, '/v1', TARGET.sdk));
};

const document: Json = await bundleFile(BOOKSTORE, PLATFORM);

// The page of the bookstore, which is committed, shows plans, headers, deprecations and samples.
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

test('a stability marker is a badge', () => {
  const contract = structuredClone(document);
  contract.paths['/books'].get['x-stability'] = 'beta';
  expect(show(contract).paths['/books'].get).toMatchObject({ 'x-badges': [{ name: 'beta' }] });
});

const samplesOf = ({ 'x-codeSamples': samples }: Json) =>
  Object.fromEntries(samples.map(({ label, source }: Json) => [label, source]));

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
  const readOnly = { title: 'x', storeId: 3, since: '2026-01-01', state: 'new', note: 'x', parts: [], id: 'x' };
  for (const media of [{}, { example: { title: 7 } }, { example: readOnly }])
    expect(sampleOf({ schema, ...media })).toContain(`createBook(${made})`);
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

test('data that look like schemas with one id are none', () => {
  const data = { $id: 'text', type: 'string' };
  const notes = { 'x-topics': data, example: data };
  const Named = { ...notes, type: 'object', properties: { a: { type: 'string', 'x-topics': data } } };
  const fits = fitIn({ components: { schemas: { Named } } } as Json);
  expect([{ a: 'x' }, { a: 1 }].map((each) => fits({ $ref: '#/components/schemas/Named' }, each))).toEqual([
    true,
    false,
  ]);
});
