import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Whether memory is a folder with room, from which programs may run: to create a database takes a tenth of the time on a disk. */
function hasMemory(): boolean {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '';
  if (!/^\S+ \/dev\/shm (?!\S+ \S*noexec)/m.test(mounts)) return false;
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize > 6e9;
}

// All temporary files of a run end with it. The folder lets the user of Postgres enter.
const temporary = mkdtempSync(path.join(process.env.TMPDIR ?? (hasMemory() ? '/dev/shm' : tmpdir()), 'tests-'));
chmodSync(temporary, 0o755);
process.env.TMPDIR = temporary;
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 10 }));

// Node.js keeps compiled modules here, also for the workers and the programs that tests run: their start takes half of the
// processor time. Coverage counts functions of cached modules less precisely.
if (!process.argv.includes('--coverage'))
  process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, '../node_modules/.cache/node');

/** The configuration that the tests of all packages share. No time limit is shorter: a busy machine must keep it. */
export const base = {
  include: ['test/**/*.test.ts'],
  reporters: ['default', 'json'] as ('default' | 'json')[],
  outputFile: { json: 'test-results/vitest.json' },
  expect: { poll: { timeout: 60_000 } },
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

// Tests and global setups load the dependencies in the workspace from their sources.
const resolve = { conditions: ['source', 'node', 'development|production'] };
export const sources = { environments: { ssr: { resolve }, __vitest__: { resolve } } };
