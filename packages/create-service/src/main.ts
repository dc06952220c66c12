#!/usr/bin/env node
/** `npm create @petstore-platform/service <name> -- [--contract FILE]` makes a repository for a service and its SDK. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { misnamed } from './names.ts';

const USAGE = `Usage: npm create @petstore-platform/service <name> -- [--contract FILE] [--scope @acme]

  <name>           of the service and of the new folder: lower-case letters, digits and hyphens, as in book-store
  --contract FILE  its OpenAPI document. Default: a starter with one resource, to be edited
  --scope @acme    the scope of its packages on npm. Default: none
`;

const { version, engines, repository, dependencies, devDependencies } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
);

/** The packages of others in a new repository, in the versions that the platform is tested with, or later ones that fit. */
const versions = Object.fromEntries(
  Object.entries<string>({ ...dependencies, ...devDependencies }).map(([name, range]) => [
    name.replace(/^@\w+\//, ''),
    range.replace(/^\d/, '^$&'),
  ]),
);

function given(): { name: string; contract: string | undefined; scope: string | undefined } {
  try {
    const options = { contract: { type: 'string' }, scope: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [name, ...others] = positionals;
    const isScope = values.scope === undefined || /^@[a-z0-9][a-z0-9._-]*$/.test(values.scope);
    if (name && others.length === 0 && isScope) return { name, contract: values.contract, scope: values.scope };
  } catch {}
  throw new Error(USAGE);
}

async function main(): Promise<void> {
  if (!process.features.typescript)
    throw new Error(`This is Node.js ${process.versions.node}: ${engines.node} is needed.`);
  const { name, contract, scope } = given();
  const reason = misnamed(name);
  if (reason) throw new Error(`The name ${name} ${reason}. Nothing was changed.`);
  const root = path.resolve(name);
  if (existsSync(root) && readdirSync(root).some((each) => each !== '.git'))
    throw new Error(`The folder ${name} is not empty. Nothing was changed.`);
  const file = contract && path.resolve(contract);
  if (file && !existsSync(file)) throw new Error(`There is no file ${file}. Nothing was changed.`);
  const scoped = (each: string) => (scope ? `${scope}/${each}` : each);
  const { serviceFiles, starter } = await import('./files.ts');
  const scratch = mkdtempSync(path.join(tmpdir(), 'new-service-'));
  try {
    const { files, lacking } = await serviceFiles(name, file ?? starter(name, scratch), scratch, {
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
    for (const [place, text] of files) {
      mkdirSync(path.dirname(path.join(root, place)), { recursive: true });
      writeFileSync(path.join(root, place), text);
    }
    console.log(`Created ${name}, ${files.size} files.`);
    if (lacking.length > 0)
      console.log(
        `Lacking an example of the body or of a parameter, and so a sample and a test: ${lacking.join(', ')}`,
      );
    console.log(`\n  cd ${name}\n  npm start\n`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

await main().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
