import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const QUERY =
  "select id, name, category_id, status from pets where status = 'available' and id > 0 order by id limit 20;";

/**
 * Measures the query of the hot list on Postgres alone: pgbench with 10 clients and prepared statements.
 *
 * @returns statements per second; undefined without pgbench (Debian: postgresql-contrib)
 */
export async function pgbench(url: string, seconds: number): Promise<number | undefined> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'petstore-pgbench-'));
  const script = path.join(folder.path, 'list.sql');
  await writeFile(script, QUERY);
  const options = ['--no-vacuum', '--protocol=prepared', '--client=10', `--time=${seconds}`, `--file=${script}`];
  try {
    const { stdout } = await promisify(execFile)('pgbench', [...options, url]);
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
