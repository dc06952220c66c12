import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { DEFAULT_TARGET, operationsOf } from '../../src/contract.ts';
import { referenceDocument } from '../../src/generate/reference.ts';
import { typesOf } from '../../src/generate/schema.ts';
import { bundleFile } from '../../src/redocly.ts';
import type { Json } from '../json.ts';

const show = (document: Json) => {
  const { typeOf } = typesOf(structuredClone(document));
  return JSON.parse(referenceDocument(document, operationsOf(document, typeOf), '/v1', DEFAULT_TARGET.sdk));
};

let document: Json;
let page: Json;
beforeAll(async () => {
  document = await bundleFile(
    join(import.meta.dirname, '../../../../openapi/petstore.yaml'),
    join(import.meta.dirname, '../../platform.yaml'),
  );
  page = show(document);
});

test('requests from the page go to this server', () => {
  expect(page.servers[0]).toEqual({ url: '/v1', description: 'This server' });
  expect(page.servers.slice(1)).toEqual(document.servers);
});

test('requests from the page send no example cursor or idempotency key', () => {
  const contract = structuredClone(document);
  const { parameters } = contract.components;
  contract.paths['/pets'].get.parameters = [...contract.paths['/pets'].get.parameters.slice(0, -1), parameters.Cursor];
  const examples = ({ paths, components }: Json) =>
    [paths['/pets'].get.parameters.at(-1), components.parameters.IdempotencyKey].map(({ example }) => example);
  expect(examples(contract)).toEqual([expect.any(String), expect.any(String)]);
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
  const { description } = page.paths['/pets/{petId}'].get;
  expect(description).toContain('since 20 November 2026; it will be removed on 5 December 2030');
  expect(description).toContain('Use `listPets` with `status=available` instead.');
  expect(page.paths['/pets'].get.description).toBe(document.paths['/pets'].get.description);
});

test('a stability marker is a badge', () => {
  const contract = structuredClone(document);
  contract.paths['/pets'].get['x-stability'] = 'beta';
  expect(show(contract).paths['/pets'].get).toMatchObject({ 'x-badges': [{ name: 'beta' }] });
});

const samplesOf = ({ 'x-codeSamples': samples }: Json) =>
  Object.fromEntries(samples.map(({ label, source }: Json) => [label, source]));

test('samples call an operation with the examples of the contract: SDK first, then curl', () => {
  const { get, post } = page.paths['/pets'];
  expect(Object.keys(samplesOf(post))).toEqual(['@petstore/client', 'curl']);
  expect(samplesOf(post)['@petstore/client']).toContain(
    'petstore.createPet({\n  name: "Biscuit",\n  categoryId: 7,\n  status: "available"\n})',
  );
  expect(samplesOf(post).curl).toContain(`--data '{"name":"Biscuit","categoryId":7,"status":"available"}'`);
  expect(samplesOf(post).curl).toContain('--header "Idempotency-Key: $(uuidgen)"');
  expect(samplesOf(get)['@petstore/client']).toContain('petstore.listPets({\n  limit: 20,\n  status: "available"\n})');
  expect(samplesOf(get).curl).toContain("'https://api.petstore.example/v1/pets?limit=20&status=available'");
});

test('samples of a deprecated operation show its replacement', () => {
  const samples = samplesOf(page.paths['/pets/{petId}'].get);
  expect(samples['@petstore/client']).toMatch(/^\/\/ getPet will be removed on 5 December 2030\.\n\/\/ Use listPets/);
  expect(samples['@petstore/client']).toContain('petstore.listPets({\n  status: "available"\n})');
  expect(samples.curl).toMatch(/^# getPet will .*\n# Use listPets instead\.\ncurl .*\/v1\/pets\?status=available'/);
});

test('a sample escapes path, query, body and shell text, and is omitted without examples', () => {
  const contract = structuredClone(document);
  const { get } = contract.paths['/pets/{petId}'];
  Object.assign(get, { deprecated: false, 'x-stability': 'beta' });
  get.parameters.push({ name: 'tag', in: 'query', example: ['a & b', 'c'], schema: { type: 'array' } });
  contract.components.parameters.PetId.example = "it's/1";
  contract.paths['/pets'].post.requestBody.content['application/json'].example = { name: "Kitty's", 'x-y': [1] };
  const shown = show(contract);
  const { curl, ...sdk } = samplesOf(shown.paths['/pets/{petId}'].get);
  expect(curl).toContain(`'https://api.petstore.example/v1/pets/it'\\''s%2F1?tag=a+%26+b&tag=c'`);
  expect(sdk['@petstore/client']).toContain('const pet = await petstore.beta.getPet({\n  petId: "it\'s/1",\n  tag: [');
  const { post } = shown.paths['/pets'];
  expect(samplesOf(post).curl).toContain(`--data '{"name":"Kitty'\\''s","x-y":[1]}'`);
  expect(samplesOf(post)['@petstore/client']).toContain('name: "Kitty\'s",\n  "x-y": [');

  delete contract.components.parameters.PetId.example;
  delete contract.paths['/pets'].post.requestBody.content['application/json'].example;
  expect(show(contract).paths['/pets/{petId}'].get['x-codeSamples']).toEqual([]);
  expect(show(contract).paths['/pets'].post['x-codeSamples']).toEqual([]);
});

test('a sample takes the first of several examples of a body, and shows no result where there is none', () => {
  const contract = structuredClone(document);
  const { post } = contract.paths['/pets'];
  post.requestBody.content['application/json'] = { schema: {}, examples: { cat: { value: { name: 'Olive' } } } };
  post.responses = { '204': { description: 'Added.' } };
  const sdk = samplesOf(show(contract).paths['/pets'].post)['@petstore/client'];
  expect(sdk).toMatch(/\n\nawait petstore\.createPet\(\{\n {2}name: "Olive"\n\}\);$/);
});
