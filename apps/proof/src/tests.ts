import path from 'node:path';
import { startVitest } from 'vitest/node';
import type { Part, Row } from './report.ts';
import type { Run } from './service.ts';

/** Tests by the promise that they show: a folder, and files in it. */
type Tests = Record<string, [folder: string, ...files: string[]]>;

/** Tests with real processes that break the server's surroundings on purpose. */
const ENVIRONMENT: Tests = {
  'The data folder and the processes of npm start': ['packages/local-postgres', 'local-postgres'],
  'Encodings, addresses and commands': ['apps/server', 'main', 'keys/commands'],
  'Migrations beside other versions': ['apps/server', 'database/migrations'],
  'PgBouncer in each mode': ['apps/server', 'database/pgbouncer'],
  'The container image': ['apps/server', 'deployment'],
};

/** Tests with hostile input: of clients to the server, of a server to the SDK, of a contract to the tools. */
const INPUT: Tests = {
};

export const proveEnvironment = (run: Run) => proveTests('Environment', ENVIRONMENT, run);

export const proveInput = (run: Run) => proveTests('Input', INPUT, run);

async function proveTests(name: string, of: Tests, { onProgress }: Run): Promise<Part> {
  const rows: Row[] = [];
  for (const [what, [folder, ...files]] of Object.entries(of)) {
    onProgress(what);
    const root = path.join(import.meta.dirname, '../../..', folder);
    const options = { root, watch: false, reporters: [{}] };
    const vitest = await startVitest(
      'test',
      files.map((file) => `test/${file}.test.ts`),
      options,
    );
    const modules = vitest.state.getTestModules();
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const failures = [...modules, ...inState('failed')].flatMap((each) => {
      const errors = 'errors' in each ? each.errors() : (each.result().errors ?? []);
      return errors.map(({ message }) => `${'fullName' in each ? each.fullName : each.moduleId}: ${message}`);
    });
    const skipped = inState('skipped').map(({ name }) => name);
    const note = skipped.length > 0 ? `not run here: ${skipped.join('; ')}` : '';
    rows.push({ what, tried: tests.length - skipped.length, failures, note });
    await vitest.close();
  }
  return { name, rows };
}
