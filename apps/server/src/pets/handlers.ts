import type { Resources } from '../api/resources.ts';
import { createPet } from './create.ts';
import { getPet, listPets } from './read.ts';

/** The operations on pets. */
export const pets = { listPets, createPet, getPet } satisfies Partial<Resources>;
