/** Writes the types of the tables of each service, read from a migrated database. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rootOf, targetsOf } from '@petstore-platform/contract/tools';
import { startLocalPostgres } from '@petstore-platform/local-postgres';
import { withDatabase } from '@petstore-platform/server-runtime/operate';
import { lacksOf, othersIn, tablesOf } from './write-tables.ts';

/**
 * Writes them for each service that has `migrations.ts` beside the folder of its generated code, and prints the SQL of the policies that its
 * tables with owners lack, by the `service.ts` there.
 *
 * @param start - the folder in which the repository is looked for
 * @param isCheck - only compares
 * @returns the exit code: 1 if types are stale, policies are missing, or a migration fails
 */
export async function tables(start: string, isCheck: boolean): Promise<number> {
  const root = rootOf(start);
  const scratch = mkdtempSync(path.join(tmpdir(), 'tables-'));
  const postgres = await startLocalPostgres(scratch, { fsync: 'off' });
  const changed: string[] = [];
  const lacks: string[] = [];
  try {
    const others = await othersIn(postgres.url);
    for (const [index, { server, command = 'pnpm tables' }] of targetsOf(root).entries()) {
      const folder = path.join(root, server ?? '');
      const source = path.join(folder, '../migrations.ts');
      const file = path.join(folder, 'tables.ts');
      if (!server || !existsSync(source)) continue;
      const { migrations } = await import(pathToFileURL(source).href);
      const name = `service_${index}`;
      await withDatabase({ command: 'tables' }, postgres.url, ({ pool }) => pool.query(`create database ${name}`));
      const url = Object.assign(new URL(postgres.url), { pathname: name }).href;
      const text = await tablesOf(url, migrations, others, command.replace('generate', 'tables')).catch(
        ({ message }) => {
          throw new Error(`${path.relative(root, source)}: ${message}`);
        },
      );
      if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
        changed.push(path.relative(root, file));
        if (!isCheck) writeFileSync(file, text);
      }
      // It imports the types that were just written.
      const { service } = await import(pathToFileURL(path.join(folder, '../service.ts')).href);
      lacks.push(...(await lacksOf(url, service)));
    }
  } finally {
    await postgres.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
  const list = changed.map((file) => `\n  ${file}`).join('');
  if (changed.length === 0) console.log('The types of the tables are up to date.');
  else if (!isCheck) console.log(`Wrote:${list}`);
  else console.error(`Stale; write them, and commit the result:${list}`);
  if (lacks.length > 0)
    console.error(`Tables with owners lack what policiesOf(…) writes in a migration:\n  ${lacks.join('\n  ')}`);
  return isCheck && changed.length + lacks.length > 0 ? 1 : 0;
}
