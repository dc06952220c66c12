import { sql } from 'kysely';
import { change } from '../api.ts';
import { createOnCitus } from '../citus/create.ts';
import { petJson } from './pet.ts';

export const createPet = change('createPet', {
  new: { name: 'text', category_id: 'bigint', status: 'text' },
  row: ({ body: { name, categoryId, status } }) => ({ name, category_id: categoryId, status }),
  change: {
    change: sql`select nextval('pets_id_seq') as id, new.* from new order by position`,
    added: sql`insert into pets (id, name, category_id, status) overriding system value
      select id, name, category_id, status from change`,
  },
  status: 201,
  body: petJson,
  // Postgres has room for 64 locks per connection, of which a server has twelve, and each key takes one; when they are used up,
  // statements of all its users fail.
  batch: 128,
  onDistributed: createOnCitus,
});
