#!/usr/bin/env node
/** `npm create @petstore-platform/service <name> -- [--contract FILE]` makes a repository for a service and its SDK. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { argumentsOf } from './arguments.ts';
import { misnamed } from './names.ts';

const USAGE = `Usage: npm create @petstore-platform/service <name> -- [--contract FILE] [--scope @acme]

  <name>           of the service and of the new folder: lower-case letters, digits and hyphens, as in book-store
  --contract FILE  its OpenAPI document. Default: a starter with one resource, to be edited
  --scope @acme    the scope of its packages on npm. Default: none
`;

/** The environment variable of a second run. */
const WITH_CONTRACT = 'CREATE_SERVICE_WITH_CONTRACT';

const { version, repository, devDependencies } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
);

/** The packages of others in a new repository, in the versions that the platform is tested with, or later ones that fit. */
const versions = Object.fromEntries(
  Object.entries<string>(devDependencies).map(([name, range]) => [
    name.replace(/^@\w+\//, ''),
    range.replace(/^\d/, '^$&'),
  ]),
);

/**
 * Runs this program again with the package that it needs. npm installs this one without dependencies and `engines`, so that it has nothing
 * to warn of before an old Node.js is refused.
 */
function runWithContract(): void {
  const packages = ['create-service', 'contract'].map((each) => `--package=@petstore-platform/${each}@${version}`);
  const args = ['exec', '--yes', '--loglevel=error', ...packages, '--', 'create-service', ...process.argv.slice(2)];
  const { env, execPath } = process;
  // Windows starts no `npm` without a shell, which would read the arguments.
  const npmCli = env.npm_execpath?.endsWith('npm-cli.js') ? [env.npm_execpath] : [];
  const options = { stdio: 'inherit', env: { ...env, [WITH_CONTRACT]: '1' } } as const;
  const { status, error } = spawnSync(npmCli.length > 0 ? execPath : 'npm', [...npmCli, ...args], options);
  if (error) throw error;
  process.exitCode = status ?? 1;
}

async function main(): Promise<void> {
  if (!process.features.typescript)
    throw new Error(`This is Node.js ${process.versions.node}: 22.18 or later is needed.`);
  const { name, contract, scope } = argumentsOf(USAGE, ['contract', 'scope']);
  if (scope !== undefined && !/^@[a-z0-9][a-z0-9._-]*$/.test(scope)) throw new Error(USAGE);
  const reason = misnamed(name);
  if (reason) throw new Error(`The name ${name} ${reason}. Nothing was changed.`);
  const root = path.resolve(name);
  if (existsSync(root) && readdirSync(root).some((each) => each !== '.git'))
    throw new Error(`The folder ${name} is not empty. Nothing was changed.`);
  const file = contract && path.resolve(contract);
  if (file && !existsSync(file)) throw new Error(`There is no file ${file}. Nothing was changed.`);
  if (!process.env[WITH_CONTRACT]) return runWithContract();
  const scoped = (each: string) => (scope ? `${scope}/${each}` : each);
  const { writeService } = await import('./files.ts');
  const files = await writeService(name, file, {
    templates: 'repository',
    root,
    service: '',
    client: 'client',
    package: scoped(name),
    sdkPackage: scoped(`${name}-client`),
    values: {
      ...versions,
      platform: `^${version}`,
      guides: `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/docs`,
    },
  });
  console.log(`Created ${name}, ${files.length} files.\n\n  cd ${name}\n  npm start\n`);
}

await main().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
