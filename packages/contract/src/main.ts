/** The command line: `generate`, `lint`, `review`, `release`. Exit code 0: passed, 1: violations, 2: the tool itself failed. */
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { platformIn } from './complete.ts';
import { counted, isReleased, targetsOf } from './contract.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const USAGE = `Usage: pnpm contract:<command>

  contract:generate            write all files generated from the contracts in openapi/
  contract:generate --check    fail if a generated file is stale, missing or left over
  contract:lint [file]         check the contracts against Redocly's recommended rules and our own
  contract:review --base <git ref or file> [--head <file>] [--contract <file or name>] [--format markdown|json]
                               report breaking and compatible changes of each contract, and the version bump they require
  contract:release             after \`changeset version\`: set info.version and save the contracts as released
`;

// The compile cache halves the start of Redocly and TypeScript. Each command imports its modules on demand for the same
// reason.
enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache'));

const commands: Record<string, (args: string[]) => Promise<number>> = {
  async generate(args) {
    const { generateFiles, staleFiles, writeFiles } = await import('./generate/generate.ts');
    const { bundleFile } = await import('./redocly.ts');
    const { values } = parseArgs({ args, options: { check: { type: 'boolean', default: false } } });
    const files: string[] = [];
    for (const target of targetsOf(ROOT)) {
      const document = await bundleFile(path.join(ROOT, target.contract), platformIn(ROOT));
      const expected = generateFiles(document, target);
      files.push(...(values.check ? staleFiles(ROOT, expected) : writeFiles(ROOT, expected)));
    }
    const list = files.map((file) => `\n  ${file}`).join('');
    if (list === '') console.log('Generated files are up to date.');
    else if (!values.check) console.log(`Wrote:${list}`);
    else console.error(`Stale; run \`pnpm contract:generate\` and commit the result:${list}`);
    return values.check && list !== '' ? 1 : 0;
  },

  async lint(args) {
    const { lint } = await import('./redocly.ts');
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const files = positionals[0] ? positionals : targetsOf(ROOT).map(({ contract }) => path.join(ROOT, contract));
    const problems = (await Promise.all(files.map((file) => lint(file, platformIn(ROOT))))).flat();
    // `file:line:column`, which editors and terminals turn into links.
    for (const { file, line, column, rule, message } of problems)
      console.log(`${file}:${line}:${column} ${rule}  ${message}`);
    console.log(counted(problems.length, 'problems'));
    return problems.length === 0 ? 0 : 1;
  },

  async review(args) {
    const { reviews } = await import('./review/review.ts');
    const { toAnnotations, toJson } = await import('./review/formats.ts');
    const { toMarkdown } = await import('./review/markdown.ts');
    const { values } = parseArgs({
      args,
      options: {
        base: { type: 'string' },
        head: { type: 'string' },
        contract: { type: 'string' },
        format: { type: 'string', default: 'markdown' },
      },
    });
    const { base, head, contract, format } = values;
    if (base === undefined) throw new Error('--base <git ref or file> is missing');
    if (format !== 'markdown' && format !== 'json') throw new Error(`--format ${format} is neither markdown nor json`);
    // The JSON of a report stays alone on stdout.
    const tell = format === 'json' ? console.error : console.log;
    const reports = await reviews({ base, head, contract, cwd: process.cwd(), now: new Date() }, tell);
    for (const report of reports) {
      console.log(format === 'json' ? toJson(report) : toMarkdown(report));
      // GitHub reads annotations on either stream; stdout has the report.
      if (process.env.GITHUB_ACTIONS === 'true') console.error(toAnnotations(report));
    }
    return reports.every(({ violations }) => violations.length === 0) ? 0 : 1;
  },

  async release() {
    const { release } = await import('./release.ts');
    for (const target of targetsOf(ROOT).filter(isReleased)) {
      const { version, changed } = await release(ROOT, target);
      console.log(`${target.contract} ${changed ? 'is now' : 'stays'} ${version}.`);
    }
    return 0;
  },
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!command) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await command(args);
  } catch (error) {
    console.error(`contract ${name}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 2;
  }
}
