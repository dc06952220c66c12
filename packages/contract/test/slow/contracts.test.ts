/**
 * Takes contracts that nobody here wrote through everything, and prints how many come how far. `CONTRACTS` names a folder of them.
 * `LIFT=1` first removes what the platform does not serve yet (lifted.ts).
 */
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { read } from '@petstore-platform/openapi';
import { createDatabase } from '@petstore-platform/testkit/database';
import { openTestPostgres } from '@petstore-platform/testkit/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { check } from '../../src/check.ts';
import type { Document } from '../../src/contract.ts';
import { describe } from '../../src/generate/describe.ts';
import { isError } from '../../src/lint/report.ts';
import { readContract } from '../../src/read.ts';
import type { Json } from '../json.ts';
import { build, serve } from '../served.ts';
import { PLATFORM, ROOT } from '../workspace.ts';
import { lifted } from './lifted.ts';
import { sampleOf } from './samples.ts';

const { CONTRACTS, LIFT } = process.env;
const STAGES = ['accepted', 'compiles', 'served', 'each operation reached', 'SDK calls it'] as const;
/** The stage at which a rule of the gate fails. Those of the lint fail at the first. */
const FAILED_AT: Record<string, number> = { 'gate/generation': 1, 'gate/types': 1, 'gate/server': 2, 'gate/routes': 3 };

const folder = mkdtempSync(path.join(tmpdir(), 'contracts-'));
let database: { url: string; drop(): Promise<void> };
let postgres: { url: string; close(): Promise<void> };

beforeAll(async () => {
  if (!CONTRACTS) return;
  postgres = await openTestPostgres();
  database = await createDatabase(postgres.url);
  cpSync(CONTRACTS, path.join(folder, 'given'), { recursive: true });
}, 60_000);

afterAll(async () => {
  await database?.drop();
  await postgres?.close();
  rmSync(folder, { recursive: true });
});

/** The documents, without the files that only others refer to. */
const documents = () =>
  globSync('**/*.{yaml,yml,json}', { cwd: path.join(folder, 'given') })
    .filter((file) =>
      /^\s*["']?(openapi|swagger)["']?\s*:/m.test(readFileSync(path.join(folder, 'given', file), 'utf8')),
    )
    .sort();

/** The file that is tried: the given one, or a copy of it in one piece with its classes lifted. */
function prepared(name: string): string {
  const given = path.join(folder, 'given', name);
  if (!LIFT) return given;
  const { published, notes } = read(given, { within: path.join(folder, 'given') });
  const [lost] = notes.filter(({ level, rule }) => level === 'error' && rule === 'reading/reference');
  if (lost) throw new Error(`${name}:${lost.line} ${lost.message}`);
  const file = path.join(folder, 'lifted', `${name.replaceAll('/', '-')}.json`);
  mkdirSync(path.dirname(file), { recursive: true });
  const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  writeFileSync(file, JSON.stringify(lifted(published), plain, 1));
  return file;
}

/** Calls each operation by the SDK, on a server whose operations have yet to be written. Returns those that are not reached. */
async function uncalled(file: string, name: string): Promise<string[]> {
  const { document, schemas, operations: read } = readContract(file, PLATFORM, path.dirname(file));
  const { operations } = describe(document as Document);
  const bodies = new Map(read.map(({ id, body }) => [id, body?.content['application/json']]));
  const { contract, createClient, table } = await build(file, path.join(folder, 'code', name));
  const server = await serve(contract, database.url);
  try {
    const client = createClient({ apiKey: server.apiKey, baseUrl: server.origin + contract.basePath, maxRetries: 0 });
    const failures: string[] = [];
    for (const { id, name, parameters } of operations) {
      const { parameters: places = {}, body }: Json = table[name];
      const values = parameters
        .filter((one) => one.required || one.in === 'path')
        .map((one): [string, Json] => [one.name, one.example ?? sampleOf(one.schema, schemas)]);
      const own = values.filter(([parameter]) => ['path', 'query'].includes(places[parameter]));
      const headers = Object.fromEntries(values.filter(([parameter]) => !own.some(([other]) => other === parameter)));
      const media = bodies.get(id);
      const args = [
        ...(Object.values(places).some((place) => place !== 'header') ? [Object.fromEntries(own)] : []),
        ...(body ? [media?.example ?? sampleOf(media?.schema ?? {}, schemas)] : []),
        { headers },
      ];
      const error: Json = await client[name](...args).then(
        () => new Error('it succeeds'),
        (problem: unknown) => problem,
      );
      // The message of an operation that has yet to be written has its name.
      if (error.status !== 501 || !`${error.message}`.includes(id))
        failures.push(`${id}: ${error.status ?? ''} ${error.message} ${JSON.stringify(error.errors ?? '')}`);
    }
    return failures;
  } finally {
    await server.close();
  }
}

test.skipIf(!CONTRACTS)(
  'contracts of others come through (skipped without CONTRACTS, a folder of them)',
  async () => {
    const counts = STAGES.map(() => 0);
    const names = documents();
    for (const name of names) {
      const begin = process.cpuUsage();
      let [stage, reason, warnings] = [0, '', 0];
      try {
        const file = prepared(name);
        const problems = await check(file, ROOT);
        const errors = problems.filter(isError);
        warnings = problems.length - errors.length;
        stage = Math.min(STAGES.length - 1, ...errors.map(({ rule }) => FAILED_AT[rule] ?? 0));
        const [first] = errors.filter(({ rule }) => (FAILED_AT[rule] ?? 0) === stage);
        if (first) reason = `${errors.length} errors, ${first.line}: ${first.rule} ${first.message}`;
        if (errors.length === 0) {
          const failures = await uncalled(file, name);
          if (failures.length === 0) stage += 1;
          else reason = `${failures.length} operations: ${failures[0]}`;
        }
      } catch (error) {
        reason = (error as Error).message;
      }
      for (let index = 0; index < stage; index++) counts[index] = (counts[index] ?? 0) + 1;
      const { user, system } = process.cpuUsage(begin);
      const state = stage === STAGES.length ? 'all' : `not: ${STAGES[stage]}`;
      console.log(
        `${name}: ${state}, ${warnings} warnings, ${Math.round((user + system) / 1e5) / 10} s. ${reason.slice(0, 300)}`,
      );
    }
    console.log(STAGES.map((name, index) => `${name}: ${counts[index]} of ${names.length}`).join('\n'));
    expect(names.length).toBeGreaterThan(0);
  },
  3_600_000,
);
