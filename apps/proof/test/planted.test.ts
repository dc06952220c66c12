import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { missingPython, proveConformance } from '../src/conformance.ts';
import { proveFaults } from '../src/faults.ts';
import { proveProtocol } from '../src/protocol.ts';
import type { Part } from '../src/report.ts';
import { proveSoak } from '../src/soak.ts';

type Bug = 'lost write' | 'double insert' | 'stale read' | '500 on bad input' | 'leaked handle';

/** The proof would be worth nothing if it found nothing: a bug of each kind has to be caught by the very same runs. */

const python = await missingPython();

const planted = (bug: Bug) => ({
  script: fileURLToPath(new URL('../../server/test/planted-server.ts', import.meta.url)),
  environment: { PLANTED: bug },
  seed: 1,
  onProgress: () => {},
});

function findings({ rows }: Part): string {
  return rows.flatMap(({ failures, losses = [] }) => [...losses, ...failures]).join('\n');
}

describe('the faults find', () => {
  test.each<[Bug, RegExp]>([
    ['lost write', /was acknowledged as \d+ and is not there/],
    ['double insert', /is there 2 times/],
    ['stale read', /a page misses \d+, known/],
  ])('a %s', async (bug, finding) => {
    expect(findings(await proveFaults({ ...planted(bug), faults: 2 }))).toMatch(finding);
  });
});

test('the protocol finds a leaked handle', async () => {
  const found = findings(await proveProtocol({ ...planted('leaked handle'), rounds: 2, mutations: 10 }));
  expect(found).toMatch(/^handles: \d+ → \d+$/m);
});

test('the soak finds a leaked handle', async () => {
  const found = findings(await proveSoak({ ...planted('leaked handle'), minutes: 0.2 }));
  expect(found).toMatch(/^Handles grows by \d/m);
});

test.skipIf(python)('Schemathesis finds a 500 on bad input', async () => {
  const found = findings(await proveConformance({ ...planted('500 on bad input'), cases: 2_000 }));
  expect(found).toMatch(/Server error .* in POST \/pets/);
});
