import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Vitest from 'vitest/node';
import type { Part, Row } from './report.ts';
import type { Run } from './service.ts';

/** Tests by the promise that they show: a package, and files of its tests. */
type Tests = Record<string, [folder: string, ...files: string[]]>;

/** Tests with real processes that break the server's surroundings on purpose. */
export const ENVIRONMENT: Tests = {
  'The data folder and the processes of npm start': ['packages/local-postgres', 'local-postgres'],
  'Two starts at once, odd paths, taken ports, and no reader': ['test', 'slow/start'],
  'A server without a reader of its output': ['packages/server-runtime', 'serve', 'unit/log'],
  'Encodings, addresses and commands': ['packages/server-runtime', 'main'],
  'Migrations beside other versions, and behind a lock': ['packages/server-runtime', 'database/migrations'],
  'Hostile defaults of a role, and JIT': ['packages/server-runtime', 'database/session'],
  'Statements that were planned on empty tables': ['apps/server', 'database/plans'],
  'Housekeeping under a long transaction': ['packages/server-runtime', 'housekeeping'],
  'The locks of a batch of creations': ['apps/server', 'pets/consistency'],
  'PgBouncer in each mode': ['packages/server-runtime', 'database/pgbouncer'],
  'The container image': ['apps/server', 'slow/deployment'],
};

/** Tests with hostile input: of clients to the server, of a server to the SDK, of a contract to the tools. */
export const INPUT: Tests = {
  'Regular expressions of more than linear time': ['test', 'regular-expressions'],
  'Worst cases of 64 kB, for each parser of the server': ['packages/server-runtime', 'unit/linear'],
  'The same, of bodies': ['packages/openapi-validation', 'linear', 'field-errors'],
  'The same, of the SDK': ['packages/client-runtime', 'linear'],
  'The same, of the contract': ['packages/contract', 'slow/linear'],
  'Made-up keys beside valid ones, and keys of unknown plans': [
    'packages/server-runtime',
    'api-keys/keys',
    'http/authentication',
  ],
  'Names, plans and 200,000 keys in keys list': ['packages/server-runtime', 'api-keys/commands'],
  'Invented versions of the SDK in the metrics': ['packages/server-runtime', 'ops/metrics'],
  'Paths that resemble known ones': ['packages/server-runtime', 'http/unmatched'],
  'Tags and codings of documents': ['packages/server-runtime', 'ops/reference'],
  'A contract that is code': ['packages/contract', 'slow/hostile'],
  'References out of the folder of a contract': ['packages/contract', 'redocly'],
  'A service that echoes the key': ['packages/client-runtime', 'redact'],
  'Cursors that repeat': ['packages/client-runtime', 'paging'],
};

export const proveEnvironment = (run: Run) => proveTests('Environment', ENVIRONMENT, run);

export const proveInput = (run: Run) => proveTests('Input', INPUT, run);

async function proveTests(name: string, of: Tests, { onProgress }: Run): Promise<Part> {
  const rows: Row[] = [];
  for (const [what, [folder, ...files]] of Object.entries(of)) {
    onProgress(what);
    const root = path.join(import.meta.dirname, '../../..', folder);
    const options = { root, watch: false, reporters: [{}] };
    // The package's own copy: pnpm may install several, and the tests import theirs.
    const { resolve } = createRequire(path.join(root, 'package.json'));
    const { startVitest }: typeof Vitest = await import(resolve('vitest/node'));
    const vitest = await startVitest(
      'test',
      files.map((file) => `${file}.test.ts`),
      options,
    );
    const modules = vitest.state.getTestModules();
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const failures = [...modules, ...inState('failed')].flatMap((each) => {
      const errors = 'errors' in each ? each.errors() : (each.result().errors ?? []);
      return errors.map(({ message }) => `${'fullName' in each ? each.fullName : each.moduleId}: ${message}`);
    });
    if (tests.length === 0) failures.push('no tests');
    const skipped = inState('skipped').map(({ name }) => name);
    const note = skipped.length > 0 ? `not run here: ${skipped.join('; ')}` : '';
    rows.push({ what, tried: tests.length - skipped.length, failures, note });
    await vitest.close();
  }
  return { name, rows };
}
