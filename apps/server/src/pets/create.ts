import { sql } from 'kysely';
import { change } from '../api/idempotency.ts';
import { createOnCitus } from './citus.ts';
import { petJson } from './pet.ts';

/**
 * Ids become visible in ascending order, so that no pet appears behind the cursor of a walk: a lock is held from before the first
 * id is drawn until the commit.
 */
export const createPet = change('createPet', {
  new: { name: 'text', category_id: 'bigint', status: 'text' },
  row: ({ body: { name, categoryId, status } }) => ({ name, category_id: categoryId, status }),
  change: {
    turn: sql`select pg_advisory_xact_lock('pets'::regclass::oid::integer, 0)
      from (select count(*) from new) as new where count > 0`,
    numbered: sql`select nextval('pets_id_seq') as id, new.* from turn cross join new order by position`,
    added: sql`insert into pets (id, name, category_id, status) overriding system value
      select id, name, category_id, status from numbered`,
    change: sql`select * from numbered`,
  },
  status: 201,
  body: petJson,
  // Postgres has room for 64 locks per connection, of which a server has twelve, and each key takes one; when they are used up,
  // statements of all its users fail.
  batch: 128,
  // Of the previous version.
  fingerprint: ({ body: { name, categoryId, status } }) => [name, categoryId, status],
  onCitus: createOnCitus,
});
