/**
 * The server with a bug that somebody might make, named by `PLANTED`, for the tests of the proof to see whether it finds it.
 * Configured and told when to stop like the server itself.
 */
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { DatabaseClock } from '../src/database/clock.ts';
import { migrateUp } from '../src/database/migrate.ts';
import { openCounters, openDatabase } from '../src/database/open.ts';
import type { Handlers } from '../src/generated/operations.ts';
import type { RequestContext } from '../src/http/routes.ts';
import { createLimiters } from '../src/limits/limiter.ts';
import { createHandlers } from '../src/pets/handlers.ts';

type All = Handlers<RequestContext>;
type Bug = 'lost write' | 'double insert' | 'stale read' | '500 on bad input' | 'leaked handle';

const config = loadConfig(process.env);
const url = config.databaseUrl ?? '';
await migrateUp(url);
const db = openDatabase(url);
const handlers = createHandlers(db);
let creations = 0;
let firstPage: Awaited<ReturnType<All['listPets']>> | undefined;

const bugs: Record<Bug, Partial<All>> = {
  // As when the answer does not wait for the transaction, which fails.
  'lost write': {
    async createPet(request, context) {
      const answer = await handlers.createPet(request, context);
      if (++creations % 4 === 0) await db.kysely.deleteFrom('pets').where('id', '=', answer.body.id).execute();
      return answer;
    },
  },
  // As when an attempt that is repeated forgets its idempotency key.
  'double insert': {
    async createPet(request, context) {
      if (++creations % 4 === 0) await handlers.createPet({ ...request, headers: {} }, context);
      return handlers.createPet(request, context);
    },
  },
  // As from a cache that nobody clears.
  'stale read': {
    async listPets(request, context) {
      if (request.query.cursor !== undefined) return handlers.listPets(request, context);
      firstPage ??= await handlers.listPets(request, context);
      return firstPage;
    },
  },
  // As from code that takes a string for a list of characters.
  '500 on bad input': {
    async createPet(request, context) {
      encodeURIComponent(request.body.name.slice(0, 1));
      return handlers.createPet(request, context);
    },
  },
  'leaked handle': {
    async getPet(request, context) {
      setInterval(() => {}, 3_600_000);
      return handlers.getPet(request, context);
    },
  },
};

const limiters = createLimiters({ db: openCounters(url), ban: config.ban, clock: new DatabaseClock() });
const planted = bugs[process.env.PLANTED as Bug];
const app = await buildApp(config, { db, limiters, handlers: { ...handlers, ...planted } });
await app.listen({ port: config.port, host: config.host });
process.once('SIGTERM', () => process.exit());
