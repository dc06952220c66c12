import { read, write } from '../api.ts';

const COLUMNS = ['id', 'name', 'category_id as categoryId', 'status'] as const;

const listPets = read('listPets', { status: true }, ({ query: { status } }, db, { page }) =>
  page(db.selectFrom('pets').select(COLUMNS), { by: 'id', where: { status } }),
);

const createPet = write(
  'createPet',
  { name: true, categoryId: true, status: true },
  ({ body: { name, categoryId, status = null } }, db, { row }) =>
    row(db.insertInto('pets').values({ name, category_id: categoryId, status }).returning(COLUMNS)),
);

const getPet = read('getPet', ({ path: { petId } }, db, { row }) =>
  row(db.selectFrom('pets').select(COLUMNS).where('id', '=', petId), { missing: `There is no animal ${petId}` }),
);

export const pets = { listPets, createPet, getPet };
