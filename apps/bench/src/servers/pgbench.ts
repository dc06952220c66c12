import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * How often Postgres itself can run the query of the hot list: pgbench, 10 clients, prepared.
 *
 * @returns statements per second; undefined where there is no pgbench (Debian: postgresql-contrib)
 */
export async function pgbench(url: string, seconds: number): Promise<number | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-pgbench-'));
  try {
    const script = path.join(folder, 'list.sql');
    await writeFile(
      script,
      "select id, name, category_id, status from pets where status = 'available' and id > 0 order by id limit 20;\n",
    );
    const options = ['--no-vacuum', '--protocol=prepared', '--client=10', `--time=${seconds}`, `--file=${script}`];
    const { stdout } = await promisify(execFile)('pgbench', [...options, url]);
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
