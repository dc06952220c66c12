import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { Folder } from '../../contract-review/test/folder.ts';
import { check } from '../src/check.ts';
import { type Document, operationsOf } from '../src/contract.ts';
import { readContract } from '../src/read.ts';
import { namesIn } from '../src/trial/finding.ts';
import { routeFindings } from '../src/trial/routes.ts';
import { schemaFindings } from '../src/trial/schemas.ts';
import { trial } from '../src/trial/trial.ts';
import { typeFindings } from '../src/trial/types.ts';
import { BOOKSTORE, PLATFORM, ROOT } from './workspace.ts';

/** A document whose only operation has a body, with some schemas. */
const taking = (body: string, schemas: string): Document =>
  parse(`
openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody: { content: { application/json: { schema: ${body} } } }
      responses: { '204': { description: Done. } }
components: { schemas: ${schemas} }
`);

const findingsOf = (body: string, schemas = '{}') => {
  const document = taking(body, schemas);
  return schemaFindings(
    document,
    operationsOf(document, () => ''),
  );
};

test('the bookstore passes, and is not tried again', async () => {
  const reading = readContract(BOOKSTORE, PLATFORM);
  expect(await trial(reading, ROOT)).toEqual([]);
  const files = globSync('node_modules/.cache/contract-trial/*.json', { cwd: ROOT });
  const kept = files.map((file) => [join(ROOT, file), readFileSync(join(ROOT, file), 'utf8')] as const);
  const finding = { level: 'error', rule: 'trial/types', message: 'Known.', keys: [] };
  for (const [file] of kept) writeFileSync(file, JSON.stringify([finding]));
  expect(await trial(reading, ROOT)).toEqual([finding]);
  for (const [file, text] of kept) writeFileSync(file, text);
});

test('a contract with tokens starts without its issuer', async () => {
  expect(await trial(readContract(join(import.meta.dirname, 'generate/security.yaml'), PLATFORM), ROOT)).toEqual([]);
});

test('errors of types are told at the operation or schema from which the code comes', async () => {
  const scratch = new Folder();
  const document = taking('{ $ref: "#/components/schemas/Order" }', '{ Order: { type: object } }');
  const operations = operationsOf(document, () => '');
  symlinkSync(join(ROOT, 'packages/contract/node_modules'), join(scratch.root, 'node_modules'));
  scratch.write('package.json', { type: 'module' });
  const files = new Map([
    ['client/schema.ts', 'export interface Order {\n  id: Missing;\n  name: Missing;\n}\n'],
    ['client/operations.ts', 'export const methods = {\n  createOrder: {\n    path: missing,\n  },\n};\n'],
    ['server/operations.ts', 'export interface Handlers<_Context> {\n  createOrder: unknown;\n}\n'],
  ]);
  for (const [file, text] of files) scratch.write(file, text);
  const findings = await typeFindings(files, operations, namesIn(document, operations), scratch.root, ROOT);
  const told = findings
    .filter(({ message }) => message.includes('SDK'))
    .map(({ keys, message }) => ({ keys, message }));
  expect(told).toEqual([
    {
      keys: ['paths', '/orders', 'post'],
      message: expect.stringMatching(/^The generated SDK does not compile because of `createOrder`: .*'missing'/),
    },
    {
      keys: ['components', 'schemas', 'Order'],
      message: expect.stringMatching(
        /^The generated SDK does not compile because of `Order`: .*'Missing'.* \(and 1 more\)/,
      ),
    },
  ]);
});

describe('routes', () => {
  const tried = (paths: Record<string, string>) => {
    const operations = Object.entries(paths).map(([id, path]) => ({ id, method: 'get', path, parameters: [] }));
    return routeFindings('', operations as never);
  };

  test('of their own pass, also beside words and parameters', () => {
    const paths = { getHome: '/', getMe: '/v1/users/me', getUser: '/v1/users/{id}', getPart: '/v1/{a}/{b}' };
    expect(tried(paths)).toEqual([]);
  });

  test('that are those of another, or of the server, are errors', () => {
    const findings = tried({ getUser: '/v1/users/{id}', getOther: '/v1/users/{name}', live: '/livez' });
    expect(findings.map(({ message }) => message)).toEqual([
      'No request reaches `getOther`: its URLs are those of getUser. Give it a path of its own.',
      expect.stringMatching(/^No request reaches `live`: the server has this path itself/),
    ]);
  });
});

describe('patterns', () => {
  const text = (pattern: string) => `{ type: string, pattern: '${pattern}' }`;
  const body = (schema: string) => `{ type: object, properties: { name: ${schema} } }`;

  test.each([
    ['in proportion to the text', body(text('^[a-z]+(-[a-z]+)*$')), []],
    ['that is exponential elsewhere, but linear in the server', body(text('^(a+)+$')), []],
    ['that is linear in no engine, an error at its place', body(text('^(a+)+b\\1$')), ['name']],
    [
      'that is linear in no engine, also in properties with the names of keywords',
      `{ type: object, properties: { default: ${text('(a)\\1$')}, enum: ${text('(b)\\1$')} } }`,
      ['default', 'enum'],
    ],
  ])('take time %s', async (_, schema, names) => {
    const findings = await findingsOf(schema);
    expect(findings.map(({ level, rule, keys }) => [level, rule, keys.at(-1)])).toEqual(
      names.map((name) => ['error', 'trial/patterns', name]),
    );
  });
});

describe('recursive alternatives', () => {
  const node = (parts: string, more = '') =>
    `{ Node: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }]${more} }, ${parts} }`;
  const part = (others = '') =>
    `{ type: object, properties: { child: { $ref: '#/components/schemas/Node' }${others} } }`;
  const body = "{ $ref: '#/components/schemas/Node' }";

  test('that a value may both fit are warnings at their line', async () => {
    const contract = `${stringify(taking(body, node(`A: ${part()}, B: ${part()}`)))}servers: [{ url: 'https://a.example/v1' }]\n`;
    const file = new Folder().write('shop.yaml', contract);
    const line = contract.split('\n').findIndex((text) => text.includes('oneOf:')) + 1;
    expect(await check(file, ROOT)).toContainEqual(
      expect.objectContaining({ level: 'warning', rule: 'trial/alternatives', line, file: relative('', file) }),
    );
  });

  test.each([
    ['a discriminator', node(`A: ${part()}, B: ${part()}`, ', discriminator: { propertyName: kind }')],
    ['values of a property', node(`A: ${part(', kind: { const: a }')}, B: ${part(', kind: { enum: [b, c] }')}`)],
    ['their types', node(`A: ${part()}, B: { type: array, items: { $ref: '#/components/schemas/Node' } }`)],
    ['their ends', node(`A: ${part()}, B: { type: object, properties: { name: { type: string } } }`)],
  ])('that differ by %s pass', async (_by, schemas) => {
    expect(await findingsOf(body, schemas)).toEqual([]);
  });
});
