import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { giveToOwner, postgresUser, runForPostgres } from './as-postgres-user.ts';
import { loadBinaries } from './binaries.ts';

const SCRATCH = 'postgres-new-';

/** The data directory of Postgres. */
export const dataIn = (folder: string): string => join(folder, 'postgres');

const passwordFileIn = (folder: string): string => join(folder, 'postgres-password');

/** Whether Postgres has been set up in the folder. */
export const hasCluster = (folder: string): boolean => existsSync(dataIn(folder));

/** The URL under which Postgres is reached on a port of this machine. */
export function urlOf(folder: string, port: number, database: string): string {
  return `postgres://petstore:${readPassword(folder)}@127.0.0.1:${port}/${database}`;
}

function readPassword(folder: string): string {
  try {
    return readFileSync(passwordFileIn(folder), 'utf8');
  } catch (error) {
    throw new Error(`The data of the embedded Postgres lack their password: ${(error as Error).message}`);
  }
}

/** Removes what interrupted calls of createCluster left, unless their initdb still runs: then a later call does it. */
export function clearScratch(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(SCRATCH)) continue;
    try {
      rmSync(join(folder, name), { recursive: true });
    } catch {}
  }
}

/** Sets Postgres up in the folder: its data and the password of the role `petstore`. */
export async function createCluster(folder: string, durable: boolean): Promise<void> {
  const { initdb } = await loadBinaries();
  // A new name each time: an initdb whose parent was killed may still be writing under the old one.
  const scratch = mkdtempSync(join(folder, SCRATCH));
  try {
    const data = join(scratch, 'data');
    const passwordFile = join(scratch, 'password');
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
    const user = postgresUser(folder);
    if (user) for (const path of [scratch, passwordFile]) lchownSync(path, user.uid, user.gid);
    await runForPostgres(folder, initdb, [
      ...['-D', data, '--username=petstore', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-instructions'],
      // The builtin provider sorts and folds case alike on every system, whatever locales that one has.
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...(durable ? [] : ['--no-sync']),
    ]);
    giveToOwner(folder, passwordFile);
    // The data last: where they are, they are complete, and their password is there.
    renameSync(passwordFile, passwordFileIn(folder));
    renameSync(data, dataIn(folder));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
