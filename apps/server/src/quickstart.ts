import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseHandle } from './database/open.ts';
import { ApiKeys, insertApiKey } from './keys/keys.ts';

/**
 * The key that `npm start` prints: the one of the last start as long as this database knows it, otherwise a new one. It is
 * kept beside the embedded database, readable by its owner only. Only `npm start` makes one.
 */
export async function quickstartKey(db: DatabaseHandle, dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'quickstart-key');
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (await new ApiKeys(db).find(kept)) return kept;
  const { key } = await insertApiKey(db, { name: 'quickstart', plan: 'business' });
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/** What a person needs for the first request. */
export function welcome(origin: string, basePath: string, key: string): string {
  return `
  Petstore is running.

  API    ${origin}${basePath}
  Docs   ${origin}/docs
  Key    ${key}

  Add an animal, then list those that are available:

curl -X POST ${origin}${basePath}/pets -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"name":"Biscuit","categoryId":7,"status":"available"}'

curl '${origin}${basePath}/pets?status=available' -H 'Authorization: Bearer ${key}'
`;
}
