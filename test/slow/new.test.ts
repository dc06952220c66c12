import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { misnamed } from '../../packages/create-service/src/names.ts';
import * as shared from '../../scripts/vitest.base.ts';
import { copyRepository, NO_INSTALL, SERVICE } from '../copy.ts';

const copy = copyRepository();
const { client } = SERVICE;

/** Runs `npm run new` with arguments, and reverts what it has created unless it is to be kept. */
function create(args: string[], keep = false) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'new', '--', ...args], {
    cwd: copy.folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: NO_INSTALL },
  });
  const changed = copy.git('status', '--porcelain', '--untracked-files=all');
  if (!keep) copy.git('clean', '--quiet', '--force', '-d');
  return { status, output: stdout + stderr, changed: changed.split('\n').map((line) => line.slice(3)) };
}

/** Writes a file of the copy that git ignores. */
function write(file: string, text: string): string {
  const place = path.join(copy.folder, '.data', file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
  return `.data/${file}`;
}

const HEAD = `openapi: 3.1.0
info: { title: Trips, version: 1.0.0, license: { name: MIT, identifier: MIT } }
servers: [{ url: https://trips.example/v1, description: Production }]
`;

test.each([
  ['an unknown option', ['new-shop', '--contrct', 'a.yaml'], 'Usage: npm run new -- <name> [--contract FILE]'],
  ['a name in upper case', ['Pet_Store'], 'The name Pet_Store must begin with a lower-case letter'],
  ['the name of a service', [SERVICE.name], `There is openapi/${SERVICE.name}`],
  ['the name of an SDK', [path.basename(client.package)], `There is a package ${client.package} already`],
  ['the name of an app', [path.basename(SERVICE.folder)], 'already: choose another name'],
  ['no file', ['new-shop', '--contract', 'nowhere.yaml'], 'There is no file'],
])('refuses %s, and changes nothing', (_, args, message) => {
  const { status, output, changed } = create(args);
  expect(output).toContain(message);
  expect({ status, changed }).toEqual({ status: 1, changed: [''] });
});

test.each([
  ['class', 'is reserved by JavaScript'],
  ['create-client', 'is a name that the SDK uses itself'],
  ['public', 'is reserved by Postgres'],
  ['1abc', 'must begin with a lower-case letter'],
  ['pet_store', 'may have lower-case letters, digits and single hyphens only'],
  ['a'.repeat(31), 'is longer than 30 characters'],
])('the name %s %s', (name, reason) => {
  expect(misnamed(name)).toContain(reason);
});

test('tells each problem of a contract with its place and what to write, and creates nothing', () => {
  const file = write(
    'bad.yaml',
    `${HEAD}paths:
  /trips:
    get:
      operationId: listTrips
      summary: List trips
      security: [{ other: [] }]
      responses: { '200': { description: Trips., content: { multipart/mixed: {} } } }
`,
  );
  const { status, output, changed } = create(['trips', '--contract', file]);
  expect(output).toMatch(new RegExp(`${file}:9:\\d+ error platform/security  There is no security scheme \`other\``));
  expect(output).toMatch(new RegExp(`${file}:10:\\d+ error platform/operations  .* Not served: .*multipart/mixed`));
  expect(output).toMatch(/\n2 errors\nNothing was changed\./);
  expect({ status, changed }).toEqual({ status: 1, changed: [''] });
});

test('tries the contract first: a request that would stop the server creates nothing', () => {
  const file = write(
    'strict.yaml',
    `${HEAD}paths:
  /trips:
    post:
      operationId: createTrip
      summary: Add a trip
      tags: [trips]
      requestBody:
        content: { application/json: { schema: { type: object, required: [to], properties: { to: { type: string, pattern: '^(a+)\\1$' } } } } }
      responses: { '204': { description: Added. } }
tags: [{ name: trips, description: Trips. }]
`,
  );
  const { status, output, changed } = create(['trips', '--contract', file]);
  expect(output).toMatch(new RegExp(`${file}:11:1 error trial/patterns  The pattern .* may make a request slow`));
  expect({ status, changed }).toEqual({ status: 1, changed: [''] });
});

test('a contract of several files becomes a folder, and its service generates as it stands', () => {
  write(
    'parts/schemas.yaml',
    'Trip:\n  description: A trip.\n  type: object\n  properties: { to: { type: string, description: Where. } }\n',
  );
  const file = write(
    'parts/v1/openapi.yaml',
    `${HEAD}paths:
  /trips/{tripId}:
    get:
      operationId: getTrip
      summary: Get a trip
      tags: [Trips & more]
      parameters: [{ name: tripId, in: path, required: true, description: The trip., schema: { type: string }, example: x }]
      responses: { '200': &trip { description: The trip., content: { application/json: { schema: { $ref: ../schemas.yaml#/Trip } } } } }
    put:
      operationId: replaceTrip
      summary: Replace a trip
      tags: [Trips & more]
      parameters: [{ name: tripId, in: path, required: true, description: The trip., schema: { type: string, pattern: '^t[0-9]$' } }]
      responses: { '200': *trip }
tags: [{ name: Trips & more, description: Trips. }]
`,
  );
  const first = create(['my-trips', '--contract', file], true);
  expect(first.status, first.output).toBe(0);
  expect(first.output).toContain(
    'Lacking an example of a body or parameter, and so a sample and a test: replaceTrip\n',
  );
  for (const each of [
    'openapi/my-trips/v1/openapi.yaml',
    'openapi/my-trips/schemas.yaml',
    'apps/my-trips/src/trips-more/operations.ts',
  ])
    expect(first.changed).toContain(each);
  const sdk = readFileSync(path.join(copy.folder, 'packages/my-trips-client/src/generated/sdk.ts'), 'utf8');
  expect(sdk).toContain('class MyTripsError');
  for (const part of ['apps/my-trips', 'packages/my-trips-client']) {
    const config = readFileSync(path.join(copy.folder, part, 'vitest.config.ts'), 'utf8');
    const [, names = ''] = /^import \{ (.*) \} from '..\/..\/scripts\/vitest.base.ts';$/m.exec(config) ?? [];
    expect(Object.keys(shared)).toEqual(expect.arrayContaining(names.split(', ')));
  }

  // Once more: nothing changes.
  const second = create(['my-trips'], true);
  expect(second).toEqual({ ...second, status: 1, changed: first.changed });
  expect(second.output).toContain('There is openapi/my-trips already: choose another name than my-trips');

  const tool = (...args: string[]) =>
    spawnSync(process.execPath, ['--conditions=source', 'packages/contract/src/main.ts', ...args], {
      cwd: copy.folder,
      encoding: 'utf8',
    });
  expect(tool('generate', '--check')).toMatchObject({ status: 0 });
  expect(tool('lint')).toMatchObject({ status: 0, stdout: '0 errors\n' });
  expect(tool('review', '--base', 'main', '--contract', 'my-trips').stdout).toMatch(/my-trips.* is new/);
  copy.git('clean', '--quiet', '--force', '-d');
  expect(existsSync(path.join(copy.folder, 'apps/my-trips'))).toBe(false);
});
