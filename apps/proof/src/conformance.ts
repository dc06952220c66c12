import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Part } from './report.ts';
import { startService, UNDISTURBED } from './service.ts';

/** The contract checked from outside, by Schemathesis: a tool that knows nothing of this server but its OpenAPI document. */

const folder = path.join(import.meta.dirname, '../schemathesis');
const environment = path.join(import.meta.dirname, '../node_modules/.cache/schemathesis');
const tool = path.join(environment, process.platform === 'win32' ? 'Scripts' : 'bin');

/**
 * Requests of one Schemathesis process, about. A run of many is several of them, each with a seed of its own, and one thread:
 * with more, Python 3.11 fails now and then (SystemError: AST constructor recursion depth mismatch).
 */
const SHARE = 5_000;

export interface ConformanceOptions {
  /** Requests to send at least. */
  cases: number;
  seed: number;
  /** Default: the server itself. */
  script?: string | undefined;
  environment?: Record<string, string>;
  onProgress(message: string): void;
}

/** Why Schemathesis cannot run here; undefined when it can. */
export async function missingPython(): Promise<string | undefined> {
  const needed = 'Schemathesis needs python3, 3.11 or later, with its venv module';
  try {
    const probe = 'import sys, venv, ensurepip; print(sys.version_info >= (3, 11))';
    const { stdout } = await promisify(execFile)('python3', ['-c', probe]);
    return stdout.trim() === 'True' ? undefined : `${needed}; this one is older`;
  } catch {
    return `${needed}; there is none`;
  }
}

/** Every check, every phase, valid and invalid data, until so many requests were sent. */
export async function proveConformance(options: ConformanceOptions): Promise<Part> {
  const { cases, seed, script, environment: variables, onProgress } = options;
  await install(onProgress);
  const service = await startService({ script, environment: { ...UNDISTURBED, ...variables } });
  try {
    const failures: string[] = [];
    const phases = new Set<string>();
    let sent = 0;
    let next = seed;
    const worker = async () => {
      while (sent < cases && failures.length === 0) {
        const wanted = Math.min(SHARE, Math.ceil((cases - sent) / lanes));
        const report = await runOnce(service, { wanted, seed: next++, onProgress });
        sent += report.cases;
        for (const phase of report.phases) phases.add(phase);
        failures.push(...report.failures);
        onProgress(`conformance: ${sent} of ${cases} requests, ${failures.length} failures`);
      }
    };
    const lanes = Math.min(4, availableParallelism());
    await Promise.all(Array.from({ length: lanes }, worker));
    const note = `${[...phases].join(', ')}; seeds ${seed} to ${next - 1}`;
    return { name: 'Contract', rows: [{ what: 'Requests by Schemathesis', tried: sent, failures, note }] };
  } finally {
    await service.stop();
  }
}

interface Outcome {
  cases: number;
  /** Those that ran. */
  phases: string[];
  failures: string[];
}

/** What is read of Schemathesis' JSON report. */
interface JsonReport {
  test_cases: { generated: number };
  phases: Record<string, { status: string }>;
  failures: { code: string; title: string; operations: string[] }[];
  errors: unknown[];
}

async function runOnce(
  { origin, apiKey }: { origin: string; apiKey: string },
  { wanted, seed, onProgress }: { wanted: number; seed: number; onProgress(message: string): void },
): Promise<Outcome> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'petstore-conformance-'));
  const file = path.join(scratch, 'report.json');
  // Of one operation and phase. Most of them come from fuzzing, of three operations.
  const examples = Math.ceil(wanted / 3);
  const config = ['--config-file', path.join(folder, 'schemathesis.toml')];
  const report = ['--report', 'json', '--report-json-path', file];
  const args = [...config, 'run', `${origin}/openapi.json`, '--max-examples', `${examples}`, '--seed', `${seed}`];
  const child = spawn(path.join(tool, 'schemathesis'), [...args, '--no-color', ...report], {
    cwd: scratch,
    env: {
      ...process.env,
      PROOF_BASE_URL: `${origin}/v1`,
      PROOF_API_KEY: apiKey,
      PYTHONPATH: folder,
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  try {
    const [code] = await once(child, 'close');
    if (!existsSync(file)) throw new Error(`Schemathesis ended with ${code}:\n${output}`);
    const result = JSON.parse(await readFile(file, 'utf8')) as JsonReport;
    const phases = Object.entries(result.phases);
    const failures = result.failures.map(
      ({ code, title, operations }) => `${title} (${code}) in ${operations.join(', ')}, seed ${seed}`,
    );
    for (const [name, { status }] of phases) if (status === 'skip') failures.push(`${name} did not run`);
    // Whatever else it is not content with.
    if (failures.length === 0 && (code !== 0 || result.errors.length > 0)) failures.push(output.slice(-2_000));
    if (failures.length > 0) onProgress(output);
    return { cases: result.test_cases.generated, phases: phases.map(([name]) => name), failures };
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** Schemathesis in a virtual environment of its own, each package by the hash that `requirements.txt` has. */
async function install(onProgress: (message: string) => void): Promise<void> {
  const requirements = path.join(folder, 'requirements.txt');
  const stamp = path.join(environment, 'requirements.txt');
  const wanted = await readFile(requirements, 'utf8');
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) return;
  onProgress('conformance: installing Schemathesis');
  const run = promisify(execFile);
  await rm(environment, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', environment]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes'];
  await run(path.join(tool, 'python'), [...pip, '--requirement', requirements]);

  await copyFile(requirements, stamp);
}
