/** The installed packages that generated code imports. */
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** What a generated server and SDK import, and what their types need. */
const IMPORTED = ['@petstore-platform/client-runtime', '@petstore-platform/server-runtime', '@types/node'];

/** The folder of this package. */
const OWN = path.join(import.meta.dirname, '../..');

/** The folder of a package of the platform. */
export const folderOf = (name: string): string =>
  name === 'contract' ? OWN : (installed(`@petstore-platform/${name}`) ?? '');

/** The folder of a package that this one imports. Undefined if none is installed. */
function installed(name: string): string | undefined {
  for (let folder = OWN; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name);
    if (existsSync(found)) return realpathSync(found);
  }
  return undefined;
}

/** Gives a folder outside of the repository the packages that generated code imports. */
export function linkPackages(scratch: string): void {
  for (const name of IMPORTED) {
    const folder = installed(name);
    const link = path.join(scratch, 'node_modules', name);
    if (!folder) continue;
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(folder, link);
  }
}
