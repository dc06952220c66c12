/** The contracts of a repository, as its packages name them. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A contract, and the folders of the code that is generated from it, as paths from the root. */
export interface Target {
  contract: string;
  server?: string;
  client?: string;
  /** The SDK of the contract, if any. */
  sdk?: Sdk;
  /** The command that generates, which generated files name. Default: the one of a workspace. */
  command?: string;
}

export interface Sdk {
  package: string;
  /** The version of the package; undefined for one that is only for the workspace. */
  version?: string;
  /** The variable that holds a client in samples, from which the names of the SDK are made. */
  variable: string;
}

/** The fields of a package.json that name a contract. */
interface Named {
  name: string;
  version: string;
  private?: boolean;
  contract?: { file: string; server?: string; client?: string };
}

/** The folder of the repository: the nearest one, from the given one upwards, with a package.json and a folder `openapi`. */
export function rootOf(start = process.cwd()): string {
  const isRoot = (folder: string) => ['package.json', 'openapi'].every((name) => existsSync(path.join(folder, name)));
  for (let folder = path.resolve(start); folder !== path.dirname(folder); folder = path.dirname(folder))
    if (isRoot(folder)) return folder;
  throw new Error('neither this folder nor one above it has a package.json and contracts in openapi/');
}

/** The packages of a repository: the root and its SDK, or those of a workspace. */
const MANIFESTS = ['package.json', 'client/package.json', '{apps,examples,packages}/*/package.json'];

/** Whether a path from the root is one of {@link MANIFESTS}. */
export const isManifest = (file: string) => /^(client\/|(apps|examples|packages)\/[^/]+\/)?package\.json$/.test(file);

/**
 * Every contract that a package of a repository names in its package.json, in the order of their names.
 *
 * @param root - folder of the repository
 */
export function targetsOf(root: string): Target[] {
  const targets = new Map<string, Target>();
  for (const file of globSync(MANIFESTS, { cwd: root }).sort()) {
    const named: Named = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
    const { name, version, private: shared, contract } = named;
    if (!contract) continue;
    const folder = path.posix.dirname(file.replaceAll('\\', '/'));
    const target = targets.get(contract.file) ?? { contract: contract.file };
    targets.set(contract.file, target);
    if (contract.server) target.server = path.posix.join(folder, contract.server);
    if (!folder.includes('/')) target.command = 'npm run generate';
    if (contract.client) {
      const variable = serviceNameOf(contract.file).replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
      Object.assign(target, {
        client: path.posix.join(folder, contract.client),
        sdk: { package: name, variable, ...(!shared && { version }) },
      });
    }
  }
  return [...targets.values()].sort((a, b) => (a.contract < b.contract ? -1 : 1));
}

/** `openapi/shop.yaml` → `shop`, and `openapi/shop/openapi.yaml`, too: the folder of a contract of several files */
export const serviceNameOf = (contract: string) =>
  /^openapi\/([^/.]+)\//.exec(contract)?.[1] ?? path.basename(contract).replace(/\.\w+$/, '');

/** Whether others depend on a contract. An SDK that is only for the workspace has no such users. */
export const isReleased = ({ sdk }: Target) => !sdk || sdk.version !== undefined;
