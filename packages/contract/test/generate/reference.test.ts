import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Document, operationsOf } from '../../src/contract.ts';
import { referenceDocument } from '../../src/generate/reference.ts';
import { bundleFile } from '../../src/redocly.ts';

const show = (document: Document) => JSON.parse(referenceDocument(document, operationsOf(document), '/v1'));

let document: Document;
let page: Document;
beforeAll(async () => {
  document = await bundleFile(join(import.meta.dirname, '../../../../openapi/petstore.yaml'));
  page = show(document);
});

test('requests are tried on this server', () => {
  expect(page.servers[0]).toEqual({ url: '/v1', description: 'This server' });
  expect(page.servers.slice(1)).toEqual(document.servers);
});

test('the plans are a table', () => {
  expect(page.info.description).toContain('| free | 60 | 1,000 |');
  expect(page.info.description).toContain('| enterprise | as agreed | as agreed |');
});

test('so are the headers that tell how a client stands', () => {
  for (const name of [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'RateLimit-Policy',
    'RateLimit',
  ]) {
    expect(page.info.description).toMatch(new RegExp(`^\\| \`${name}\` \\| [A-Z].+ \\|$`, 'm'));
  }
});

test('a deprecation is said in words', () => {
  const { description } = page.paths['/pets/{petId}'].get;
  expect(description).toContain('since 20 November 2026; removed on 5 December 2030');
  expect(description).toContain('Use `listPets` with `status=available` instead.');
  expect(page.paths['/pets'].get.description).toBe(document.paths['/pets'].get.description);
});

test('a stability marker is a badge', () => {
  const contract = structuredClone(document);
  contract.paths['/pets'].get['x-stability'] = 'beta';
  expect(show(contract).paths['/pets'].get).toMatchObject({ 'x-badges': [{ name: 'beta' }] });
});
