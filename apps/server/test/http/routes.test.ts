import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { document } from '../../src/generated/document.ts';
import { operations } from '../support/contract.ts';
import { temporaryServer } from '../support/server.ts';

/** A copy of the contract to change. */
const copy = () => structuredClone<object>(document) as { paths: Record<string, Record<string, unknown>> };

describe('the contract changed at run time', () => {
  test('the server does not start with an operation without handler, and names it', async () => {
    const changed = copy();
    changed.paths['/nowhere'] = { get: { operationId: 'getNothing', responses: { '204': { description: 'Gone.' } } } };
    const starting = temporaryServer({ document: changed as typeof document });
    await expect(starting.then(() => 'started')).rejects.toThrow(/getNothing/);
  });

  test('an operation missing from the contract is not served', async () => {
    const changed = copy();
    for (const path of Object.keys(changed.paths)) if (path.startsWith('/pets/{petId}')) delete changed.paths[path];
    const server = await temporaryServer({ document: changed as typeof document });
    expect(await server.petstore.listPets()).toEqual([]);
    expect((await server.request('/v1/pets/1')).status).toBe(404);
  });

  test('a method missing from the contract is 405', async () => {
    const changed = copy();
    const { post } = document.paths['/pets'];
    changed.paths['/pets'] = { post };
    const server = await temporaryServer({ document: changed as typeof document });
    const response = await server.request('/v1/pets');
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
  });
});

describe('the contract changed at compile time', () => {
  const root = path.resolve(import.meta.dirname, '../../../..');

  /** The compiler errors of modules beside the server's source. */
  async function compile(files: Record<string, string>): Promise<string> {
    const parent = path.join(root, 'apps/server/test-results');
    await mkdir(parent, { recursive: true });
    const folder = await mkdtemp(path.join(parent, 'types-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const config = {
      extends: '../../../../tsconfig.base.json',
      compilerOptions: { noEmit: true, customConditions: ['source'] },
      include: ['*.ts'],
    };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, `${name}.ts`), text);
    const require = createRequire(path.join(root, 'package.json'));
    const compiler = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    const run = promisify(execFile)(process.execPath, [compiler, '--pretty', 'false', '-p', folder]);
    return (await run.catch((failure: { stdout: string }) => failure)).stdout;
  }

  test('incomplete handlers, the wrong handle, what is beside the contract, and an unmapped field do not compile', async () => {
    const imports = `
      import { sql } from 'kysely';
      import type { Resources as ResourcesOf } from '@repo/server-runtime';
      import { change, list, rowJson } from '../../src/api.ts';
      import type { Types } from '../../src/generated/contract.ts';
      import { statement } from '@repo/server-runtime/internal/database/statement';
      import type { Handlers } from '../../src/generated/operations.ts';
      import { petJson } from '../../src/pets/pet.ts';
      type Resources = ResourcesOf<Types>;
      declare const all: Handlers<null>;
      export const remove = statement<object, object>('remove', () => sql\`delete from pets\`);
      const item = petJson, row = () => ({ id: 1 }), steps = sql\`select\`;`;
    const ids = operations().map(({ id }) => id);
    const incomplete = ids.map((id) => [
      id,
      `const { ${id}, ...rest } = all; export const handlers: Handlers<null> = rest;`,
    ]);
    const wrong = {
      ...Object.fromEntries(incomplete),
      code: `const one: Handlers<null>['createPet'] = async () => ({ status: 200, body: { id: 1, name: '', categoryId: 1 } });`,
      body: `const one: Handlers<null>['getPet'] = async () => ({ status: 200, body: { id: '1', name: '', categoryId: 1 } });`,
      field: `const one: Handlers<null>['listPets'] = async () => ({ status: 200, body: [{ id: 1, name: '' }] });`,
      request: `const one: Handlers<null>['listPets'] = async ({ query }) => ({ status: 200, body: [], x: query.offset });`,
      writes: `export const getPet: Resources['getPet'] = (db) => db.write(remove);`,
      connects: `export const getPet: Resources['getPet'] = (db) => remove(db, {});`,
      repeats: `export const createPet: Resources['createPet'] = () => async () => ({ status: 201, body: { id: 1, name: '', categoryId: 1 } });`,
      swapped: `export const getPet: Resources['getPet'] = list('listPets', { from: 'pets', order: 'id', item });`,
      safe: `change('getPet', { new: { id: 'bigint' }, row, change: steps, status: 200, body: item });`,
      status: `change('createPet', { new: { id: 'bigint' }, row, change: steps, status: 200, body: item });`,
      bodiless: `change('createPet', { new: { id: 'bigint' }, row, change: steps, status: 201 });`,
      column: `change('createPet', { new: { id: 'bigint', name: 'text' }, row, change: steps, status: 201, body: item });`,
      unmapped: `rowJson('Pet', { id: 'id', name: 'name', status: 'status' });`,
      unknown: `rowJson('Pet', { id: 'id', name: 'name', categoryId: 'category_id', status: 'status', nick: 'nick' });`,
      unpaged: `list('getPet', { from: 'pets', order: 'id', item });`,
    };
    const right = `
      export const handlers: Handlers<null> = { ...all };
      export const createPet: Resources['createPet'] = change('createPet', { new: { id: 'bigint' }, row, change: steps, status: 201, body: item });
      export const getPet: Resources['listPets'] = list('listPets', { from: 'pets', order: 'id', item });`;
    const files = Object.entries({ ...wrong, right }).map(([name, body]) => [name, `${imports}${body}\nexport {};`]);
    const output = await compile(Object.fromEntries(files));
    const failed = [...output.matchAll(/types-\w+\/(\w+)\.ts\(.* error /g)].map(([, name]) => name);
    expect([...new Set(failed)].sort()).toEqual(Object.keys(wrong).sort());
    for (const id of ids) expect(output).toMatch(new RegExp(`/${id}\\.ts\\(.*Property '${id}' is missing`));
  });
});
