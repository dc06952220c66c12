import { layoutOf } from '@petstore-platform/testkit/citus';
import { createDatabase } from '@petstore-platform/testkit/database';
import { withClient } from '@petstore-platform/testkit/postgres';
import type { TestProject } from 'vitest/node';
import { migrateUp, withDatabase } from './runtime.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that tests copy, which is faster than migrating each. */
    template: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, drop } = await createDatabase(project.getProvidedContext().postgresUrl);
  await withDatabase(url, migrateUp);
  if (process.env.TEST_POSTGRES === 'partitions')
    await withClient(url, (client) => client.query(layoutOf('petstore in partitions')));
  project.provide('template', new URL(url).pathname.slice(1));
  return drop;
}
