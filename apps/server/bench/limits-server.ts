/**
 * The server with one of three ways to count requests, for `pnpm bench limits`:
 * `node bench/limits-server.ts <memory|batched|upsert>`. It prints `{ origin, keys }` and serves until its standard
 * input ends.
 */
import type { AddressInfo } from 'node:net';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { migrateUp } from '../src/database/migrate.ts';
import { openCounters, openDatabase } from '../src/database/open.ts';
import { insertApiKey } from '../src/keys/keys.ts';
import { countRequests } from '../src/limits/count-store.ts';
import { Limiter } from '../src/limits/limiter.ts';
import type { Check } from '../src/limits/memory.ts';
import { decide, emptyCount } from '../src/limits/windows.ts';

const KEYS = 64;
const UNLIMITED = 999_999_999;

const [mode = 'batched'] = process.argv.slice(2);
const config = loadConfig({ ...process.env, LOG_LEVEL: 'silent' });
const url = config.databaseUrl ?? '';
await migrateUp(url);
const db = openDatabase(url);
const counters = openCounters(url);
const options = { db: counters, ban: config.ban, now: Date.now };

/** What the batches are compared with: every request waits for an upsert of its own. */
class UpsertPerRequest extends Limiter {
  // As many connections as the requests have; otherwise they would be batched in the pool's queue.
  readonly #db = openDatabase(url, { size: 10, synchronousCommit: false });

  override async check(check: Check) {
    const request = { ...check, requested: 1, spentMinute: 0, spentDay: 0, rejected: 0, bannedUntil: 0 };
    await countRequests(this.#db, [request], Date.now(), config.ban);
    return decide('admitted', emptyCount(Date.now()), check);
  }
}

class InMemory extends Limiter {
  override async check(check: Check) {
    return decide('admitted', emptyCount(Date.now()), check);
  }
}

const limiters = { memory: InMemory, batched: Limiter, upsert: UpsertPerRequest };
const Chosen = limiters[mode as keyof typeof limiters];
const app = await buildApp(config, { db, limiters: { keys: new Chosen(options), addresses: new Limiter(options) } });
await app.listen({ port: 0, host: '127.0.0.1' });
const keys = await Promise.all(
  Array.from({ length: KEYS }, () =>
    insertApiKey(db, { name: 'bench', plan: 'enterprise', perMinute: UNLIMITED, perDay: UNLIMITED }),
  ),
);
const { port } = app.server.address() as AddressInfo;
console.log(JSON.stringify({ origin: `http://127.0.0.1:${port}`, keys: keys.map(({ key }) => key) }));
process.stdin.resume().once('end', () => process.exit());
