// `with-postgres.mjs <command> …` runs a command while the tests of all packages share one Postgres.
import './vitest.base.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openTestPostgres } from '../packages/testkit/src/postgres.ts';

// Packages that the named Postgres cannot test start none.
const postgres = process.env.TEST_POSTGRES ? undefined : await openTestPostgres();
const [command, ...args] = process.argv.slice(2);
const env = { ...process.env, SHARED_POSTGRES: postgres?.url ?? '' };
const child = spawn(command, args, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
const [code] = await once(child, 'exit');
await postgres?.close();
process.exitCode = code ?? 1;
