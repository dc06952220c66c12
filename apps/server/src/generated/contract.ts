// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

import type { Contract, RequestContext } from '@petstore-platform/server-runtime';
import { document, reference } from './document.ts';
import type { Handlers, SafeOperation, Schemas } from './operations.ts';
import { type Plan, plans } from './plans.ts';
import { basePath, operations, responseHeaders, schemas } from './routes.ts';

export interface Types {
  handlers: Handlers<RequestContext>;
  schemas: Schemas;
  safe: SafeOperation;
  plan: Plan;
}

export const contract: Contract<Types> = { basePath, operations, schemas, responseHeaders, document, reference, plans };
