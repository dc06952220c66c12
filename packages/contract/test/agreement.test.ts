/** The review, the server and the SDK agree on what a change of a body does to requests, because all are of one reading. */
import { diffContracts, Version } from '@petstore-platform/contract-review';
import { closed, read } from '@petstore-platform/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { Folder } from '../../contract-review/test/folder.ts';
import { generateFiles } from '../src/generate/generate.ts';
import { bundleFile } from '../src/read.ts';
import { PLATFORM, TARGET } from './workspace.ts';

const folder = new Folder();

const ID = { id: { type: 'string' } };
const READ_ONLY = { id: { type: 'string', readOnly: true } };

/** A contract that creates and returns orders. */
function write(name: string, openapi: string, order: object): string {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } };
  const responses = { '201': { description: 'Created.', content } };
  const paths = {
    '/orders': { post: { operationId: 'createOrder', requestBody: { required: true, content }, responses } },
  };
  const contract = {
    openapi,
    info: { title: 'Shop', version: '1.0.0' },
    paths,
    components: { schemas: { Order: order } },
  };
  return folder.write(name, stringify(contract));
}

const bodyOf = (file: string) => Object(read(file).operations[0]?.body?.content['application/json']?.schema);

/** Whether the server takes a body. */
function takes(file: string, body: object): boolean {
  const { values, schemas } = closed({ body: bodyOf(file) }, read(file).schemas);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.compile({ ...Object(values.body), schemas })(body) as boolean;
}

/** The SDK's type of a body, in one line. */
async function typeOf(file: string): Promise<string | undefined> {
  const files = generateFiles(await bundleFile(file, PLATFORM), TARGET);
  const text = files.get(`${TARGET.client}/schema.ts`)?.replace(/\s+/g, ' ');
  return new RegExp(`\\b${bodyOf(file).$ref.split('/').at(-1)}: \\{([^}]*)\\}`).exec(text ?? '')?.[1]?.trim();
}

test.each<[string, object, object, body: object, isBroken: boolean, type: string, version?: string]>([
  [
    'a readOnly field becomes required',
    { type: 'object', properties: { ...READ_ONLY, name: { type: 'string' } } },
    { type: 'object', required: ['id'], properties: { ...READ_ONLY, name: { type: 'string' } } },
    { name: 'a' },
    false,
    'name?: string | undefined;',
  ],
  [
    'a field becomes readOnly',
    { type: 'object', properties: { ...ID, name: { type: 'string' } } },
    { type: 'object', properties: { ...READ_ONLY, name: { type: 'string' } } },
    { id: 'b', name: 'a' },
    true,
    'name?: string | undefined;',
  ],
  [
    'a required field is no longer readOnly',
    { type: 'object', required: ['id'], properties: READ_ONLY },
    { type: 'object', required: ['id'], properties: ID },
    {},
    true,
    'id: string;',
  ],
  [
    'a nullable of 3.0 is written for 3.1',
    { type: 'object', properties: { id: { type: 'string', nullable: true } } },
    { type: 'object', properties: { id: { type: ['string', 'null'] } } },
    { id: null },
    false,
    'id?: (string | null) | undefined;',
    '3.0.3',
  ],
])('%s', async (_, before, after, body, isBroken, type, version = '3.1.0') => {
  const [base, head] = [write('base.yaml', version, before), write('head.yaml', '3.1.0', after)];
  const changes = diffContracts(new Version(base), new Version(head));
  const isMajor = changes.some(({ impact, rule }) => impact === 'major' && rule.startsWith('request-'));
  expect([isMajor, takes(base, body), takes(head, body)]).toEqual([isBroken, true, !isBroken]);
  expect(await typeOf(head)).toBe(type);
});
