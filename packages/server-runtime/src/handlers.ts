import type { FastifyBaseLogger } from 'fastify';
import type { Handler } from './api/handler.ts';
import type { ContractTypes } from './contract.ts';
import type { DatabaseHandle } from './database/open.ts';
import { Handle } from './database/statement.ts';
import type { Service } from './service.ts';

export function createHandlers<Types extends ContractTypes>(
  { handlers, name }: Service<Types>,
  db: DatabaseHandle,
  log?: FastifyBaseLogger,
): Types['handlers'] {
  const handle = new Handle(db, { log, service: name });
  return Object.fromEntries(
    Object.entries(handlers).map(([id, create]): [string, Handler] => [id, create(handle)]),
  ) as unknown as Types['handlers'];
}
