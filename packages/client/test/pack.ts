import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with `client.tgz` and `client-runtime.tgz`. */
    packed: string;
  }
}

/** Packs both packages as for publishing, once for all tests: pnpm inserts the versions of the workspace. */
export default function setup({ provide }: TestProject): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-tarball-'));
  for (const name of ['client', 'client-runtime'])
    execFileSync('pnpm', ['--silent', '--dir', `../${name}`, 'pack', '--out', path.join(folder, `${name}.tgz`)]);
  provide('packed', folder);
}
