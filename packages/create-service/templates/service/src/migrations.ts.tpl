import type { migration } from '@petstore-platform/server-runtime';

/**
 * The migrations by name, which run in the order of their names. A step up must keep the previous version working, because both
 * versions run side by side during an upgrade. Run `{{tables}}` after a change.
 *
 * @example
 * '001-things': migration('create table things (…)', 'drop table things'),
 */
export const migrations: Record<string, ReturnType<typeof migration>> = {};
