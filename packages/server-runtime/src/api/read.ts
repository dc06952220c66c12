import type { RequestContext } from '../contract.ts';
import type { Handle } from '../database/statement.ts';
import type { HandlerResult } from './resources.ts';
import { refuseDistributed, type Schema } from './storage.ts';

type Run = (request: never, db: never, context: RequestContext) => Promise<HandlerResult>;

/** The handler of a read with Kysely. Its statements are prepared, each under a name from its text. */
export function read(operation: string, _uses: object, run: Run, { distributed }: Schema) {
  return (db: Handle) => {
    const reader = db.reader<never>(refuseDistributed(operation, distributed, true));
    return (request: never, context: RequestContext) => run(request, reader as never, context);
  };
}
