import path from 'node:path';
import { startVitest } from 'vitest/node';
import type { Part, Row } from './report.ts';
import type { Run } from './service.ts';

/** Tests with real processes that break the server's surroundings on purpose. */
const TESTS: Record<string, [folder: string, ...files: string[]]> = {
  'The data folder and the processes of npm start': ['packages/local-postgres', 'local-postgres'],
  'Encodings, addresses and commands': ['apps/server', 'main', 'keys/commands'],
  'Migrations beside other versions': ['apps/server', 'database/migrations'],
  'PgBouncer in each mode': ['apps/server', 'database/pgbouncer'],
  'The container image': ['apps/server', 'deployment'],
};

export async function proveEnvironment({ onProgress }: Run): Promise<Part> {
  const rows: Row[] = [];
  for (const [what, [folder, ...files]] of Object.entries(TESTS)) {
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
    const of = (state: string) => tests.filter((test) => test.result().state === state);
    const failures = [...modules, ...of('failed')].flatMap((each) => {
      const errors = 'errors' in each ? each.errors() : (each.result().errors ?? []);
      return errors.map(({ message }) => `${'fullName' in each ? each.fullName : each.moduleId}: ${message}`);
    });
    const skipped = of('skipped').map(({ name }) => name);
    const note = skipped.length > 0 ? `not run here: ${skipped.join('; ')}` : '';
    rows.push({ what, tried: tests.length - skipped.length, failures, note });
    await vitest.close();
  }
  return { name: 'Environment', rows };
}
