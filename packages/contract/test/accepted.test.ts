/** Parts of valid contracts that the server serves in its own way: each is a warning, and refuses nothing. */
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { Folder } from '../../contract-review/test/folder.ts';
import { check } from '../src/check.ts';
import { operationsOf } from '../src/contract.ts';
import { isError } from '../src/lint/report.ts';
import { readContract } from '../src/read.ts';
import { lint } from '../src/redocly.ts';
import type { Json } from './json.ts';
import { PLATFORM, ROOT } from './workspace.ts';

const CONTRACT = `openapi: 3.1.0
info: { title: Rows, version: 1.0.0 }
servers: [{ url: https://rows.example }]
paths:
  /openapi.yaml:
    get:
      operationId: getFile
      security: [{ mtls: [] }]
      servers: [{ url: 'https://' }]
      responses: { '200': { description: It., content: { text/plain: { schema: { type: string } } } } }
  /both:
    get:
      operationId: getBoth
      security: [{ mtls: [], token: ['read all'] }]
      responses: { '200': { description: It., content: { application/json: { schema: { type: object }, example: {
  "a": 1
} } } } }
  /odd:
    get:
      operationId: getOdd
      security: [{ key: [] }]
      x-error: true
      x-codeSamples: [{ lang: PHP, source: { $ref: odd.php } }]
      parameters:
        - { name: X-Key, in: header, required: true, schema: { type: string } }
        - { name: nested, in: query, schema: { type: array, items: { type: array } } }
        - { name: least, in: query, schema: { type: number, minimum: 0, exclusiveMinimum: true } }
      responses:
        '200': { description: It., content: { application/json: { schema: { type: object }, example: { serial: 9101305761976670746388865003982847684 } } } }
        '304': { description: As before., content: { application/json: { schema: {} } } }
        '404': { description: None., content: { application/json: { schema: { type: object, properties: { message: { type: string } } } } } }
  /odd?more=true: { get: { responses: { '204': { description: Done. } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: x-key }
    mtls: { type: mutualTLS }
    token: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://rows.example/t', scopes: { 'read all': All } } } }
`;

const file = new Folder().write('rows.yaml', CONTRACT);

test('what the server does not read of a valid contract, or reads in another way, is a warning', async () => {
  const problems = await check(file, ROOT);
  expect(problems.filter(isError)).toEqual([]);
  const rules = problems.map(({ rule, line }) => [rule, line]);
  for (const expected of [
    ['platform/certificate', 8],
    ['platform/certificate', 14],
    ['platform/scopes', 14],
    ['rule/server-url', 9],
    ['reading/yaml', 16],
    ['reading/yaml', 17],
    ['platform/extensions', 22],
    ['struct', 23],
    ['reading/parameters', 25],
    ['reading/parameters', 26],
    ['reading/dialect', 27],
    ['reading/paths', 32],
  ])
    expect(rules).toContainEqual(expected);
});

test('a schema that does not compile is an error with its place, also beside defaults', async () => {
  const broken = CONTRACT.replace(
    '/odd?more',
    `/fine: { get: { operationId: getFine, parameters: [{ name: n, in: query, schema: { type: integer, default: 3 } }] } }
  /odd?more`,
  ).concat(
    `  schemas: { Node: { properties: { next: { $ref: '#/components/schemas/Node' }, name: { type: string, minLength: "3" } } } }\n`,
  );
  const problems = await check(new Folder().write('rows.yaml', broken), ROOT);
  expect(problems).toContainEqual(expect.objectContaining({ rule: 'struct', line: 39 }));
});

test('a certificate alone opens nothing: the caller has an API key, too', () => {
  const { document } = readContract(file, PLATFORM);
  expect(operationsOf(document as never, () => '').map(({ security }) => security)).toEqual([
    [[{ kind: 'key', in: 'bearer' }]],
    [[{ kind: 'token', in: 'bearer', scopes: ['read all'] }]],
    [[{ kind: 'key', in: 'header', name: 'x-key' }]],
  ]);
});

/** A contract in the manner of RealWorld, which examples/realworld serves. */
const CONDUIT = `
openapi: 3.1.0
info: { title: Conduit, version: 1.0.0 }
servers: [{ url: https://api.conduit.example/api }]
security: [{ Token: [] }]
paths:
  /users: { post: { operationId: createUser, security: [], responses: { '201': { description: The user. }, '422': { description: No. } } } }
  /user: { get: { operationId: getUser, responses: { '200': { description: The user. }, '422': { description: No. } } } }
components:
  securitySchemes:
    Token: { type: apiKey, in: header, name: Authorization, description: 'A JWT, as in: Token xxxxxx.yyyyyyy.zzzzzz' }
`;

const say = (isToken: boolean) => (root: Json) =>
  Object.assign(root.components.securitySchemes.Token, { 'x-token': isToken });

/** How a contract with this change is read. */
const reading = (edit: (root: Json) => void = () => {}) => {
  const root = parse(CONDUIT);
  edit(root);
  const file = new Folder().write('conduit.yaml', stringify(root));
  const { document, notes } = readContract(file, PLATFORM);
  return { file, document: document as Json, notes, operations: operationsOf(document as never, () => '') };
};

test('`x-invalid` says it for all operations, and 400 beside 422 stays', () => {
  const statuses = (edit: (root: Json) => void) => reading(edit).operations.map(({ invalid }) => invalid);
  const without = ({ paths }: Json) => delete paths['/user'].get.responses['422'];
  expect(statuses(without)).toEqual([422, undefined]);
  expect(statuses((root) => without(Object.assign(root, { 'x-invalid': 422 })))).toEqual([422, 422]);
  const both = ({ paths }: Json) =>
    Object.assign(paths['/user'].get.responses, { '400': { description: 'Malformed.' } });
  expect(statuses(both)).toEqual([422, undefined]);
});

test('an app with users has limits for pages that take several requests, with a warning, unless it writes its own', () => {
  const read = (edit?: (root: Json) => void) => {
    const { document, notes } = reading(edit);
    const told = notes.filter(({ rule, level }) => rule === 'reading/plans' && level === 'warning').length;
    return [document['x-rate-limit-plans'].free.perMinute, told];
  };
  expect(read()).toEqual([600, 1]);
  expect(read(say(false))).toEqual([60, 0]);
  const own = { 'x-rate-limit-plans': { free: { perMinute: 7, perDay: 70 } } };
  expect(read((root) => Object.assign(root, own))).toEqual([7, 0]);
});

test('a token that only a description speaks of is told, and `x-token` decides', async () => {
  const notes = async (edit?: (root: Json) => void) => {
    const { file, operations } = reading(edit);
    const findings = await lint(readContract(file, PLATFORM));
    return [operations.at(-1)?.security?.[0]?.[0]?.kind, findings.filter(({ rule }) => /token/.test(rule)).length];
  };
  expect(await notes()).toEqual(['token', 1]);
  expect(await notes(say(true))).toEqual(['token', 0]);
  expect(await notes(say(false))).toEqual(['key', 0]);
});
