import { expect, test } from 'vitest';
import { missingPython, proveConformance } from '../src/conformance.ts';
import { proveFaults } from '../src/faults.ts';
import { proveProtocol } from '../src/protocol.ts';
import type { Part } from '../src/report.ts';

/** The proof in short. `pnpm proof` tries more of everything. */

const python = await missingPython();
if (python) console.warn(`Skipped: the contract as Schemathesis sees it. ${python}.`);

const run = { seed: 1, onProgress: () => {} };

function expectClean({ rows }: Part): void {
  for (const { what, tried, failures, losses = [] } of rows) {
    expect({ what, failures, losses }).toEqual({ what, failures: [], losses: [] });
    expect(tried, what).toBeGreaterThan(0);
  }
}

test.skipIf(python)('the contract', async () => {
  expectClean(await proveConformance({ ...run, cases: 1_000 }));
});

test('the protocol', async () => {
  expectClean(await proveProtocol({ ...run, rounds: 2, mutations: 500 }));
});

test('faults', async () => {
  expectClean(await proveFaults({ ...run, faults: 12 }));
});
