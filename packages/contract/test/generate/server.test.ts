import { normalize } from '@petstore-platform/openapi';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Document } from '../../src/contract.ts';
import { describe } from '../../src/generate/describe.ts';
import { bundledDocument, servedDocument } from '../../src/generate/server.ts';
import { serverTable } from '../../src/generate/server-table.ts';

test('the fields of a response are those of all parts of its schema, in one dialect, as clients receive them', () => {
  const { document } = normalize(
    parse(`
openapi: 3.0.3
info: { title: Things, version: '1' }
paths:
  /things:
    get: { operationId: listThings, responses: { 200: { description: It., content: { application/json: { schema: { type: array, items: &thing { $ref: '#/components/schemas/Thing' } } } } } } }
    post:
      operationId: createThing
      requestBody: { content: &content { application/json: { schema: *thing } } }
      responses: { 400: { description: No., content: { application/json: { schema: {} } } }, 201: { description: It., content: *content } }
    head: { operationId: headThings, responses: { 200: { description: It., content: *content } } }
    delete: { operationId: deleteThings, responses: { 204: { description: Gone. } } }
components:
  schemas:
    Thing:
      allOf:
        - $ref: '#/components/schemas/Base'
        - type: object
          required: [state, end]
          properties:
            state: { $ref: '#/components/schemas/State' }
            end: { type: string, format: date-time, nullable: true }
            last: { nullable: true, allOf: [{ $ref: '#/components/schemas/State' }] }
            parent: *thing
            any: {}
      oneOf: [{ properties: { size: { type: number } } }, { properties: { width: { type: integer } } }]
    Base: { type: object, required: [id, secret], properties: { id: { type: integer, readOnly: true }, secret: { type: string, writeOnly: true } } }
    State: { type: string, enum: [new, old] }
`),
  );
  const table = serverTable(document as Document, describe(document as Document).operations);
  const operations = JSON.parse(/export const operations = (.*?) satisfies/s.exec(table)?.[1] ?? '');
  const state = { type: 'string', enum: ['new', 'old'] };
  const fields = {
    id: { required: true, type: 'integer' },
    state: { required: true, ...state },
    end: { required: true, type: 'string', format: 'date-time', nullable: true },
    last: { required: false, ...state, nullable: true },
    parent: { required: false, type: 'object' },
    any: { required: false },
    size: { required: false, type: 'number' },
    width: { required: false, type: 'integer' },
  };
  expect(operations.listThings.response).toEqual({ status: 200, fields });
  expect(operations.createThing.response).toEqual({ status: 201, fields });
  expect(operations.headThings.response).toEqual({ status: 200 });
  expect(operations.deleteThings.response).toEqual({ status: 204 });
  expect(operations.createThing.body.required).toBe(false);
});

test('the reference of a contract without servers has this server', () => {
  expect(bundledDocument({ openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: {} }, [])).toContain(
    'This server',
  );
});

test.each([
  ['{scheme}://api.example.com/v1', { scheme: { default: 'https' } }, '/v1'],
  ['{host}/v1', { host: { default: 'localhost:3000' } }, '/v1'],
  ['{host}/v1', { host: { default: 'https://api.example.com/shop' } }, '/shop/v1'],
  ['{host}/v1', {}, '/v1'],
  ['{base}', { base: { default: '/v1' } }, '/v1'],
  ['https://{region}.example.com:{port}/', { region: { default: 'eu' }, port: { default: '8443' } }, ''],
])('a server %s with the variables %j has the base path %j', (url, variables, basePath) => {
  const document = { openapi: '3.1.0', info: { title: 'a', version: '1' }, servers: [{ url, variables }], paths: {} };
  expect(serverTable(document, [])).toContain(`export const basePath = '${basePath}';`);
});

test('texts and cursors of requests, and no others, have the patterns of what the server reads', () => {
  const text = { type: 'string' };
  const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  const cursor = { name: 'cursor', in: 'query', schema: text };
  const responses = { 200: { description: 'It.', ...content(named('Answer')) } };
  const document = {
    openapi: '3.1.0',
    paths: { '/a': { post: { parameters: [cursor], requestBody: content(named('Request')), responses } } },
    components: {
      schemas: {
        Request: { type: ['object', 'null'], properties: { a: named('Part'), b: { ...text, enum: ['b'] } } },
        Part: { type: 'array', items: [text, { ...text, pattern: '^p' }] },
        Answer: { properties: { a: text } },
      },
    },
  };
  const written = structuredClone(document);
  const served = servedDocument(document as never) as unknown as typeof document;
  const { schemas } = served.components;
  const [free, own] = schemas.Part.items as { pattern: string }[];
  expect(own?.pattern).toBe('^p');
  expect([schemas.Answer, schemas.Request]).toEqual([
    written.components.schemas.Answer,
    written.components.schemas.Request,
  ]);
  const patternOf = ({ pattern }: Partial<typeof free> = {}) => new RegExp(`${pattern}`, 'u');
  const ofCursors = patternOf(served.paths['/a'].post.parameters[0]?.schema as never);
  const encode = (one: string) => Buffer.from(one).toString('base64url');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (one) => {
      expect(patternOf(free).test(one)).toBe(!one.includes('\0'));
      expect(ofCursors.test(encode(`${one}.`))).toBe(true);
      expect(ofCursors.test(encode(one))).toBe(one.endsWith('.'));
    }),
  );
  expect(document).toEqual(written);
});
