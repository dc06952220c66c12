/**
 * Fills a database for a measurement: `node bench/seed.ts <animals> <keys> [uniform|skewed]`. It prints `{ keys }`, which have
 * no limit that is ever reached, and ends. Skewed, the newest tenth of the animals is available and all others are sold.
 */
import { sql } from 'kysely';
import { migrateUp } from '../src/database/migrate.ts';
import { openDatabase } from '../src/database/open.ts';
import { insertApiKey } from '../src/keys/keys.ts';

const UNLIMITED = 999_999_999;

const url = process.env.DATABASE_URL ?? '';
const [animals = 0, count = 0] = process.argv.slice(2, 4).map(Number);
const skewed = process.argv[4] === 'skewed';
await migrateUp(url);
const db = openDatabase(url, { timeLimit: 0 });
await sql`
  insert into pets (name, category_id, status)
  select 'Animal ' || n, n % 100, case when not ${skewed} then (array['available', 'pending', 'sold'])[1 + n % 3]
    when n > ${animals}::integer * 0.9 then 'available' else 'sold' end
  from generate_series(1, ${animals}::integer) as n`.execute(db.kysely);
await sql`vacuum analyze pets`.execute(db.kysely);
const keys = await Promise.all(
  Array.from({ length: count }, () =>
    insertApiKey(db, { name: 'bench', plan: 'enterprise', perMinute: UNLIMITED, perDay: UNLIMITED }),
  ),
);
await db.close();
console.log(JSON.stringify({ keys: keys.map(({ key }) => key) }));
