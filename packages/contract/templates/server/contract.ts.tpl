import type { Contract, RequestContext } from '@petstore-platform/server-runtime';
import { document, reference } from './document.ts';
import type { {{types}} } from './operations.ts';
import { type Plan, plans } from './plans.ts';
import { {{routes}} } from './routes.ts';

export interface Types {
  handlers: Handlers<RequestContext>;
  schemas: Schemas;
  safe: SafeOperation;
  plan: Plan;
{{?failure}}  failure: FailureBody;
{{?callers}}  callers: Callers;
}

export const contract: Contract<Types> = { {{members}} };
