import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Document, operationsOf } from '../contract.ts';
import { clientOperations } from './client.ts';
import { clientTable } from './client-table.ts';
import { schemaTypes } from './schema.ts';
import { bundledDocument, planLimits, serverOperations, serverTable } from './server.ts';

const BANNER = '// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.\n\n';

export const CLIENT = 'packages/client/src/generated';
export const SERVER = 'apps/server/src/generated';

/** Every generated file of the workspace: its path from the root, and its text. */
export async function generateFiles(document: Document): Promise<Map<string, string>> {
  const operations = operationsOf(document);
  const schema = await schemaTypes(document);
  const files = {
    [`${CLIENT}/schema.ts`]: schema,
    [`${CLIENT}/operations.ts`]: clientOperations(document, operations, schema),
    [`${CLIENT}/table.ts`]: clientTable(document, operations),
    [`${SERVER}/operations.ts`]: serverOperations(document, operations, schema),
    [`${SERVER}/table.ts`]: serverTable(document, operations),
    [`${SERVER}/plans.ts`]: planLimits(document),
    [`${SERVER}/document.ts`]: bundledDocument(document, operations),
  };
  return new Map(Object.entries(files).map(([file, text]) => [file, `${BANNER}${text.trimEnd()}\n`]));
}

/**
 * Files on disk that differ from what the contract generates: changed, missing, or no longer generated.
 *
 * @param root - the workspace
 * @returns paths from the root, sorted
 */
export async function staleFiles(root: string, expected: Map<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [file, text] of expected) {
    const actual = await readFile(path.join(root, file), 'utf8').catch(() => undefined);
    if (actual !== text) stale.push(file);
  }
  for (const file of await filesIn(root, foldersOf(expected))) {
    if (!expected.has(file)) stale.push(file);
  }
  return stale.sort();
}

/** Writes the stale files and removes those that are no longer generated. Returns the paths it touched. */
export async function writeFiles(root: string, expected: Map<string, string>): Promise<string[]> {
  const stale = await staleFiles(root, expected);
  for (const file of stale) {
    const target = path.join(root, file);
    const text = expected.get(file);
    if (text === undefined) {
      await rm(target);
    } else {
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, text);
    }
  }
  return stale;
}

function foldersOf(files: Map<string, string>): Set<string> {
  return new Set([...files.keys()].map((file) => path.posix.dirname(file)));
}

async function filesIn(root: string, folders: Set<string>): Promise<string[]> {
  const lists = [...folders].map(async (folder) => {
    const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => !entry.isDirectory());
    return files.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  });
  return (await Promise.all(lists)).flat();
}
