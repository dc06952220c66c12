/** A service and where its parts are. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export interface ServiceFolder {
  /** That of its contract: `shop` for `openapi/shop.yaml`. */
  name: string;
  /** The folder of the repository. */
  root: string;
  /** The program that serves. Its generated modules are in `generated` beside it. */
  main: string;
  /** The arguments of Node.js that run its sources. */
  sources: string[];
  /** The folder of its local data. */
  data: string;
  /** The commands that start it, and that use its keys. */
  commands: { start: string; keys: string };
}

/**
 * The service of a repository of its own.
 *
 * @throws Error with one sentence if there is none
 */
export function serviceIn(root: string): ServiceFolder {
  const file = path.join(root, 'package.json');
  const manifest: { contract?: { file: string; server?: string } } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {};
  const { contract } = manifest;
  if (!contract?.server)
    throw new Error(`There is no service in ${root}: its package.json names no contract with a server.`);
  const [, folder] = /^openapi\/([^/.]+)\//.exec(contract.file) ?? [];
  const name = folder ?? path.basename(contract.file).replace(/\.\w+$/, '');
  const main = path.join(root, contract.server, '../main.ts');
  const variable = `${name.replaceAll('-', '_').toUpperCase()}_DATA_DIR`;
  const data = path.resolve(root, process.env[variable] || '.data');
  return { name, root, main, sources: [main], data, commands: { start: 'npm start', keys: 'npm run keys --' } };
}

/** Imports a module beside the program that serves, which may be built. */
export const importBeside = ({ main }: ServiceFolder, name: string) =>
  import(pathToFileURL(path.join(path.dirname(main), name + path.extname(main))).href);
