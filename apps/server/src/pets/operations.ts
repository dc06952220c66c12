import { create, get, list } from '../lanes.ts';
import { petJson } from './json.ts';

const listPets = list('listPets', { from: 'pets', order: 'id', filters: { status: 'status' }, item: petJson });

const createPet = create('createPet', {
  into: 'pets',
  values: { name: 'name', categoryId: 'category_id', status: 'status' },
  item: petJson,
});

const getPet = get('getPet', {
  from: 'pets',
  by: 'id',
  key: ({ path }) => path.petId,
  item: petJson,
  missing: ({ path }) => `There is no animal ${path.petId}`,
});

export const pets = { listPets, createPet, getPet };
