// `npm run new -- <name> [--contract FILE]` creates a service and its SDK from a contract. package.json runs it with a Node.js that
// runs TypeScript. It needs no package installed.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { argumentsOf } from '../packages/create-service/src/arguments.ts';
import { misnamed } from '../packages/create-service/src/names.ts';
import { alone } from './alone.mjs';
import { main, run } from './progress.mjs';
import { manifests, packageManager, root } from './services.mjs';

const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const { name: repository, license } = read('package.json');
const [scope] = repository.split('/');
const USAGE = `Usage: npm run new -- <name> [--contract FILE]

  <name>           of the service: lower-case letters, digits and hyphens, as in book-store
  --contract FILE  its OpenAPI document. Default: a starter with one resource, to be edited
`;

await main(async () => {
  const { name, contract } = argumentsOf(USAGE, ['contract']);
  // npm runs scripts in the root, so the path is resolved from the folder in which npm was called.
  const file = contract && path.resolve(process.env.INIT_CWD ?? '', contract);
  refuse(name, file);
  await create(name, file);
});

/** @throws Error for a name or a file that cannot be used */
function refuse(name, file) {
  const nothing = 'Nothing was changed.';
  const reason = misnamed(name);
  if (reason) throw new Error(`The name ${name} ${reason}. ${nothing}`);
  const made = [`openapi/${name}`, `openapi/${name}.yaml`, `apps/${name}`, `packages/${name}-client`];
  const taken = made.find((each) => existsSync(path.join(root, each)));
  if (taken) throw new Error(`There is ${taken} already: choose another name than ${name}. ${nothing}`);
  const names = [repository, ...manifests().map((each) => each.name)];
  const used = names.find((each) => each === `${scope}/${name}` || each === `${scope}/${name}-client`);
  if (used) throw new Error(`There is a package ${used} already: choose another name than ${name}. ${nothing}`);
  if (file && !existsSync(file)) throw new Error(`There is no file ${file}. ${nothing}`);
}

function install(title, ...args) {
  const command = ['--yes', packageManager, 'install', '--prefer-offline', '--reporter=append-only', ...args];
  const advice = `Check the connection to the npm registry. Then: npx ${packageManager} install`;
  return alone(() => run(title, 'npx', command, { advice }));
}

async function create(name, file) {
  if (!existsSync(path.join(root, 'packages/create-service/node_modules')))
    await install('Installing', '--frozen-lockfile');
  // The import has to wait until this Node.js runs TypeScript and the packages are installed.
  const { writeService } = await import('../packages/create-service/src/files.ts');
  const [service, client] = [`apps/${name}`, `packages/${name}-client`];
  const files = await writeService(name, file, {
    templates: 'workspace',
    root,
    service,
    client,
    package: `${scope}/${name}`,
    sdkPackage: `${scope}/${name}-client`,
    values: { license, 'client-runtime': read('packages/client-runtime/package.json').version },
  });
  cpSync(path.join(root, 'LICENSE'), path.join(root, client, 'LICENSE'));
  // Biome formats the files, because names change the length of lines and the order of imports.
  spawnSync('node_modules/.bin/biome', ['check', '--write', service, client], { cwd: root });
  const written = files.filter((each) => !/\/generated\/|-client\/src\//.test(each));
  const shown = [...written, `${client}/LICENSE`, `${service}/src/generated/`, `${client}/src/`].sort();
  console.log(`\n  Created:\n\n${shown.map((each) => `    ${each}`).join('\n')}\n`);
  await install('Linking its packages', '--no-frozen-lockfile');
  console.log(`\n  Serve it:             npm start -- ${name}\n  Write its operations: docs/own-service.md\n`);
}
