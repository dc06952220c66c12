import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtempDisposable, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { listen } from '@petstore-platform/testkit/server';
import { contract, OPERATIONS } from './petstore.ts';
import type { Part } from './report.ts';
import { type Service, startService, UNDISTURBED, type With } from './service.ts';

/** Tests the server with Schemathesis, which knows only the OpenAPI document. */

const folder = path.join(import.meta.dirname, '../schemathesis');
const environment = path.join(import.meta.dirname, '../node_modules/.cache/schemathesis');
const tool = path.join(environment, process.platform === 'win32' ? 'Scripts' : 'bin');
const execute = promisify(execFile);

/**
 * Approximate number of requests per Schemathesis process. Large runs use several processes with one thread and their own
 * seed: with more threads, Python 3.11 sometimes fails (SystemError: AST constructor recursion depth mismatch).
 */
const SHARE = 5_000;

/** Whether Python 3.11 or later with venv is installed. */
export function hasPython(): boolean {
  return spawnSync('python3', ['-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)']).status === 0;
}

/** Runs all checks and phases with valid and invalid data, with `cases` requests or more: a process sends some more than its share. */
export async function proveContract({ cases, seed, run, environment, onProgress }: With<'cases'>): Promise<Part> {
  if (!hasPython()) throw new Error('Schemathesis needs python3, 3.11 or later, with its venv module');
  await install(onProgress);
  const service = await startService(run, { ...UNDISTURBED, ...environment });
  const oracle = await startOracle(run);
  const failures: string[] = [];
  let [sent, next] = [0, seed];
  const workers = Math.min(4, availableParallelism(), Math.ceil(cases / 1_000));
  const share = Math.min(SHARE, Math.ceil(cases / workers));
  const worker = async () => {
    while (next < seed + cases / share && failures.length === 0) {
      const report = await runOnce(service, oracle, share, next++);
      sent += report.sent;
      failures.push(...report.failures);
      onProgress(`${sent} of ${cases} requests, ${failures.length} failures`);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  if (failures.length === 0 && sent < cases) failures.push(`only ${sent} of ${cases} requests were sent`);
  const note = `seeds ${seed} to ${next - 1}`;
  return { name: 'Contract', rows: [{ what: 'Requests by Schemathesis', tried: sent, failures, note }] };
}

/** The parts of Schemathesis' JSON report that are read here. */
interface Report {
  test_cases: { generated: number };
  phases: Record<string, { status: string }>;
  failures: { code: string; title: string; operations: string[] }[];
  errors: unknown[];
}

async function runOnce({ origin, apiKey }: Service, oracle: string, wanted: number, seed: number) {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'petstore-contract-'));
  const file = path.join(scratch.path, 'report.json');
  // Per operation and phase: most requests come from fuzzing the operations.
  const examples = String(Math.ceil(wanted / OPERATIONS));
  const args = ['--config-file', path.join(folder, 'schemathesis.toml'), 'run', `${origin}/openapi.json`];
  args.push('--max-examples', examples, '--seed', String(seed), '--no-color', '--report', 'json');
  const variables = { PROOF_BASE_URL: `${origin}/v1`, PROOF_API_KEY: apiKey, PROOF_ORACLE: oracle, PYTHONPATH: folder };
  // Schemathesis exits with 1 when it finds a failure.
  const { stdout, stderr, code } = await execute(
    path.join(tool, 'schemathesis'),
    [...args, '--report-json-path', file],
    { cwd: scratch.path, env: { ...process.env, ...variables, PYTHONDONTWRITEBYTECODE: '1' }, maxBuffer: 1e9 },
  ).catch((error) => error);
  const output = `${stdout}${stderr}`;
  if (!existsSync(file)) throw new Error(`Schemathesis ended with ${code}:\n${output}`);
  const { failures: found, phases, errors, test_cases } = JSON.parse(await readFile(file, 'utf8')) as Report;
  const failures = found.map(
    ({ code, title, operations }) => `${title} (${code}) in ${operations.join(', ')}, seed ${seed}`,
  );
  for (const [name, { status }] of Object.entries(phases)) if (status === 'skip') failures.push(`${name} did not run`);
  // Other errors show in the output only.
  if (failures.length === 0 && (code || errors.length > 0)) failures.push(output.slice(-2_000));
  return { sent: test_cases.generated, failures };
}

/** Installs Schemathesis into a virtual environment, with the hashes of `requirements.txt`. */
async function install(onProgress: (message: string) => void): Promise<void> {
  const requirements = path.join(folder, 'requirements.txt');
  const stamp = path.join(environment, 'requirements.txt');
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === (await readFile(requirements, 'utf8'))) return;
  onProgress('installing Schemathesis');
  await execute('python3', ['-m', 'venv', '--clear', environment]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes'];
  await execute(path.join(tool, 'python'), [...pip, '--requirement', requirements]);
  await copyFile(requirements, stamp);
}

/** A response that Schemathesis got. */
interface Got {
  method: string;
  url: string;
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

/**
 * Serves the validation of responses to `schemathesis/checks.py`: 204, or 200 with the problems. Schemathesis' own checks accept
 * undeclared properties and headers, and any status under `default`.
 *
 * @returns its URL
 */
async function startOracle(run: AsyncDisposableStack): Promise<string> {
  const oracle = createServer(async (request, response) => {
    const { method, url, status, headers, body } = (await json(request)) as Got;
    try {
      contract.expectContract(method, url, { status, headers: new Headers(headers) }, body);
      response.writeHead(204).end();
    } catch (error) {
      response.end((error as Error).message);
    }
  });
  return `http://127.0.0.1:${await listen(run.use(oracle))}`;
}
