import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Key } from '@petstore-platform/openapi';
import type { Operation } from '../contract.ts';
import { keyOf, quoted } from '../generate/values.ts';
import type { Finding } from './finding.ts';

/** One program for both sides: it parses their common libraries once. */
const OPTIONS = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleDetection: 'force',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  customConditions: ['source'],
};

/** The most characters of a message and of a line that are told. */
const MOST_SHOWN = 120;

/**
 * Type-checks the generated server, with each operation `todo`, and the SDK.
 *
 * @param files - the generated files, text by path
 * @param names - the places of operations and schemas by their names in these files
 * @param scratch - the folder that has the files
 */
export async function typeFindings(
  files: ReadonlyMap<string, string>,
  operations: Operation[],
  names: ReadonlyMap<string, Key[]>,
  scratch: string,
  root: string,
): Promise<Finding[]> {
  const config = { compilerOptions: OPTIONS, include: ['server', 'client'] };
  const handlers = operations.map(({ id }) => `  ${keyOf(id)}: todo(${quoted(id)}),\n`).join('');
  const service = `import { operationsOf } from '@petstore-platform/server-runtime';
import { contract } from './contract.ts';
import type { Handlers } from './operations.ts';

const { todo } = operationsOf(contract);
export const handlers: Record<keyof Handlers<unknown>, unknown> = {
${handlers}};
`;
  writeFileSync(path.join(scratch, 'server/service.ts'), service);
  writeFileSync(path.join(scratch, 'tsconfig.json'), JSON.stringify(config));
  const child = spawn(process.execPath, [compilerIn(root), '-p', '.', '--pretty', 'false'], { cwd: scratch });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (status === 0) return [];
  const all = [...output.matchAll(/^(.+?)\((\d+),\d+\): error TS\d+: (.*)$/gm)];
  if (all.length === 0) throw new Error(`tsc fails: ${output.slice(0, 200)}`);
  // No contract is the cause of an error in the runtime.
  const errors = all.filter(([, file = '']) => !file.startsWith('..'));
  const found = errors.map(([, file = '', line = '', message = '']) => {
    const lines = (file.endsWith('service.ts') ? service : (files.get(file) ?? '')).split('\n');
    const named = placeOf(lines, Number(line), names) ?? { name: file, keys: [] };
    const part = (lines[Number(line) - 1] ?? '').trim();
    const side = file.startsWith('client') ? 'SDK' : 'server';
    return { ...named, side, message: `${message.slice(0, MOST_SHOWN)}, in \`${part.slice(0, MOST_SHOWN)}\`` };
  });
  const byPlace = Map.groupBy(found, ({ side, keys }) => `${side} ${JSON.stringify(keys)}`);
  return [...byPlace.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    const cause = `The generated ${first.side} does not compile because of \`${first.name}\`: ${first.message}${more}`;
    const message = `${cause} Write this part in another way, and report the defect of the generator.`;
    return { level: 'error' as const, rule: 'trial/types', message, keys: first.keys };
  });
}

/** The TypeScript of the repository, which is faster, or that of the generators. */
function compilerIn(root: string): string {
  const local = path.join(root, 'node_modules/typescript/bin/tsc');
  return existsSync(local) ? local : createRequire(import.meta.url).resolve('typescript/bin/tsc');
}

/** The operation or schema in which a line of a generated file stands: the nearest name on it, or on the lines that it is indented below. */
function placeOf(lines: string[], line: number, names: ReadonlyMap<string, Key[]>) {
  let least = Number.POSITIVE_INFINITY;
  for (let index = line - 1; index >= 0; index--) {
    const one = lines[index] ?? '';
    const indent = one.search(/\S/);
    if (indent < 0 || (indent >= least && index < line - 1)) continue;
    least = indent;
    for (const [name] of one.matchAll(/[\w$./{}-]+/g)) {
      const keys = names.get(name);
      if (keys) return { name, keys };
    }
  }
  return undefined;
}
