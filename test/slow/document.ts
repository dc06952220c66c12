import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'vitest';
import { ROOT } from '../copy.ts';

/**
 * Runs a document in a folder, block by block: `diff <file>` and `<language> <file>` change, begin or continue a file,
 * `sh` runs its lines, `sh fails` expects the last one to fail, and the lines of `text` must be part of the previous output. Blocks of
 * `console` are only read.
 */
export interface Block {
  language: string;
  info: string;
  text: string;
  /** Text of the last heading before it. */
  heading: string;
}

export function blocksOf(file: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  const document = readFileSync(path.resolve(ROOT, file), 'utf8');
  for (const match of document.matchAll(/^```(\w+) ?(\S*)\n(.*?)^```$|^#+ ([^\n]*)$/gms)) {
    const [, language, info = '', text = '', title] = match;
    if (title !== undefined) heading = title;
    else if (language && language !== 'console') blocks.push({ language, info, text, heading });
  }
  return blocks;
}

/**
 * Writes the code in the README of an SDK as modules in a folder. The client of the first one is that of the others, too.
 *
 * @returns their sections
 */
export function writeModules(readme: string, folder: string): string[] {
  const modules = blocksOf(readme).filter(({ language }) => language === 'ts');
  const [client = ''] = /^import [^;]*;\s*const [^;]*;$/m.exec(`${modules[0]?.text}`) ?? [];
  mkdirSync(folder, { recursive: true });
  for (const { heading, text } of modules)
    writeFileSync(path.join(folder, `${heading}.ts`), /create(Test)?Client/.test(text) ? text : `${client}\n${text}`);
  writeFileSync(
    path.join(folder, 'next.d.ts'),
    "declare module 'next/server' {\n  function connection(): Promise<void>;\n}\n",
  );
  return modules.map(({ heading }) => heading);
}

/** @param variables - of the environment, besides those of this process */
export function readerOf(folder: string, variables: NodeJS.ProcessEnv = {}) {
  // Drops the configuration of the outer test run, and keeps pnpm from changing the shared node_modules.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TURBO|NODE_ENV)/.test(name)),
  );
  Object.assign(env, {
    pnpm_config_verify_deps_before_run: 'false',
    // Turbo skips builds and checks of packages that the copy has not changed.
    TURBO_CACHE_DIR: path.join(ROOT, '.turbo/cache'),
    ...variables,
  });
  /** The files that the document has begun. */
  const begun = new Set<string>();

  /** Runs lines in the folder. Resolves to their exit code and all that they print. */
  async function shell(lines: string): Promise<{ code: number | null; printed: string }> {
    const child = spawn('sh', ['-e', '-c', `exec 2>&1\n${lines}`], { cwd: folder, env });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const printed = await textOf(child.stdout);
    return { code: await ended, printed };
  }

  async function run(blocks: Block[]): Promise<void> {
    let printed = '';
    for (const { language, info, text } of blocks) {
      const file = path.join(folder, info);
      if (language === 'sh') {
        const ran = await shell(text);
        printed = ran.printed;
        expect(info === 'fails' ? ran.code !== 0 : ran.code === 0, `${text}\n${printed}`).toBe(true);
      } else if (language === 'text') {
        for (const line of text.trim().split('\n')) expect(printed).toContain(line);
      } else if (language === 'diff') {
        writeFileSync(file, text.split(/^@@\n/m).slice(1).reduce(applyHunk, readFileSync(file, 'utf8')));
      } else {
        mkdirSync(path.dirname(file), { recursive: true });
        if (begun.has(info)) appendFileSync(file, `\n${text}`);
        else writeFileSync(file, text);
        begun.add(info);
      }
    }
  }

  return { shell, run };
}

/** Applies a hunk at its context, which must match exactly once. Its last line may match a prefix of a line. */
function applyHunk(text: string, hunk: string): string {
  const lines = hunk.trimEnd().split('\n');
  const side = (sign: string) =>
    lines.flatMap((line) => (line[0] === sign || line[0] === ' ' || line === '' ? line.slice(1) : [])).join('\n');
  const [before, after] = [`\n${side('-')}`, `\n${side('+')}`];
  const places = `\n${text}`.split(before).length - 1;
  expect(places, `places for:\n${before}`).toBe(1);
  return `\n${text}`.replace(before, () => after).slice(1);
}
