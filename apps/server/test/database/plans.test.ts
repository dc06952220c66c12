import { withClient } from '@petstore-platform/testkit/postgres';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { revokeApiKey } from '../support/runtime.ts';
import { type TestServer, temporaryServer } from '../support/server.ts';

/** Rows of each table that grows. */
const ROWS = 50_000;

/** `replica` turns off the triggers that log changes of keys. */
const FILL = `
  set session_replication_role = replica;
  insert into pets (name, category_id, status) select 'Rex', n, (array['available', 'sold'])[1 + n % 2] from generate_series(1, ${ROWS}) as n;
  insert into api_keys (name, plan, key_hash) select 'full', 'free', sha256(n::text::bytea) from generate_series(1, ${ROWS}) as n;
  insert into idempotency_keys (api_key_id, key, fingerprint, status, answer, created_at)
    select 1, 'full ' || n, '', 201, '{}', service_now() from generate_series(1, ${ROWS}) as n;
  insert into rate_limits select 'full ' || n, 0, 0, 1e6, 0, 0, 1, 1, 1, 1, 0, 0 from generate_series(1, ${ROWS}) as n`;

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** The plans of all statements of this process: Postgres sends each as a notice. */
function collectPlans() {
  const emit = vi.spyOn(pg.Client.prototype, 'emit');
  onTestFinished(() => emit.mockRestore());
  return () => {
    const notices = emit.mock.calls.flatMap(([event, notice]) => (event === 'notice' ? String(notice.message) : []));
    emit.mockClear();
    return notices.flatMap((message) => {
      const [, json] = /^duration: .* plan:\n(.*)$/s.exec(message) ?? [];
      return json ? (JSON.parse(json) as { 'Query Text': string; Plan: Node }) : [];
    });
  };
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Sends every kind of statement that a server sends by itself, without those of an operator's commands. */
async function exercise({ petstore, origin, db, createKey, runJob, anonymous }: TestServer): Promise<void> {
  const animal = { name: 'Rex', categoryId: 7 };
  const { id: petId } = await petstore.createPet(animal);
  for (let time = 0; time < 2; time++) await petstore.createPet(animal, { idempotencyKey: `once-${petId}` });
  await petstore.getPet({ petId });
  for (const status of ['sold', 'pending', undefined] as const) await petstore.listPets({ status, limit: 1 });
  const { id, key } = await createKey();
  await anonymous('/v1/pets?limit=1', { headers: { Authorization: `Bearer ${key}` } });
  await revokeApiKey(db, id);
  await runJob('housekeeping');
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
}

test('no statement reads a whole table, even if planned when that was empty', async () => {
  const databaseUrl = await temporaryDatabase();
  await withClient(databaseUrl, async (client) => {
    const name = new URL(databaseUrl).pathname.slice(1);
    const settings = { log_min_duration: 0, log_analyze: 'on', log_format: 'json', log_level: 'notice' };
    await client.query(`alter database ${name} set session_preload_libraries = auto_explain`);
    for (const [setting, value] of Object.entries(settings))
      await client.query(`alter database ${name} set auto_explain.${setting} = '${value}'`);
    for (const table of ['pets', 'api_keys', 'idempotency_keys', 'rate_limits'])
      await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
  });
  const takePlans = collectPlans();
  const planned = await temporaryServer({ databaseUrl });
  await exercise(planned);
  takePlans();
  await withClient(databaseUrl, (client) => client.query(FILL));
  for (const server of [planned, await temporaryServer({ databaseUrl })]) {
    takePlans();
    await exercise(server);
    const read = takePlans().flatMap(({ 'Query Text': statement, Plan }) =>
      nodesOf(Plan).flatMap((node) => {
        const { 'Relation Name': table, 'Actual Loops': loops, 'Actual Rows': rows } = node;
        const all = loops * (rows + (node['Rows Removed by Filter'] ?? 0));
        // The catalog is read once for each text, to name missing indexes.
        return table && !table.startsWith('pg_')
          ? [{ table, node: node['Node Type'], rows: all, statement: statement.trim().slice(0, 200) }]
          : [];
      }),
    );
    // A connection that opens meanwhile reads the types.
    expect(new Set(read.map(({ table }) => table))).toEqual(
      new Set(['pets', 'api_keys', 'idempotency_keys', 'rate_limits', 'kysely_migration']),
    );
    expect(read.filter(({ rows }) => rows > 200)).toEqual([]);
  }
});
