import type { migration } from '@repo/server-runtime';

/**
 * By name, in the order of their names. A step up keeps the previous version working, because both run side by side during an
 * upgrade. After a change: `pnpm tables`.
 *
 * @example
 * '001-things': migration('create table things (…)', 'drop table things'),
 */
export const migrations: Record<string, ReturnType<typeof migration>> = {};
