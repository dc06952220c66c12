/** Reads a contract: its files, completed by the platform's part. */
import path from 'node:path';
import { type Document, type Reading, read, resolve } from '@repo/openapi';
import { complete } from './complete.ts';

/**
 * The reading of a contract. Its `published` document is completed; the normalized one is of that.
 *
 * @param platform - the file with the platform's part. Undefined for a document that is read as it is
 * @param within - the folder outside of which no file is read
 * @throws Error with a one-line message if a file cannot be read or parsed, or is not OpenAPI 3
 */
export function readContract(file: string, platform?: string, within = path.dirname(file)): Reading & { files: string[] } {
  return read(file, { within, complete: platform === undefined ? undefined : (document, report) => completeBundle(document, platform, report) });
}
