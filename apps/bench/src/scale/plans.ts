import { until } from '@petstore-platform/testkit/eventually';
import { whileLocked, withClient } from '@petstore-platform/testkit/postgres';

/** A request that makes the server send a statement, and the parameters with which to explain it, by type. */
interface Read {
  path: string;
  values: Record<string, string>;
}

function readsOf(pets: number): Record<string, Read> {
  const middle = `${pets / 2}`;
  return {
    'list, first page': { path: '/v1/pets', values: { bigint: '0' } },
    'list, deep inside': { path: '/v1/pets', values: { bigint: middle } },
    'list by status, first page': { path: '/v1/pets?status=available', values: { bigint: '0', text: 'available' } },
    'list by status, deep inside': { path: '/v1/pets?status=sold', values: { bigint: middle, text: 'sold' } },
    get: { path: '/v1/pets/1', values: { bigint: middle } },
  };
}

/** A page reads one row more than its twenty, to know whether another page follows. */
const LIMIT = '21';

/** The usual keyset query for a list by status, for comparison. */
const OBVIOUS =
  'select id, name, category_id, status from pets where status = $1::text and id > $2::bigint order by id limit $3::integer';

/**
 * Explains the server's read statements with generic plans, which Postgres may choose for any prepared statement.
 *
 * @returns the output of `EXPLAIN (ANALYZE, BUFFERS)`, by name of the read
 */
export function explainReads(
  { url, origin, key }: { url: string; origin: string; key: string },
  pets: number,
): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    await client.query('set plan_cache_mode = force_generic_plan');
    const explain = async (statement: string, values: Record<string, string>) => {
      await client.query(`prepare statement as ${statement}`);
      const { rows: prepared } = await client.query<{ types: string[] }>(
        `select parameter_types::text[] as types from pg_prepared_statements where name = 'statement'`,
      );
      const isLimit = (place: number) =>
        ['limit ', '>= ', '['].some((before) => statement.includes(`${before}$${place}::`));
      const given = (prepared[0]?.types ?? []).map((type, index) => `'${isLimit(index + 1) ? LIMIT : values[type]}'`);
      const query = `explain (analyze, buffers, costs off) execute statement(${given.join(', ')})`;
      // The first run reads from disk and plans.
      await client.query(query);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(query);
      await client.query('deallocate statement');
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const plans: Record<string, string> = {};
    for (const [name, { path, values }] of Object.entries(readsOf(pets))) {
      // Postgres shows it while it waits. The last statement of a session is the end of its transaction.
      let sent: Promise<Response> | undefined;
      const statement = await whileLocked(url, 'pets', () => {
        sent = fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${key}` } });
        const find = async () => {
          const { rows } = await client.query<{ query: string }>(
            `select query from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and query ~ 'from "pets"'`,
          );
          return rows[0]?.query;
        };
        return until(find, () => `GET ${path}: no statement on pets`);
      });
      const response = await sent;
      if (!response?.ok) throw new Error(`GET ${path}: status ${response?.status}`);
      plans[name] = await explain(statement, values);
    }
    plans['list by status, the usual keyset query (not used)'] = await explain(OBVIOUS, {
      text: 'available',
      bigint: '0',
    });
    return plans;
  });
}
