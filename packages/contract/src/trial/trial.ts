/**
 * The trial checks what the lint passes: its generated server and SDK compile, the server starts, each path leads to its operation, and
 * no request can make it validate for long.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Key, Reading } from '@petstore-platform/openapi';
import { operationsOf as authoringOf, type Contract, defineService } from '@petstore-platform/server-runtime';
import { loadConfig, openService } from '@petstore-platform/server-runtime/testing';
import { basePathOf, type Document, type Operation, operationsOf, planOf } from '../contract.ts';
import { failureBodies } from '../generate/failure.ts';
import { generateFiles, writeFiles } from '../generate/generate.ts';
import type { Target } from '../targets.ts';
import { type Finding, namesIn } from './finding.ts';
import { folderOf, linkPackages } from './packages.ts';
import { routeFindings } from './routes.ts';
import { schemaFindings } from './schemas.ts';
import { typeFindings } from './types.ts';

const TARGET = {
  contract: 'openapi/trial.yaml',
  server: 'server',
  client: 'client',
  sdk: { package: 'trial-client', variable: 'trial', version: '0.0.0' },
} satisfies Target;

/** The packages on which findings depend besides the document. */
const TRYING = ['contract', 'openapi', 'server-runtime', 'client-runtime'];

const LOCKS = ['pnpm-lock.yaml', 'package-lock.json'];

/** The sources of a package, and its manifest: once it is published, that has the version. */
const sourcesOf = (name: string) =>
  globSync(['src/**/*.ts', 'templates/**/*.tpl', 'package.json'], { cwd: folderOf(name) })
    .sort()
    .map((file) => path.join(folderOf(name), file));

/**
 * Tries a contract that has no lint errors.
 *
 * @param root - the folder of the repository, whose TypeScript is used
 * @returns findings with places in the normalized document. They are kept by the hash of the document in `node_modules/.cache`
 */
export async function trial(reading: Pick<Reading, 'published' | 'document'>, root: string): Promise<Finding[]> {
  const folder = path.join(root, 'node_modules/.cache/contract-trial');
  const hash = createHash('sha256').update(JSON.stringify(reading.published));
  for (const file of [...TRYING.flatMap(sourcesOf), ...LOCKS.map((name) => path.join(root, name))])
    hash.update(existsSync(file) ? readFileSync(file) : '');
  const cached = path.join(folder, `${hash.digest('hex')}.json`);
  try {
    return JSON.parse(readFileSync(cached, 'utf8'));
  } catch {
    mkdirSync(folder, { recursive: true });
  }
  const findings = await tried(reading.published as Document, reading.document as Document, root);
  writeFileSync(cached, JSON.stringify(findings));
  return findings;
}

async function tried(published: Document, document: Document, root: string): Promise<Finding[]> {
  const operations = operationsOf(document, () => '');
  const names = namesIn(document, operations);
  const failure = (rule: string, said: string, error: unknown): Finding[] => {
    const { message } = error as Error;
    const words = message.match(/[^\s`'",]+/g) ?? [];
    const [keys = []] = words
      .flatMap((word) => [names.get(word) ?? routeIn(word, names) ?? []])
      .filter(({ length }) => length > 0);
    return [{ level: 'error', rule, message: `${said}: ${message.replace(/\s+/g, ' ')}`, keys }];
  };
  const lacking = (keys: Key[], message: string): Finding[] => [
    { level: 'error', rule: 'trial/server', message, keys },
  ];
  if (operations.length === 0) return lacking(['paths'], 'Describe an operation below `paths`.');
  if (planOf(document) === undefined) return lacking(['x-rate-limit-plans'], PLAN);
  let files: Map<string, string>;
  try {
    files = generateFiles(published, TARGET);
  } catch (error) {
    return failure('trial/generation', 'Nothing can be generated', error);
  }
  const scratch = mkdtempSync(path.join(tmpdir(), 'trial-'));
  try {
    writeFiles(scratch, files);
    writeFileSync(path.join(scratch, 'package.json'), '{ "type": "module" }');
    linkPackages(scratch);
    const findings = [
      ...schemaFindings(document, operations),
      ...failureFindings(document, operations),
      ...routeFindings(basePathOf(document), operations),
      ...(await typeFindings(files, operations, names, scratch, root)),
    ];
    const fail = (error: Error) => failure('trial/server', 'The server cannot start', error);
    if (!findings.some(({ level }) => level === 'error'))
      findings.push(...(await serve(document, operations, scratch).catch(fail)));
    return findings;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Tells the failures for which no body is found and, once, each value of a body that the contract does not tell. */
function failureFindings(document: Document, operations: Operation[]): Finding[] {
  const errorBody = document['x-error'];
  if (!errorBody) return [];
  const reported = new Set<string>();
  return [...failureBodies(document, operations, errorBody).values()].flatMap(
    ({ id, status, body, samples }): Finding[] => {
      const { path: place = '', method = '' } = operations.find((one) => one.id === id) ?? {};
      const keys = ['paths', place, method, 'responses', status];
      const missing = `No body is found that \`${status}\` of \`${id}\` admits: a failure that the platform decides has another.`;
      if (body === undefined) return [{ level: 'warning', rule: 'trial/failures', message: missing, keys }];
      const news = samples.filter((one) => !reported.has(one + body) && reported.add(one + body));
      const names = news.map((one) => `\`${one}\``).join(', ');
      const message = `The contract tells no value of ${names}, so that failures have a sample there. An \`errorBody\` of the service writes it.`;
      return news.length > 0 ? [{ level: 'warning', rule: 'trial/samples', message, keys }] : [];
    },
  );
}

/** The operation whose path, as the router writes it, is at the end of a word. */
const routeIn = (word: string, names: ReadonlyMap<string, Key[]>) =>
  [...names].find(([name]) => name.startsWith('/') && word.endsWith(name.replaceAll(/\{([^{}]*)\}/g, ':$1')))?.[1];

const PLAN = 'Give one of `x-rate-limit-plans` a number `perMinute`: it limits addresses.';

/** Starts the server without a database, which it only needs for its first request. */
async function serve(document: Document, operations: { id: string }[], scratch: string): Promise<[]> {
  const load = (name: string) => import(path.join(scratch, TARGET.server, name));
  const { contract } = await load('contract.ts');
  const failures = document['x-error'] && (await load('failure.ts'));
  const { todo } = authoringOf(contract as Contract);
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, todo(id as never)]));
  const service = defineService({
    name: 'trial',
    contract,
    handlers,
    migrations: {},
    addressPlan: planOf(document) ?? '',
    ...failures,
  });
  const environment = { DATABASE_URL: 'postgres://127.0.0.1', LOG_LEVEL: 'silent', DOCS: 'off' };
  const keys = path.join(scratch, 'jwks.json');
  writeFileSync(keys, JSON.stringify({ keys: [{ kty: 'oct' }] }));
  // No issuer is asked, and no token is verified.
  const issuer = { OIDC_ISSUER: 'https://issuer.invalid', OIDC_AUDIENCE: 'trial', OIDC_JWKS: keys };
  const config = loadConfig({ ...environment, ...issuer }, service.variables);
  const { app, close } = await openService(service, config);
  await app.ready();
  await app.close();
  await close();
  return [];
}
