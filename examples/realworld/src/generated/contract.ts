// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

import type { Contract, RequestContext } from '@petstore-platform/server-runtime';
import { document, reference } from './document.ts';
import type { Callers, FailureBody, Handlers, SafeOperation, Schemas } from './operations.ts';
import { type Plan, plans } from './plans.ts';
import { basePath, failures, operations, responseHeaders, schemas } from './routes.ts';

export interface Types {
  handlers: Handlers<RequestContext>;
  schemas: Schemas;
  safe: SafeOperation;
  plan: Plan;
  failure: FailureBody;
  callers: Callers;
}

export const contract: Contract<Types> = { basePath, operations, schemas, responseHeaders, document, reference, plans, failures };
