/** Reads a contract: its files, with the platform's part. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Reading, type Report, read } from '@petstore-platform/openapi';
import type { Document } from './contract.ts';
import { addPlatform } from './platform.ts';

/**
 * The reading of a contract. Its published document has the platform's part.
 *
 * @param platform - the file with the platform's part. Undefined for a document that is read as it is
 * @param within - the folder outside of which no file is read. Default: that of the file
 * @throws Error with a one-line message if a file cannot be read or parsed, or is not OpenAPI 3
 */
export function readContract(file: string, platform?: string, within = path.dirname(file)) {
  return read(file, { within, overlay: platformOverlay(platform) });
}

/** The platform's part, for a reading. */
export const platformOverlay = (platform: string | undefined) =>
  platform === undefined ? undefined : (document: object, report: Report) => addPlatform(document, platform, report);

/** The repository of a contract, or else the folder above its own: a contract may have its schemas in `../models`. */
export function folderOf(file: string): string {
  const start = path.dirname(path.resolve(file));
  for (let folder = start; folder !== path.dirname(folder); folder = path.dirname(folder))
    if (existsSync(path.join(folder, '.git'))) return folder;
  return path.dirname(start);
}

/** The published document of a contract. */
export const bundleFile = (...args: Parameters<typeof readContract>) => publishedIn(readContract(...args));

/**
 * The published document of a reading.
 *
 * @throws Error with a one-line message, also for a reference that leads nowhere
 */
export function publishedIn({ published, notes }: Pick<Reading, 'published' | 'notes'>): Document {
  const problem = notes.find(({ level }) => level === 'error');
  if (problem) throw new Error(`${path.relative('', problem.file)}:${problem.line}:1 ${problem.message}`);
  // The clone has no places.
  return structuredClone(published) as Document;
}
