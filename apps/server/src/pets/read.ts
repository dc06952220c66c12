import { get, list } from '../api.ts';
import { pagesByBlock, rowsById } from '../citus/blocks.ts';
import { petJson } from './pet.ts';

export const listPets = list('listPets', {
  from: 'pets',
  order: 'id',
  item: petJson,
  filters: { status: 'text' },
  where: ({ query: { status } }) => ({ status }),
  // Of the previous version.
  cursor: 'after',
  onDistributed: pagesByBlock,
});

export const getPet = get('getPet', {
  from: 'pets',
  key: 'id',
  item: petJson,
  id: ({ path }) => path.petId,
  missing: ({ path }) => `There is no animal ${path.petId}`,
  onDistributed: rowsById,
});
