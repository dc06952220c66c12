/**
 * Takes contracts that nobody here wrote through everything, as they are, and prints how many come how far. `CONTRACTS` names a folder
 * of them.
 */
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Compiler } from '@petstore-platform/server-runtime/tools';
import { createDatabase } from '@petstore-platform/testkit/database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { check } from '../../src/check.ts';
import type { Document, Operation } from '../../src/contract.ts';
import { describe } from '../../src/generate/describe.ts';
import { isError } from '../../src/lint/report.ts';
import { mediaOf } from '../../src/media.ts';
import { folderOf, readContract } from '../../src/read.ts';
import type { Json } from '../json.ts';
import { build, serve } from '../served.ts';
import { PLATFORM, ROOT } from '../workspace.ts';
import { projectFailures } from './project.ts';
import { samplesOf } from './samples.ts';

const { CONTRACTS } = process.env;
const STAGES = [
  'accepted',
  'compiles',
  'served',
  'each operation reached',
  'SDK calls it',
  'a new project passes its tests',
] as const;
/** The stage at which a rule of the trial fails. Those of the lint fail at the first. */
const FAILED_AT: Record<string, number> = {
  'trial/generation': 1,
  'trial/types': 1,
  'trial/server': 2,
  'trial/routes': 3,
};

const folder = mkdtempSync(path.join(tmpdir(), 'contracts-'));
let database: { url: string; drop(): Promise<void> };

beforeAll(async () => {
  if (!CONTRACTS) return;
  database = await createDatabase(inject('postgresUrl'));
  cpSync(CONTRACTS, path.join(folder, 'given'), { recursive: true });
});

afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true });
});

