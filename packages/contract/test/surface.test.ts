import { expect, test } from 'vitest';
import { generateFiles } from '../src/generate/generate.ts';
import { bundleFile } from '../src/read.ts';
import { surfaceDiff } from '../src/surface.ts';
import type { Json } from './json.ts';
import { BOOKSTORE, PLATFORM, TARGET } from './workspace.ts';

const bookstore: Json = await bundleFile(BOOKSTORE, PLATFORM);

test('the exports of the SDK include the types of environments, shared parameters and inline bodies', () => {
  /** The generated files for a creation whose inline bodies, parameters and environments have these types. */
  const generated = (type: string, environment: string) => {
    const contract = structuredClone(bookstore);
    const { requestBody, responses } = contract.paths['/books'].post;
    for (const [name, { content }] of Object.entries({ sent: requestBody, got: responses['201'] }))
      content['application/json'].schema = { type: 'object', properties: { [name]: { type } } };
    contract.components.parameters.Cursor.schema = { type };
    contract.servers[1]['x-environment'] = environment;
    return generateFiles(contract, TARGET);
  };
  const diff = surfaceDiff(generated('string', 'staging'), generated('number', 'sandbox'), `${TARGET.client}`);
  expect(diff.match(/^([+-]|@@ [EO]).*$/gm)).toEqual([
    '@@ Environment @@',
    "-export type Environment = 'production' | 'staging';",
    "+export type Environment = 'production' | 'sandbox';",
    ...Array(4).fill(['-  cursor?: string | undefined;', '+  cursor?: number | undefined;']).flat(),
    '@@ Operations @@',
    ...['-    sent?: string | undefined;', '+    sent?: number | undefined;'],
    ...['-    got?: string | undefined;', '+    got?: number | undefined;'],
  ]);
});
