/** A Postgres for a measurement, on data of its own: prints `{ url }` and runs until its standard input ends. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEmbeddedPostgres } from '../src/database/embedded.ts';

const dataDir = await mkdtemp(path.join(tmpdir(), 'petstore-bench-'));
const postgres = await openEmbeddedPostgres(dataDir);
console.log(JSON.stringify({ url: postgres.url }));
await once(process.stdin.resume(), 'end');
await postgres.close();
await rm(dataDir, { recursive: true });
