import { expect, test } from 'vitest';
import { hasPython, proveContract } from '../../src/contract.ts';
import { findPostgres } from '../../src/failover/pair.ts';
import { proveFailover } from '../../src/failover.ts';
import { problems } from '../../src/report.ts';
import { planted } from '../planted/planted.ts';

/** Bugs that the longer parts have to find. */

const python = hasPython();
if (!python) console.warn('Skipped: what Schemathesis finds. No Python 3.11 or later with its venv module.');
const postgres = findPostgres();
if (!postgres) console.warn('Skipped: what a failover loses without a synchronous standby. No Postgres of the system.');

const run = { seed: 1, onProgress: () => {} };

test.skipIf(!python)('Schemathesis finds a 500 on bad input', async () => {
  const part = await proveContract({ ...run, environment: planted('500 on bad input'), cases: 500 });
  expect(problems([part]).join('\n')).toMatch(/Server error .* in (POST \/pets|Stateful tests)/);
});

test.skipIf(!postgres)('a failover to an asynchronous standby loses what was acknowledged', async () => {
  const part = await proveFailover({ ...run, failovers: 3, synchronous: false });
  expect(problems([part]).join('\n')).toMatch(/was acknowledged as \d+ and is not there/);
});
