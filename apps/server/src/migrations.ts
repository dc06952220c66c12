import { migration } from '@petstore-platform/server-runtime';

/** The migrations. A step up must keep the previous version working, because both versions run side by side during an upgrade. */
export const migrations = {
  '001-pets': migration(
    `create table pets (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      name text not null,
      category_id bigint not null,
      status text
    );
    -- Serves both the filter and the order of a filtered list.
    create index pets_status_id on pets (status, id)`,
    'drop table pets',
  ),
};
