/**
 * The only door to Redocly CLI. It is spawned rather than imported: the package has no programming interface, and a
 * child process keeps its settings and its crashes out of ours.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One finding of the lint. */
export interface Problem {
  /** The rule's name; ours start with `petstore/`. */
  rule: string;
  severity: 'error' | 'warn';
  message: string;
  /** Relative to the working directory. */
  file: string;
  /** Counted from 1, like `column`. */
  line: number;
  column: number;
  /** JSON pointer within the file, as `#/paths/~1pets/get`. */
  pointer: string;
}

/** What we read of `redocly lint --format=json`. */
interface LintReport {
  totals: { errors: number };
  problems: {
    ruleId: string;
    severity: 'error' | 'warn';
    message: string;
    location: [{ source: { ref: string }; pointer: string; start: { line: number; col: number } }];
  }[];
}

const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
const config = fileURLToPath(new URL('../redocly.yaml', import.meta.url));

/**
 * Lints OpenAPI documents in one process, with the files they refer to, by the rules of `redocly.yaml`.
 *
 * @throws Error with a one-line message when a document cannot be read or parsed, or when Redocly fails.
 */
export async function lintFiles(files: readonly string[]): Promise<Problem[]> {
  // Redocly stops at 100 problems unless told otherwise.
  const result = await run(['lint', ...files, '--format=json', '--max-problems=1000000']);
  // It prints one indented object for each file, with nothing in between.
  const reports = parseJson(result, `[${result.stdout.replaceAll('\n}{', '\n},{')}]`) as LintReport[];
  const errors = reports.reduce((sum, { totals }) => sum + totals.errors, 0);
  if (result.stderr.includes('Unused rules found')) {
    throw new Error('Redocly did not apply all of our rules: they are for OpenAPI 3 documents');
  }
  // An answer that does not fit the exit code, or the number of files, is not to be taken for "no problems".
  if (reports.length !== files.length || result.exitCode !== (errors > 0 ? 1 : 0)) throw failure(result);
  return reports.flatMap(({ problems }) => problems.map(toProblem));
}

/**
 * Bundles an OpenAPI document into one object: what other files contribute is pulled in, references between
 * components stay references.
 *
 * @throws Error with a one-line message when a file cannot be read or parsed, when a `$ref` leads nowhere, or when
 *   Redocly fails.
 */
export async function bundleFile(file: string): Promise<Record<string, unknown>> {
  const result = await run(['bundle', file, '--ext=json']);
  if (result.exitCode !== 0) throw failure(result);
  return parseJson(result, result.stdout) as Record<string, unknown>;
}

function toProblem({ ruleId, severity, message, location: [location] }: LintReport['problems'][number]): Problem {
  const { line, col } = location.start;
  return { rule: ruleId, severity, message, file: location.source.ref, line, column: col, pointer: location.pointer };
}

interface Result {
  exitCode: number;
  stdout: string;
  stderr: string;
}

function run(args: readonly string[]): Promise<Result> {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NODE_NO_WARNINGS: '1' };
  const env = { ...process.env, ...quiet, NO_COLOR: '1', FORCE_COLOR: undefined };
  const command = [cli, ...args, `--config=${config}`, '--lint-config=error'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { env, maxBuffer: Infinity }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : error.code;
      if (typeof exitCode === 'number') resolve({ exitCode, stdout, stderr });
      else reject(new Error(`Redocly did not run to its end: ${error?.signal ?? error?.message}`));
    });
  });
}

function parseJson(result: Result, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failure(result);
  }
}

/** What Redocly complains about on stderr, in one line. */
function failure({ exitCode, stderr }: Result): Error {
  const syntaxError = /(?:-|Failed to parse:) (.+) in "(.+)" \((\d+:\d+)\)/.exec(stderr);
  if (syntaxError !== null) {
    const [, reason, file = '', position] = syntaxError;
    return new Error(`${relative('', file)}:${position} ${reason}`);
  }
  const lines = stderr.split('\n').map((line) => line.trim());
  const complaint = lines.filter((line) => line !== '' && !/^(validating|bundling) /.test(line)).slice(0, 2);
  return new Error(`Redocly failed: ${complaint.join(' ') || `exit code ${exitCode}, no output`}`);
}
