import { createDatabase } from '@petstore-platform/testkit/database';
import { eventually } from '@petstore-platform/testkit/eventually';
import { allCases, requestsOf } from '@petstore-platform/testkit/http-cases';
import { openTestPostgres } from '@petstore-platform/testkit/postgres';
import { tryAll } from '@petstore-platform/testkit/raw-cases';
import { hasSystemPostgres } from '@petstore-platform/testkit/system-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPython, proveContract } from '../../src/contract.ts';
import { proveFailover } from '../../src/failover.ts';
import type { Notes } from '../../src/faults/client.ts';
import { startFleet } from '../../src/faults/fleet.ts';
import { underLoad } from '../../src/faults/load.ts';
import { contract, pets } from '../../src/petstore.ts';
import { leftovers, resetUnread } from '../../src/protocol.ts';
import { problems } from '../../src/report.ts';
import { startService } from '../../src/service.ts';
import { proveSoak } from '../../src/soak.ts';
import { withFault } from '../seeded/environment.ts';

/** Tests the reliability tests themselves: they find a seeded fault of each kind. */

const python = hasPython();
if (!python) console.warn('Skipped: Schemathesis. Needs Python 3.11 or later with venv.');
const postgres = hasSystemPostgres('the failover');

const quietly = { seed: 1, onProgress: () => {} };

let server: Awaited<ReturnType<typeof openTestPostgres>>;
beforeAll(async () => {
  server = await openTestPostgres();
});
afterAll(() => server.close());

/** Drops the database with the run, after the servers end; `temporaryDatabase` would drop it under them. */
const databaseOf = async (run: AsyncDisposableStack) =>
  run.adopt(await createDatabase(server.url), ({ drop }) => drop()).url;

/** Waits for a number of calls, not for a time: a busy machine makes fewer calls. */
const enough = ({ creates, pages, unexpected }: Notes) =>
  eventually(
    'enough calls',
    async () => {
      if (creates.length >= 300 && pages.length >= 150) return;
      throw new Error(`${creates.length} creates and ${pages.length} pages; ${unexpected[0] ?? 'no unexpected error'}`);
    },
    500_000,
  );

test('the history shows a lost key', async () => {
  await using run = new AsyncDisposableStack();
  const fleet = await startFleet(run, 1, await databaseOf(run), withFault('lost key'));
  const rows = await underLoad(fleet, 1, enough);
  expect(problems([{ name: 'Faults', rows }]).join('\n')).toMatch(/createPet: 201 .*; again, on another server: 201/);
});

test('the protocol part finds a leaked handle', async () => {
  await using run = new AsyncDisposableStack();
  const service = await startService(run, { ...withFault('leaked handle'), DATABASE_URL: await databaseOf(run) });
  const { get } = requestsOf(service.apiKey, pets);
  const before = await service.sample();
  expect(await tryAll(service.port, [{ name: 'a get', bytes: get('/v1/pets/1'), answers: [404] }], contract)).toEqual(
    [],
  );
  const { problems } = await leftovers(service, before, 0);
  expect(problems.join('\n')).toMatch(/^handles: \d+ → \d+$/m);
});

test('resets find a socket without an error listener', async () => {
  await using run = new AsyncDisposableStack();
  const service = await startService(run, { ...withFault('unguarded socket'), DATABASE_URL: await databaseOf(run) });
  const connects = allCases(service.apiKey, pets).filter(({ name }) => name === 'CONNECT');
  await resetUnread(service, connects);
  await eventually('the end of the server', async () =>
    expect(service.end()).toMatch(/ended with 1.*E(CONNRESET|PIPE)/s),
  );
});

test('the soak finds a leaked handle', async () => {
  await using run = new AsyncDisposableStack();
  const environment = { ...withFault('leaked handle'), DATABASE_URL: await databaseOf(run) };
  const part = await proveSoak({ ...quietly, run, environment, minutes: 0.1 });
  expect(problems([part]).join('\n')).toMatch(/Handles grows by \d/);
});

test.skipIf(!python)('Schemathesis finds an undeclared property', async () => {
  await using run = new AsyncDisposableStack();
  const part = await proveContract({ ...quietly, run, environment: withFault('undeclared property'), cases: 20 });
  expect(problems([part]).join('\n')).toMatch(/exactly_declared.* in (POST \/pets|Stateful tests)/);
});

test.skipIf(!postgres)('a failover to an asynchronous standby loses acknowledged writes', async () => {
  await using run = new AsyncDisposableStack();
  const part = await proveFailover({ ...quietly, run, failovers: 3 }, false);
  expect(problems([part]).join('\n')).toMatch(/was acknowledged as \d+ but is not stored/);
});
