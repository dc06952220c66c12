#!/usr/bin/env node
/** The commands `generate`, `lint`, `review`, `release`. Exit codes: 0 passed, 1 violations, 2 the tool itself failed. */
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Problem } from './lint/report.ts';
import { isReleased, rootOf, targetsOf } from './targets.ts';
import { refuseMixed } from './versions.ts';

const USAGE = `Usage: contract <command>

  generate            write all files generated from the contracts in openapi/
  generate --check    fail if a generated file is stale, missing or left over
  lint [file] [--all] check the contracts against Redocly's recommended rules and our own, and try what is generated from them;
                      --all shows all warnings of a rule
  review --base <git ref or file>
                      report breaking and compatible changes of each contract, and the version bump they require;
                      review --help lists all options
  release             after \`changeset version\`: set info.version and save the contracts as released
`;

// The compile cache halves the start of Redocly and TypeScript. Each command imports its modules on demand for the same
// reason.
enableCompileCache();

const commands: Record<string, (args: string[]) => Promise<number>> = {
  async generate(args) {
    const { generateAll } = await import('./generate/generate.ts');
    const { values } = parseArgs({ args, options: { check: { type: 'boolean', default: false } } });
    const root = rootOf();
    refuseMixed(root);
    const files = [...generateAll(root, !values.check)];
    const list = files.map((file) => `\n  ${file}`).join('');
    if (list === '') console.log('Generated files are up to date.');
    else if (!values.check) console.log(`Wrote:${list}`);
    else console.error(`Stale; generate, and commit the result:${list}`);
    return values.check && list !== '' ? 1 : 0;
  },

  async lint(args) {
    const { check } = await import('./check.ts');
    const { isError, report } = await import('./lint/report.ts');
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { all: { type: 'boolean' } } });
    const root = rootOf();
    const files = positionals[0] ? positionals : targetsOf(root).map(({ contract }) => path.join(root, contract));
    const problems: Problem[] = [];
    // One after the other, because each uses all cores.
    for (const file of files) problems.push(...(await check(file, root)));
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
    const root = rootOf();
    for (const target of targetsOf(root).filter(isReleased)) {
      const { version, changed } = await release(root, target);
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
