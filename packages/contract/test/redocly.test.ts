import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Version } from '@petstore-platform/contract-review';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Folder } from '../../contract-review/test/folder.ts';
import { bundleFile, readContract } from '../src/read.ts';
import { lint } from '../src/redocly.ts';

const files = new Folder();
const folder = files.root;
const write = (name: string, text: string) => files.write(name, text);

const contract = (reference: string) =>
  `openapi: 3.1.0\ninfo: { title: a, version: "1" }\npaths: { /a: { $ref: "${reference}" } }\n`;

describe('a reference to anything but a regular file below the folder of the contract is refused:', () => {
  let requests = 0;
  const host = createServer((_request, response) => {
    requests++;
    response.end('{ get: {} }');
  });

  beforeAll(async () => {
    host.listen(0, '127.0.0.1');
    await once(host, 'listening');
    mkdirSync(join(folder, 'below/folder'), { recursive: true });
    expect(spawnSync('mkfifo', [join(folder, 'below/fifo.yaml')]).status).toBe(0);
    write('outside.yaml', '{ get: {} }\n');
    write('below/toy.yaml', '{ $anchor: toy, get: {} }\n');
    write('below/other.yaml', contract('toy.yaml'));
    symlinkSync('../outside.yaml', join(folder, 'below/link.yaml'));
    symlinkSync('..', join(folder, 'below/up'));
  });

  afterAll(() => host.close());

  test.each([
    ['a named pipe', 'fifo.yaml'],
    ['a device', '/dev/zero'],
    ['a folder', 'folder'],
    ['an absolute path', '/etc/passwd'],
    ['a path out of the folder', '../outside.yaml'],
    ['a link out of the folder', 'link.yaml'],
    ['a folder that leads out', 'up/outside.yaml'],
    ['a file URL', 'file:///etc/passwd'],
    ['a host', 'http://127.0.0.1:PORT/toy.yaml'],
    ['an anchor that nothing has', 'toy.yaml#other'],
    ['nothing', 'missing.yaml'],
  ])('%s', async (_kind, to) => {
    const reference = to.replace('PORT', String((host.address() as AddressInfo).port));
    const file = write('below/root.yaml', contract(reference));
    const refusal = /\$ref.*(is no regular file below the folder|to another host is not followed|leads nowhere)/;
    expect(() => bundleFile(file)).toThrow('root.yaml:3:1 $ref');
    expect(await lint(readContract(file))).toContainEqual(
      expect.objectContaining({ rule: 'reading/reference', line: 3, message: expect.stringMatching(refusal) }),
    );
    expect(() => new Version(file)).toThrow(/root\.yaml:3 \$ref/);
    expect(requests).toBe(0);
  });

  test.each(['fifo.yaml', '/dev/zero', 'folder'])('so is the contract itself: %s', async (name) => {
    const file = resolve(folder, 'below', name);
    const refusal = `${name.replace(/.*\//, '')} is no regular file`;
    expect(() => bundleFile(file)).toThrow(refusal);
    expect(() => new Version(file)).toThrow(refusal);
  });
});

test.each(['constructor', ''])('%j is no command', (name) => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [main, name], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/^Usage: contract <command>/) });
});

test('a regular file below the folder is read, by a symbolic link, too', async () => {
  write('toy.yaml', '{ get: { operationId: getToy } }\n');
  symlinkSync('toy.yaml', join(folder, 'linked.yaml'));
  const { paths } = await bundleFile(write('root.yaml', contract('linked.yaml')));
  expect(paths?.['/a']).toEqual({ get: { operationId: 'getToy' } });
});
