import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT, temporaryFolder } from '../copy.ts';

interface Packument {
  versions: Record<string, { dist: { tarball: string } }>;
  _attachments: Record<string, { data: string }>;
}

/** Starts an empty registry for npm, to which a publication is one PUT with the packed file in it. Returns its URL. */
async function startRegistry(): Promise<string> {
  const packages = new Map<string, Packument>();
  const server = createServer(async (request, response) => {
    const [, name = '', file] = decodeURIComponent(request.url ?? '').split(/^\/(@[^/]+\/[^/]+)\/?/);
    const known = packages.get(name);
    if (request.method === 'PUT') {
      const packument = (await json(request)) as Packument;
      packages.set(name, packument);
      response.writeHead(201).end('{}');
    } else if (!known) response.writeHead(404).end('{}');
    else if (file) response.end(Buffer.from(Object.values(known._attachments)[0]?.data ?? '', 'base64'));
    else {
      for (const { dist } of Object.values(known.versions))
        dist.tarball = `${url}${name}/-/${path.basename(dist.tarball)}`;
      response.end(JSON.stringify(known));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return url;
}

test('the first version is published by hand as CONTRIBUTING.md says, and installs', async () => {
  const folder = temporaryFolder();
  const registry = await startRegistry();
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
  const { packageManager } = JSON.parse(read('package.json'));
  const client = path.join(ROOT, 'packages/client');
  const [, file = ''] = /pack --out "\$PWD\/release\/([^"]+)"/.exec(read('.github/workflows/release-sdk.yml')) ?? [];
  const pack = (place: string, name: string) =>
    execFileSync('npx', ['--yes', packageManager, 'pack', '--out', path.join(folder, name)], { cwd: place });
  pack(client, file);
  // The runtime of the SDK is published before, with the platform.
  pack(path.join(ROOT, 'packages/client-runtime'), 'client-runtime.tgz');
  const { name, version } = JSON.parse(read('packages/client/package.json'));

  const [, command = ''] = /`(npm publish [^`]+)`/.exec(read('CONTRIBUTING.md')) ?? [];
  const registries = ['@petstore', '@petstore-platform'].map((scope) => `${scope}:registry=${registry}\n`).join('');
  const npmrc = `${registries}${registry.replace('http:', '')}:_authToken=any\n`;
  writeFileSync(path.join(folder, '.npmrc'), npmrc);
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  // npm makes no provenance on a maintainer's machine.
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const variable of ['CI', 'GITHUB_ACTIONS']) delete env[variable];
  const npm = async (text: string) => (await promisify(execFile)('sh', ['-c', text], { cwd: folder, env })).stdout;
  await npm('npm publish ./client-runtime.tgz --access public');
  await npm(command);
  await npm(`npm install --no-audit --no-fund ${name}@${version}`);
  const script = `import('${name}').then(({ createClient }) => console.log(typeof createClient))`;
  expect(await npm(`node --eval "${script}"`)).toBe('function\n');
  // The condition of release-sdk.yml, which does not publish a version again.
  expect(await npm(`npm view ${name}@${version} version`)).toBe(`${version}\n`);
});
