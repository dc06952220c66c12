import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as petstore from '../src/generated/index.ts';

const folder = path.resolve(import.meta.dirname, '../src/generated');

test('the sources have the names of the petstore, and none of the sources that they are generated from', () => {
  expect(Object.keys(petstore).sort()).toEqual(['PetstoreError', 'createClient', 'isPetstoreError']);
  const files = globSync('**/*.ts', { cwd: folder });
  const sources = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  for (const name of ['PetstoreClient', 'PETSTORE_API_KEY', "'x-petstore-client'", 'petstore.listPets({ limit: 20'])
    expect(sources).toContain(name);
  expect(sources.match(/.*(Service(Error|Client)|SERVICE_|x-service|listItems|(?<!\/)\bapi\.).*/g)).toBeNull();
});
