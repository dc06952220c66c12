import type { Value } from '@petstore-platform/server-runtime';
import { compiled, read, write } from '../api.ts';
import type { NewPet } from '../generated/operations.ts';

const COLUMNS = ['id', 'name', 'category_id as categoryId', 'status'] as const;

const all = compiled((db) => db.selectFrom('pets').select(COLUMNS));

const listPets = read('listPets', { status: true }, ({ query: { status } }, db, { page }) =>
  page(all(db), { by: 'id', where: { status } }),
);

const insertion = compiled((db, value: Value<NewPet>) =>
  db
    .insertInto('pets')
    .values({ name: value('name'), category_id: value('categoryId'), status: value('status') })
    .returning(COLUMNS),
);

// `true` names each field of the request, so that a new field of the contract does not compile until it is handled.
const createPet = write('createPet', { name: true, categoryId: true, status: true }, ({ body }, db, { row }) =>
  row(insertion(db, body)),
);

const byId = compiled((db, value: Value<{ id: number }>) =>
  db.selectFrom('pets').select(COLUMNS).where('id', '=', value('id')),
);

const getPet = read('getPet', ({ path: { petId } }, db, { row }) =>
  row(byId(db, { id: petId }), { missing: `There is no animal ${petId}` }),
);

export const pets = { listPets, createPet, getPet };
