import { withClient } from '@petstore/testkit/postgres';

/** A read, by the request that makes the server send its statement, and the values to explain that with, by their type. */
interface Read {
  path: string;
  values: Record<string, string>;
}

const BEGINNING = '0';

function readsOf(animals: number): Record<string, Read> {
  const middle = animals / 2;
  const page = (after: string, status = '') => ({
    'bigint[]': `{${after}}`,
    'integer[]': '{21}',
    'text[]': `{${status}}`,
  });
  const ids = Array.from({ length: 20 }, (_, index) => middle + index * 31);
  return {
    'list, first page': { path: '/v1/pets', values: page(BEGINNING) },
    'list, deep inside': { path: '/v1/pets', values: page(`${middle}`) },
    'list by status, first page': { path: '/v1/pets?status=available', values: page(BEGINNING, 'available') },
    'list by status, deep inside': { path: '/v1/pets?status=sold', values: page(`${middle}`, 'sold') },
    'get, twenty at once': { path: '/v1/pets/1', values: { 'bigint[]': `{${ids}}` } },
  };
}

/** What one would write at first for a list by status. */
const OBVIOUS =
  'select id, name, category_id, status from pets where status = $1::text and id > $2::bigint order by id limit $3::integer';

/**
 * Explains the statements that a server sends for its reads, with generic plans: those that Postgres may take for a prepared
 * statement whatever its values are.
 *
 * @returns `EXPLAIN (ANALYZE, BUFFERS)` by the name of the read
 */
export function explainReads(
  { url, origin, key }: { url: string; origin: string; key: string },
  animals: number,
): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    await client.query('set plan_cache_mode = force_generic_plan');
    const explain = async (statement: string, values: Record<string, string>) => {
      await client.query(`prepare statement as ${statement}`);
      const types = [...new Map([...statement.matchAll(/\$(\d+)::([a-z]+(?:\[\])?)/g)].map(([, n, type]) => [n, type]))]
        .toSorted(([a], [b]) => Number(a) - Number(b))
        .map(([, type = '']) => `'${values[type]}'`);
      const query = `explain (analyze, buffers, costs off) execute statement(${types.join(', ')})`;
      // The first run reads from the disk and plans; the second is kept.
      await client.query(query);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(query);
      await client.query('deallocate statement');
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const plans: Record<string, string> = {};
    for (const [name, { path, values }] of Object.entries(readsOf(animals))) {
      const response = await fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${key}` } });
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
      const { rows } = await client.query<{ query: string }>(
        `select query from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query ~ 'from pets' order by query_start desc limit 1`,
      );
      plans[name] = await explain(rows[0]?.query ?? '', values);
    }
    plans['list by status, as one would write it at first; it is not used'] = await explain(OBVIOUS, {
      text: 'available',
      bigint: BEGINNING,
      integer: '21',
    });
    return plans;
  });
}
