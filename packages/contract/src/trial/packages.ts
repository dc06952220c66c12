/** The installed packages that generated code imports. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';

/** What a generated server and SDK import, and what their types need. */
const IMPORTED = ['@petstore-platform/client-runtime', '@petstore-platform/server-runtime', '@types/node'];

/** The folder of a package that this one imports. */
const installed = (name: string): string => path.dirname(`${findPackageJSON(name, import.meta.url)}`);

/** The folder of a package of the platform. */
export const folderOf = (name: string): string => installed(name === 'contract' ? '..' : `@petstore-platform/${name}`);

/** Gives a folder outside of the repository the packages that generated code imports. */
export function linkPackages(scratch: string): void {
  for (const name of IMPORTED) {
    const link = path.join(scratch, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(installed(name), link);
  }
}
