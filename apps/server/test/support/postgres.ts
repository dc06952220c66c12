import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openEmbeddedPostgres } from '../../src/database/embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A Postgres whose role may create databases. */
    postgresUrl: string;
  }
}

/** One Postgres for all tests: `TEST_DATABASE_URL`, or real binaries on an empty folder. Each test file makes its own database. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) {
    provide('postgresUrl', process.env.TEST_DATABASE_URL);
    return async () => {};
  }
  const postgres = await startPostgres({ fsync: 'off', full_page_writes: 'off', max_connections: '300' });
  provide('postgresUrl', postgres.url);
  return postgres.close;
}

/** Real binaries on an empty folder, which `close` deletes. */
export async function startPostgres(
  settings: Record<string, string> = {},
): Promise<{ url: string; dataDir: string; close(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'petstore-test-'));
  const postgres = await openEmbeddedPostgres(dataDir, { settings });
  const close = async () => {
    await postgres.close();
    await rm(dataDir, { recursive: true });
  };
  return { url: postgres.url, dataDir, close };
}
