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
  /form:
    post:
      operationId: sendForm
      parameters: [{ name: theme, in: cookie, schema: { type: string } }]
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { to: { type: object } } } } } }
      responses: { '204': { description: Done. } }
  /both:
    get:
      operationId: getBoth
      security: [{ mtls: [], token: ['read all'] }]
      responses: { '200': { description: It., content: { application/json: { schema: { type: object }, example: {
  "a": 1
} } } } }
components:
  securitySchemes:
    mtls: { type: mutualTLS }
    token: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://rows.example/t', scopes: { 'read all': All } } } }
`;

const file = new Folder().write('rows.yaml', CONTRACT);

test('certificates, odd scopes, servers of operations, the path of a document and lines too far left are warnings', async () => {
  const problems = await check(file, ROOT);
  expect(problems.filter(isError)).toEqual([]);
  const rules = problems.map(({ rule, line }) => [rule, line]);
  for (const expected of [
    ['platform/certificate', 8],
    ['platform/certificate', 20],
    ['platform/scopes', 20],
    ['platform/cookies', 14],
    ['platform/form', 15],
    ['rule/server-url', 9],
    ['reading/yaml', 22],
    ['reading/yaml', 23],
  ])
    expect(rules).toContainEqual(expected);
});

test('a certificate alone opens nothing: the caller has an API key, too', () => {
  const { document } = readContract(file, PLATFORM);
  expect(operationsOf(document as never, () => '').map(({ security }) => security)).toEqual([
    [[{ kind: 'key', in: 'bearer' }]],
    [],
    [[{ kind: 'token', in: 'bearer', scopes: ['read all'] }]],
  ]);
});
