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
  test('tells where the YAML cannot be parsed', async () => {
    const file = write('syntax.yaml', 'openapi: 3.1.0\ninfo:\n  title: [\n');
    await expect(run(file)).rejects.toThrow(`${relative('', file)}:4:1 `);
  });

  test('does not take a missing file for one without problems', async () => {
    await expect(run(join(folder, 'missing.yaml'))).rejects.toThrow(/missing\.yaml/);
  });

  test('does not take another kind of document for one without problems', async () => {
    const file = write('other.yaml', 'name: petstore\n');
    await expect(run(file)).rejects.toThrow('Unsupported specification');
  });
});

test('the lint does not pass a document that our rules are not for', async () => {
  const file = write('swagger.yaml', 'swagger: "2.0"\ninfo: { title: a, version: "1" }\npaths: {}\n');
  await expect(lint(file)).rejects.toThrow('Redocly did not apply all of our rules');
});

describe('bundleFile', () => {
  test('pulls in other files and keeps references between components', async () => {
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

  test('refuses a reference that leads nowhere', async () => {
    const file = write(
      'dangling.yaml',
      'openapi: 3.1.0\ninfo: { title: a, version: "1" }\npaths: { $ref: "#/nowhere" }\n',
    );
    await expect(bundleFile(file)).rejects.toThrow(/dangling\.yaml:3:\d+ Can't resolve \$ref$/);
  });
});
