/** Parts of valid contracts that the server serves in its own way: each is a warning, and refuses nothing. */
import { expect, test } from 'vitest';
import { Folder } from '../../contract-review/test/folder.ts';
import { check } from '../src/check.ts';
import { operationsOf } from '../src/contract.ts';
import { isError } from '../src/lint/report.ts';
import { readContract } from '../src/read.ts';
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

test('a certificate alone opens nothing: the caller has an API key, too', () => {
  const { document } = readContract(file, PLATFORM);
  expect(operationsOf(document as never, () => '').map(({ security }) => security)).toEqual([
    [[{ kind: 'key', in: 'bearer' }]],
    [[{ kind: 'token', in: 'bearer', scopes: ['read all'] }]],
    [[{ kind: 'key', in: 'header', name: 'x-key' }]],
  ]);
});
