import { describePostgres, startPostgres, withClient } from '@petstore-platform/testkit/postgres';
import { issueKeys, type Keys } from './keys.ts';
import { petstore } from './servers/start.ts';

interface Postgres {
  url: string;
  /** The process id; NaN with DATABASE_URL. */
  postmaster: number;
}

/** Runs `work` on the Postgres of `DATABASE_URL`, or on one that is started for it. The resulting report names the Postgres. */
export async function withPostgres(work: (postgres: Postgres) => Promise<string>): Promise<string> {
  const databaseUrl = process.env.DATABASE_URL;
  const { url, close } = databaseUrl ? { url: databaseUrl, close: () => {} } : await startPostgres();
  try {
    const postmaster = databaseUrl ? Number.NaN : await postmasterOf(url);
    return `${await describePostgres(url)}. ${await work({ url, postmaster })}`;
  } finally {
    await close();
  }
}

/** The process id of a Postgres on this machine. */
function postmasterOf(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`select pg_read_file('postmaster.pid') as file`);
    return Number.parseInt(rows[0]?.file, 10);
  });
}

/** Migrates a database, and fills it with pets and keys. */
export async function seed(url: string, pets: number): Promise<Keys> {
  await petstore.migrate(url);
  return withClient(url, async (client) => {
    await client.query(
      `insert into pets (name, category_id, status)
       select 'Animal ' || n, n % 100, (array['available', 'pending', 'sold'])[1 + n % 3]
       from generate_series(1, $1::integer) as n`,
      [pets],
    );
    await client.query('vacuum analyze pets');
    return issueKeys(client);
  });
}
