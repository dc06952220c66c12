import { defineService } from '@repo/server-runtime';
import { citus } from './citus/storage.ts';
import { contract } from './generated/contract.ts';
import { migrations } from './migrations.ts';
import { createPet } from './pets/create.ts';
import { getPet, listPets } from './pets/read.ts';

export const service = defineService({
  name: 'petstore',
  contract,
  handlers: { listPets, createPet, getPet },
  migrations,
  addressPlan: 'free',
  storage: citus,
});