/** The documents, without the files that only others refer to. */
const documents = () =>
  globSync('**/*.{yaml,yml,json}', { cwd: path.join(folder, 'given') })
    .filter((file) =>
      /(^|[{,\s])["']?(openapi|swagger)["']?\s*:\s*["']?[23]\./m.test(
        readFileSync(path.join(folder, 'given', file), 'utf8'),
      ),
    )
    .sort();

/** A body as the SDK takes it. */
function bodyOf({ body }: Operation, sample: Json): unknown {
  if (body?.kind === 'bytes') return new Blob(['x']);
  if (body?.kind === 'text') return typeof sample === 'string' ? sample : 'x';
  const files = Object.entries(body?.files ?? {}).filter(([name, { required }]) => required || name in Object(sample));
  const blob = ({ types = [] }: { types?: readonly string[] }) =>
    new Blob(['x'], { type: `${types[0] ?? 'text/plain'}`.replace('*', 'png') });
  const blobs = files.map(([name, file]) => [name, file.many ? [blob(file)] : blob(file)]);
  return body?.kind === 'parts' ? { ...Object(sample), ...Object.fromEntries(blobs) } : sample;
}

/**
 * Calls each operation by the SDK, on a server whose operations have yet to be written.
 *
 * @returns `failures`: those that are not reached; `samples`: those for which no request is found
 */
async function uncalled(file: string, name: string) {
  const { document, schemas, operations: read } = readContract(file, PLATFORM, folderOf(file));
  const { operations } = describe(document as Document);
  const bodies = new Map(read.map(({ id, body }) => [id, mediaOf(body?.content)[1]?.schema ?? {}]));
  const { contract, createClient, table } = await build(file, path.join(folder, 'code', name));
  const compiler = new Compiler(contract.schemas);
  /** The sample of the reference or, without one, another value. The server takes each. */
  const fitting = (schema: Json, sample: Json, served: Json) =>
    [sample, ...samplesOf(schema, schemas)].find(
      (one) => one !== undefined && compiler.compile(served)(structuredClone(one)),
    );
  const server = await serve(contract, database.url);
  const security: Json[] = Object.values<Json>(contract.operations).flatMap((one) => one.security ?? []);
  const scopes = [...new Set(security.flat().flatMap((one: Json) => one.scopes ?? []))];
  const [custom] = Object.entries<Json>(contract.plans).find(([, { perMinute }]) => perMinute === null) ?? [];
  const most = custom === undefined ? {} : { plan: custom, perMinute: 1e6, perDay: 1e6 };
  const { key } = await server.createKey({ ...most, scopes });
  const hasTokens = security.flat().some(({ kind }: Json) => kind === 'token');
  try {
    const failures: string[] = [];
    const samples: string[] = [];
    for (const [index, operation] of operations.entries()) {
      const { id, name, parameters, body } = operation;
      // Limits of callers are tested elsewhere.
      const token = hasTokens ? { token: await server.tokenOf({ sub: `${index}`, scope: scopes.join(' ') }) } : {};
      const baseUrl = server.origin + contract.basePath;
      const client = createClient({ apiKey: key, ...token, baseUrl, maxRetries: 3 });
      const places: Json = table[name].parameters;
      const values = parameters
        .filter((one) => one.name in Object(places) && (one.required || one.style))
        .map(({ name, schema }): [string, Json] => {
          const served = contract.operations[id].parameters.find((one: Json) => one.name === name).schema;
          return [name, fitting(schema, operation.sample.parameters[name], served)];
        });
      const ofBody = body && fitting(bodies.get(id), operation.sample.body, contract.operations[id].body.schema);
      const given = Object.fromEntries(values);
      const isLacking =
        parameters.some((one) => one.required && one.name in given && given[one.name] === undefined) ||
        (body?.required && ofBody === undefined);
      if (isLacking && !/^(bytes|text)$/.test(`${body?.kind}`)) {
        samples.push(id);
        continue;
      }
      const headers = { 'x-forwarded-for': `10.0.${index >> 8}.${index % 256}`, 'sec-fetch-site': 'same-origin' };
      const args = [...(places ? [given] : []), ...(body ? [bodyOf(operation, ofBody)] : [])];
      const call = async () => {
        const result = client[name](...args, { headers });
        if (table[name].events) for await (const _ of result) break;
        else await result;
        return new Error('it succeeds');
      };
      const error: Json = await call().catch((problem: unknown) => problem);
      // The message of an operation that has yet to be written has its name; the response to HEAD has no message.
      if (error.status !== 501 || !(operation.method === 'head' || `${error.message}`.includes(id)))
        failures.push(`${id}: ${error.status ?? ''} ${error.message} ${JSON.stringify(error.errors ?? '')}`);
    }
    return { all: operations.length, failures, samples };
  } finally {
    await server.close();
  }
}

test.skipIf(!CONTRACTS)(
  'contracts of others come through (skipped without CONTRACTS, a folder of them)',
  async () => {
    const counts = STAGES.map(() => 0);
    let [called, declared] = [0, 0];
    const names = documents();
    for (const name of names) {
      const begin = process.cpuUsage();
      let [stage, reason, warnings] = [0, '', 0];
      try {
        const file = path.join(folder, 'given', name);
        const problems = await check(file, ROOT);
        const errors = problems.filter(isError);
        warnings = problems.length - errors.length;
        stage = Math.min(4, ...errors.map(({ rule }) => FAILED_AT[rule] ?? 0));
        const [first] = errors.filter(({ rule }) => (FAILED_AT[rule] ?? 0) === stage);
        if (first) reason = `${errors.length} errors, ${first.line}: ${first.rule} ${first.message}`;
        if (errors.length === 0) {
          const { all, failures, samples } = await uncalled(file, name);
          called += all - failures.length - samples.length;
          declared += all;
          if (samples.length > 0) console.log(`${name}: no request is found for ${samples.join(', ')}`);
          reason = failures.length > 0 ? `${failures.length} of ${all} operations: ${failures.join('\n  ')}` : '';
          if (!reason) stage += 1;
          reason ||= await projectFailures(file, path.join(folder, 'projects', name));
          if (!reason) stage += 1;
        }
      } catch (error) {
        reason = (error as Error).message;
      }
      for (let index = 0; index < stage; index++) counts[index] = (counts[index] ?? 0) + 1;
      const { user, system } = process.cpuUsage(begin);
      const state = stage === STAGES.length ? 'all' : `not: ${STAGES[stage]}`;
      console.log(
        `${name}: ${state}, ${warnings} warnings, ${Math.round((user + system) / 1e5) / 10} s. ${reason.slice(0, Number(process.env.LONGEST ?? 300))}`,
      );
    }
    console.log(STAGES.map((name, index) => `${name}: ${counts[index]} of ${names.length}`).join('\n'));
    console.log(`operations: ${called} of ${declared}`);
    expect(names.length).toBeGreaterThan(0);
  },
  3_600_000,
);
