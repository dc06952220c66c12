/**
 * Writes the types of each service's tables, read from a migrated database: `pnpm tables`. `--check` fails if they are stale. A service
 * has `migrations.ts` beside the folder that its package.json names for generated code.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createDatabase } from '@petstore-platform/testkit/database';
import { openTestPostgres } from '@petstore-platform/testkit/postgres';
import { othersIn, tablesOf } from './table-types.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const isCheck = process.argv.includes('--check');
const { url: server, close } = await openTestPostgres();
const empty = await createDatabase(server);
const others = await othersIn(empty.url).finally(empty.drop);
const changed: string[] = [];
for (const manifest of globSync('{apps,packages}/*/package.json', { cwd: ROOT }).sort()) {
  const { contract } = JSON.parse(readFileSync(path.join(ROOT, manifest), 'utf8'));
  const folder = path.join(ROOT, path.dirname(manifest), contract?.server ?? '');
  const source = path.join(folder, '../migrations.ts');
  if (!contract?.server || !existsSync(source)) continue;
  const file = path.join(folder, 'tables.ts');
  const { url, drop } = await createDatabase(server);
  const { migrations: own } = await import(source);
  const failed = async ({ message }: Error) => {
    await close();
    console.error(`${path.relative(ROOT, source)}: ${message}`);
    process.exit(1);
  };
  const text = await tablesOf(url, own, others).finally(drop).catch(failed);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  changed.push(path.relative(ROOT, file));
  if (!isCheck) writeFileSync(file, text);
}
await close();
const list = changed.map((file) => `\n  ${file}`).join('');
if (changed.length === 0) console.log('The types of the tables are up to date.');
else if (!isCheck) console.log(`Wrote:${list}`);
else console.error(`Stale; run \`pnpm tables\` and commit the result:${list}`);
process.exitCode = isCheck && changed.length > 0 ? 1 : 0;
