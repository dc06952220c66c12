// Jest runs in CommonJS mode, set as the README says.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readme } from '../readme.ts';
import { folder, run, tarballs } from '../tarball.ts';

const versions = {
  jest: '30.5.2',
  '@swc/core': '1.16.22',
  '@swc/jest': '0.2.39',
  'jest-environment-jsdom': '30.5.2',
  'jest-fixed-jsdom': '0.0.11',
};
const app = path.join(folder, 'jest');
beforeAll(async () => {
  await mkdir(app);
  await writeFile(path.join(app, 'package.json'), '{}');
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  await run(app, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs, ...packages]);
  await writeFile(
    path.join(app, 'pets.test.js'),
    `const { createClient, isPetstoreError } = require('@petstore/client');
const { NewPet } = require('@petstore/client/schemas');
const { createTestClient, errorResponse } = require('@petstore/client/testing');
test('a call', async () => {
  const petstore = createTestClient({ listPets: () => [], getPet: () => errorResponse(404, 'not_found', 'none') });
  expect(await petstore.listPets()).toEqual([]);
  const error = await petstore.getPet({ petId: 1 }).catch((error) => error);
  expect(isPetstoreError(error, 'getPet', 404)).toBe(true);
  expect(NewPet['~standard'].validate({}).issues).toHaveLength(2);
  expect(createClient({ apiKey: 'YOUR_API_KEY' })).toHaveProperty('listPets');
});
`,
  );
});

const line = readme.split('\n\n').find((paragraph) => paragraph.startsWith('Jest ')) ?? '';
const [, NODE_OPTIONS = ''] = /`NODE_OPTIONS=(.*?)`/.exec(line) ?? [];
const [, jsdom = ''] = /`(testEnvironment: .*?)`/.exec(readme) ?? [];
const [, patterns = ''] = /`(transformIgnorePatterns: .*?)`/.exec(line) ?? [];

test.each([
  ['Node.js loads ES modules', '', { NODE_OPTIONS }],
  ['jsdom', jsdom, { NODE_OPTIONS }],
  ['a transformer', `transform: { '\\\\.js$': '@swc/jest' }, ${patterns}`, { NODE_OPTIONS: '' }],
])('Jest runs a test that requires the SDK: %s', async (_, config, env) => {
  expect([NODE_OPTIONS, patterns, jsdom]).not.toContain('');
  await writeFile(path.join(app, 'jest.config.cjs'), `module.exports = { ${config} };`);
  const jest = path.join(app, 'node_modules/jest/bin/jest.js');
  const { stderr } = await run(app, process.execPath, [jest], { env: { ...process.env, ...env } });
  expect(String(stderr)).toContain('1 passed');
});
