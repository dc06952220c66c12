import type { TestProject } from 'vitest/node';
import { openTestPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a Postgres, with a role that may create databases. */
    postgresUrl: string;
  }
}

/** Provides one Postgres for all test files of a package. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await openTestPostgres();
  provide('postgresUrl', url);
  return close;
}
