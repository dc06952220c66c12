/** The reading of a contract in the manner of RealWorld, which examples/realworld serves. */
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { Folder } from '../../contract-review/test/folder.ts';
import { operationsOf } from '../src/contract.ts';
import { readContract } from '../src/read.ts';
import { lint } from '../src/redocly.ts';
import type { Json } from './json.ts';
import { PLATFORM } from './workspace.ts';

const TEXT = `
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

/** How a contract with this change is read. */
const reading = (edit: (root: Json) => void = () => {}) => {
  const root = parse(TEXT);
  edit(root);
  const file = new Folder().write('conduit.yaml', stringify(root));
  const { document, notes } = readContract(file, PLATFORM);
  return { file, document: document as Json, notes, operations: operationsOf(document as never, () => '') };
};

test('`x-invalid` says it for all operations, and 400 beside 422 stays', () => {
  const statuses = (edit: (root: Json) => void) => reading(edit).operations.map(({ invalid }) => invalid);
  const without = ({ paths }: Json) => delete paths['/user'].get.responses['422'];
  expect(statuses(without)).toEqual([422, undefined]);
  expect(
    statuses((root) => {
      without(root);
      root['x-invalid'] = 422;
    }),
  ).toEqual([422, 422]);
  const both = ({ paths }: Json) => {
    paths['/user'].get.responses['400'] = { description: 'It is malformed.' };
  };
  expect(statuses(both)).toEqual([422, undefined]);
});

test('an app with users has limits for pages that take several requests, with a warning, unless it writes its own', () => {
  const read = (edit?: (root: Json) => void) => {
    const { document, notes } = reading(edit);
    const told = notes.filter(({ rule, level }) => rule === 'reading/plans' && level === 'warning').length;
    return [document['x-rate-limit-plans'].free.perMinute, told];
  };
  expect(read()).toEqual([600, 1]);
  const keys = ({ components }: Json) => {
    components.securitySchemes.Token['x-token'] = false;
  };
  expect(read(keys)).toEqual([60, 0]);
  const own = (root: Json) => {
    root['x-rate-limit-plans'] = { free: { perMinute: 7, perDay: 70 } };
  };
  expect(read(own)).toEqual([7, 0]);
});

test('a token that only a description speaks of is told, and `x-token` decides', async () => {
  const notes = async (edit?: (root: Json) => void) => {
    const { file, operations } = reading(edit);
    const findings = await lint(file, PLATFORM);
    return [operations.at(-1)?.security?.[0]?.[0]?.kind, findings.filter(({ rule }) => /token/.test(rule)).length];
  };
  const say = (isToken: boolean) => (root: Json) => {
    root.components.securitySchemes.Token['x-token'] = isToken;
  };
  expect(await notes()).toEqual(['token', 1]);
  expect(await notes(say(true))).toEqual(['token', 0]);
  expect(await notes(say(false))).toEqual(['key', 0]);
});
