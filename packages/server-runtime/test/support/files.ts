import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The path of a file in a folder of its own. */
export const temporaryFile = (name: string) => path.join(mkdtempSync(path.join(tmpdir(), 'test-')), name);
