/**
 * The official files of RealWorld, which are not in this repository: `REALWORLD` names the folder with `openapi.yaml`, `postman.json` and
 * `bruno`. The server has the official contract, of which only the security of optional routes is edited.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { type Document, generateFiles, PLATFORM, readContract } from '@petstore-platform/contract/tools';
import { bind, startService } from '@petstore-platform/service/testing';
import { contractOf } from '@petstore-platform/testkit/contract';
import { createDatabase } from '@petstore-platform/testkit/database';
import { beforeAll, chai, describe, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { service } from '../../src/service.ts';

const folder = process.env.REALWORLD ?? '';
if (!folder) console.warn('Skipped: REALWORLD names no folder with the official files.');

const OPTIONAL = ['GetProfileByUsername', 'GetArticles', 'GetArticle', 'GetArticleComments'];

/** Generates the server of the official contract. */
async function official() {
  const scratch = mkdtempSync(path.join(import.meta.dirname, 'official-'));
  try {
    const root = parse(readFileSync(path.join(folder, 'openapi.yaml'), 'utf8'));
    for (const item of Object.values<Record<string, { operationId: string; security?: object[] }>>(root.paths))
      for (const operation of Object.values(item))
        if (OPTIONAL.includes(operation.operationId)) operation.security = [{}, { Token: [] }];
    const file = path.join(scratch, 'openapi.yaml');
    writeFileSync(file, stringify(root));
    const { published } = readContract(file, PLATFORM, scratch);
    const sdk = { package: 'conduit', variable: 'conduit' };
    const files = generateFiles(published as Document, { contract: file, server: 'server', client: 'client', sdk });
    for (const [place, text] of files) {
      mkdirSync(path.dirname(path.join(scratch, place)), { recursive: true });
      writeFileSync(path.join(scratch, place), text);
    }
    const load = (name: string) => import(path.join(scratch, 'server', name));
    const [{ contract }, { document }] = await Promise.all([load('contract.ts'), load('document.ts')]);
    return { service: { ...service, contract } as typeof service, ...contractOf(document) };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

describe.skipIf(!folder)('the official files', () => {
  let built: Awaited<ReturnType<typeof official>>;
  beforeAll(async () => {
    built = await official();
  });

  /** A new server, which begins without articles. Its responses are validated by the official contract, too. */
  async function server() {
    const { migrateUp, withDatabase } = bind(built.service);
    const database = await createDatabase();
    await withDatabase(database.url, (db) => migrateUp(db));
    const { origin, close } = await startService(built.service, database.url);
    onTestFinished(() => close().then(database.drop));
    return origin;
  }

  async function send(url: string, method: string, headers: Record<string, string>, body: string | undefined) {
    const response = await built.checkedFetch(url, { method, headers, body: body ?? null });
    return { status: response.status, text: await response.text() };
  }

  /** A text with the values of its variables. */
  const filled = (text: string, values: Map<string, unknown>) =>
    text.replace(/{{(\w+)}}/g, (_, name: string) => `${values.get(name)}`);

  test('postman.json: all assertions hold', async () => {
    const values = new Map<string, unknown>(
      Object.entries({
        APIURL: `${await server()}/api`,
        USERNAME: 'johnjacob',
        EMAIL: 'john@jacob.com',
        PASSWORD: 'johnnyjacob',
      }),
    );
    const all: [name: string, holds: unknown][] = [];
    interface Item {
      name: string;
      item?: Item[];
      request: {
        method: string;
        url: string | { raw: string };
        header: { key: string; value: string }[];
        body?: { raw: string };
      };
      event?: { script: { exec: string[] } }[];
    }
    const run = async ({ name, item, request, event = [] }: Item): Promise<void> => {
      for (const each of item ?? []) await run(each);
      if (!request) return;
      const headers = request.header.map(({ key, value }) => [key, filled(value, values)]);
      const url = filled(typeof request.url === 'string' ? request.url : request.url.raw, values);
      // As newman does, a GET has none.
      const body = request.method === 'GET' ? undefined : request.body?.raw && filled(request.body.raw, values);
      const { status, text } = await send(url, request.method, Object.fromEntries(headers), body);
      const globals = {
        get: (key: string) => values.get(key),
        set: (key: string, value: unknown) => values.set(key, value),
      };
      for (const { script } of event) {
        const tests = {};
        const given = { tests, pm: { globals }, environment: {}, responseBody: text, responseCode: { code: status } };
        runInNewContext(script.exec.join('\n'), given);
        all.push(...Object.entries(tests).map(([each, holds]) => [`${name}: ${each}`, holds] as [string, unknown]));
      }
    };
    await run(JSON.parse(readFileSync(path.join(folder, 'postman.json'), 'utf8')));
    expect(all.filter(([, holds]) => holds !== true)).toEqual([]);
    expect(all).toHaveLength(311);
  });

  test('bruno: all requests are answered as they expect', async () => {
    const values = new Map<string, unknown>([
      ['host', await server()],
      ['uid', `${process.pid}`],
    ]);
    const bru = {
      getVar: (name: string) => values.get(name),
      setVar: (name: string, value: unknown) => values.set(name, value),
    };
    const files = globSync('*/[0-9]*.bru', { cwd: path.join(folder, 'bruno') }).sort();
    for (const file of files) {
      const written = filled(readFileSync(path.join(folder, 'bruno', file), 'utf8'), values);
      // A section ends at a line of its own.
      const sections = new Map(
        [...written.matchAll(/^([\w:-]+) {\n(.*?)\n}$/gms)].map(([, name = '', text = '']) => [name, text]),
      );
      const method = ['get', 'post', 'put', 'delete'].find((each) => sections.has(each)) ?? '';
      const url = /url: (.*)/.exec(sections.get(method) ?? '')?.[1] ?? '';
      const [, authorization] = /Authorization: (.*)/.exec(sections.get('headers') ?? '') ?? [];
      const json = sections.get('body:json');
      const headers = { ...(authorization && { authorization }), ...(json && { 'Content-Type': 'application/json' }) };
      const { status, text } = await send(url, method.toUpperCase(), headers, json);
      expect
        .soft(status, `${file}: ${text}`)
        .toBe(Number(/res\.status: eq (\d+)/.exec(sections.get('assert') ?? '')?.[1]));
      const given = { bru, expect: chai.expect, res: { status, body: text && JSON.parse(text) } };
      expect.soft(() => runInNewContext(sections.get('script:post-response') ?? '', given), file).not.toThrow();
    }
    expect(files).toHaveLength(154);
  });
});
