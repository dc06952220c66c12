import { defineService } from '@petstore-platform/server-runtime';
import { contract } from './generated/contract.ts';
{{errorBody}}import { migrations } from './migrations.ts';
{{imports}}

/** The service as a value, which `main.ts` serves and tests open. */
export const service = defineService({
  name: '{{identifier}}',
  contract,
  handlers: { {{handlers}} },
  migrations,
  addressPlan: {{plan}},{{failures}}
});
