import { defineService } from '@petstore-platform/server-runtime';
import { contract } from './generated/contract.ts';
import { migrations } from './migrations.ts';
import { pets } from './pets/operations.ts';

/** The petstore as a value, which `main.ts` serves and tests open. */
export const service = defineService({
  name: 'petstore',
  contract,
  handlers: { ...pets },
  migrations,
  addressPlan: 'free',
});
