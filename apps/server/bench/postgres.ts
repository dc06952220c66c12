/** A Postgres for a measurement, on data of its own: prints `{ url, pid }` and runs until its standard input ends. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEmbeddedPostgres } from '../src/database/embedded.ts';

const dataDir = await mkdtemp(path.join(tmpdir(), 'petstore-bench-'));
const postgres = await openEmbeddedPostgres(dataDir);
const pid = Number.parseInt(await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
console.log(JSON.stringify({ url: postgres.url, pid }));
await once(process.stdin.resume(), 'end');
await postgres.close();
await rm(dataDir, { recursive: true });
