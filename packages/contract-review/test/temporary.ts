import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Puts the temporary files of all tests into one folder. Called before a run; returns what to call after it. */
export default function setUp() {
  const before = tmpdir();
  const folder = mkdtempSync(join(before, 'contract-'));
  process.env.TMPDIR = folder;
  return () => {
    rmSync(folder, { recursive: true });
    // The process may run further tests.
    process.env.TMPDIR = before;
  };
}
