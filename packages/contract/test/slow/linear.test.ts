import { review } from '@petstore-platform/contract-review';
import { expectLinear } from '@petstore-platform/testkit/linear';
import { describe, test } from 'vitest';
import { Folder } from '../../../contract-review/test/folder.ts';
import { generateFiles } from '../../src/generate/generate.ts';
import { bundleFile } from '../../src/read.ts';
import { lint } from '../../src/redocly.ts';
import type { Json } from '../json.ts';
import { TARGET } from '../workspace.ts';

const folder = new Folder();

const contract = (text: string, place: 'description' | 'path' | 'name' | 'url' | 'enum' | 'pattern'): Json => ({
  openapi: '3.1.0',
  info: { title: 'a', version: '1', description: place === 'description' ? text : '' },
  servers: [{ url: `https://a.example/v1${place === 'url' ? text : ''}`, 'x-environment': 'production' }],
  paths: {
    [`/toys${place === 'path' ? text : ''}`]: {
      get: {
        operationId: 'listPets',
        summary: place === 'description' ? text : 'List',
        description: place === 'description' ? text : '',
        parameters: [
          {
            name: place === 'name' ? text : 'status',
            in: 'query',
            description: place === 'description' ? text : '',
            schema: {
              type: 'string',
              ...(place === 'enum' && { enum: [text] }),
              ...(place === 'pattern' && { pattern: text }),
            },
          },
        ],
        responses: {
          200: { description: 'OK', content: { 'application/json': { schema: { type: 'array', items: {} } } } },
        },
      },
    },
  },
});

const REPEATED = [
  '{',
  '{a',
  '}',
  '*/',
  '* ',
  '\n',
  '\n ',
  '`',
  '"',
  "'",
  '\\',
  '/',
  '.',
  ' ',
  '$ref',
  '__proto__',
  '\u2028',
  '0',
];

describe.each(['description', 'path', 'name', 'url', 'enum', 'pattern'] as const)(
  '64 kB as %s take linear time',
  (place) => {
    test.each(REPEATED)('of %j', async (repeated) => {
      const worstCase = (length: number) => contract(repeated.repeat(length / repeated.length), place);
      await expectLinear((document: Json) => generateFiles(document, TARGET), worstCase);
      // The review compares two files.
      const base = folder.write('base.yaml', contract('', place));
      const write = (length: number) => folder.write(`head.${length}.yaml`, worstCase(length));
      await expectLinear((file) => review({ base, head: file, cwd: folder.root, now: new Date(0) }), write);
      await expectLinear(bundleFile, write);
      // Two rules of Redocly are quadratic in unclosed braces. They only meet the contract of the work tree.
      if (!repeated.startsWith('{') || !['path', 'url'].includes(place)) await expectLinear(lint, write);
    });
  },
);
