import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleFile, lint } from '../src/redocly.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-redocly-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe.each([
  ['lint', lint],
  ['bundleFile', bundleFile],
])('%s', (_name, run) => {
  test('reports the location of a YAML syntax error', async () => {
    const file = write('syntax.yaml', 'openapi: 3.1.0\ninfo:\n  title: [\n');
    await expect(run(file)).rejects.toThrow(`${relative('', file)}:4:1 `);
  });

  test('fails on a missing file', async () => {
    await expect(run(join(folder, 'missing.yaml'))).rejects.toThrow(/missing\.yaml/);
  });

  test('fails on another kind of document', async () => {
    const file = write('other.yaml', 'name: petstore\n');
    await expect(run(file)).rejects.toThrow('Unsupported specification');
  });
});

test('the lint fails on a document that our rules do not support', async () => {
  const file = write('swagger.yaml', 'swagger: "2.0"\ninfo: { title: a, version: "1" }\npaths: {}\n');
  await expect(lint(file)).rejects.toThrow('Redocly did not apply all of our rules');
});

describe('bundleFile', () => {
  test('inlines other files and keeps references between components', async () => {
    const fixture = new URL('./lint/fixtures/operation-stability/pass.yaml', import.meta.url);
    const document = await bundleFile(fileURLToPath(fixture));
    expect(document).toMatchObject({
      paths: { '/pets': { get: { responses: { '401': { $ref: '#/components/responses/Unauthorized' } } } } },
      components: {
        schemas: { Error: { type: 'object' } },
        responses: {
          Unauthorized: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        },
      },
    });
  });

  test.each(['http://127.0.0.1:9/pet.yaml', './pet.yaml#pet'])('fails on a reference not followed: %s', async (to) => {
    write('pet.yaml', '{ $anchor: pet, get: {} }\n');
    const file = write(
      'other.yaml',
      `openapi: 3.1.0\ninfo: { title: a, version: "1" }\npaths: { /a: { $ref: "${to}" } }\n`,
    );
    await expect(bundleFile(file)).rejects.toThrow(/^\S*other\.yaml:3:\d+ Can't resolve \$ref: no host or anchor/);
  });

  test('fails on a reference that cannot be resolved', async () => {
    const file = write(
      'dangling.yaml',
      'openapi: 3.1.0\ninfo: { title: a, version: "1" }\npaths: { $ref: "#/nowhere" }\n',
    );
    await expect(bundleFile(file)).rejects.toThrow(/dangling\.yaml:3:\d+ Can't resolve \$ref$/);
  });
});
