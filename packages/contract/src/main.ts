/** The commands `generate`, `lint`, `review`, `release`. Exit codes: 0 passed, 1 violations, 2 the tool itself failed. */
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { platformIn } from './complete.ts';
import { isReleased, targetsOf } from './contract.ts';
import type { Problem } from './lint/report.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const USAGE = `Usage: pnpm contract:<command>

  contract:generate            write all files generated from the contracts in openapi/
  contract:generate --check    fail if a generated file is stale, missing or left over
  contract:lint [file] [--all]
                               check the contracts against Redocly's recommended rules and our own, and try what is generated from
                               them; --all shows all warnings of a rule
  contract:review --base <git ref or file>
                               report breaking and compatible changes of each contract, and the version bump they require;
                               contract:review --help lists all options
  contract:release             after \`changeset version\`: set info.version and save the contracts as released
`;

// The compile cache halves the start of Redocly and TypeScript. Each command imports its modules on demand for the same
// reason.
enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache'));

const commands: Record<string, (args: string[]) => Promise<number>> = {
  async generate(args) {
    const { generateFiles, staleFiles, writeFiles } = await import('./generate/generate.ts');
    const { bundleFile } = await import('./read.ts');
    const { values } = parseArgs({ args, options: { check: { type: 'boolean', default: false } } });
    const files: string[] = [];
    for (const target of targetsOf(ROOT)) {
      const document = await bundleFile(path.join(ROOT, target.contract), platformIn(ROOT), ROOT);
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
    const { check } = await import('./check.ts');
    const { isError, report } = await import('./lint/report.ts');
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { all: { type: 'boolean' } } });
    const files = positionals[0] ? positionals : targetsOf(ROOT).map(({ contract }) => path.join(ROOT, contract));
    const problems: Problem[] = [];
    // One after the other, because each uses all cores.
    for (const file of files) problems.push(...(await check(file, ROOT)));
    process.stdout.write(report(problems, values.all));
    return problems.some(isError) ? 1 : 0;
  },

  async review(args) {
    const { run } = await import('@petstore-platform/contract-review');
    const { jobsFor } = await import('./review.ts');
    return run(args, jobsFor);
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
const isHelp = ['help', '--help'].includes(name) || (args.includes('--help') && name !== 'review');
if (isHelp) console.log(USAGE);
else if (!command) {
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
