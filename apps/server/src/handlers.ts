import type { ApiHandlers, Resources } from './api/resources.ts';
import type { DatabaseHandle } from './database/open.ts';
import { ChangeHandle } from './database/statement.ts';
import { pets } from './pets/handlers.ts';

/** The operations of the contract. A missing one does not compile. */
const resources: Resources = { ...pets };

export function createHandlers(db: DatabaseHandle): ApiHandlers {
  const handle = new ChangeHandle(db);
  const handlers = Object.entries(resources).map(([id, create]) => [id, create(handle)]);
  return Object.fromEntries(handlers) as ApiHandlers;
}
