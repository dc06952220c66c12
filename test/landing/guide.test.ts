import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyRepository, ROOT } from '../copy.ts';

/**
 * Runs the guide on a copy of the repository, block by block: `diff <file>` and `<language> <file>` change, begin or continue a file,
 * `sh` runs its lines, `sh fails` expects the last one to fail, and the lines of `text` must be part of the previous output. Then
 * its result passes lint, review, and all tests of the contract, the SDK and the server.
 */
const guide = readFileSync(path.join(ROOT, 'docs/add-an-operation.md'), 'utf8');
const blocks = [...guide.matchAll(/^```(\w+) ?(\S*)\n(.*?)^```$/gms)].map(
  ([, language = '', info = '', text = '']) => ({
    language,
    info,
    text,
  }),
);

let copy: ReturnType<typeof copyRepository>;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  copy = copyRepository();
  const { packageManager } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const which = ['--yes', `--package=${packageManager}`, '--call', 'which pnpm'];
  const pnpm = path.dirname(execFileSync('npx', which, { encoding: 'utf8' }).trim());
  // Drops the configuration of the outer test run, and keeps pnpm from changing the shared node_modules.
  env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TURBO|NODE_ENV)/.test(name)));
  Object.assign(env, { PATH: `${pnpm}:${env.PATH}`, pnpm_config_verify_deps_before_run: 'false' });
});

afterAll(() => copy?.remove());

/** Runs lines in the copy. Resolves to their exit code and all that they print. */
async function shell(lines: string) {
  const child = spawn('sh', ['-e', '-c', `exec 2>&1\n${lines}`], { cwd: copy.folder, env });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const printed = await textOf(child.stdout);
  return { code: await ended, printed };
}

test('docs/add-an-operation.md works as written', async () => {
  let printed = '';
  for (const { language, info, text } of blocks) {
    const file = path.join(copy.folder, info);
    if (language === 'sh') {
      const run = await shell(text);
      printed = run.printed;
      expect(info === 'fails' ? run.code !== 0 : run.code === 0, `${text}\n${printed}`).toBe(true);
    } else if (language === 'text') {
      for (const line of text.trim().split('\n')) expect(printed).toContain(line);
    } else if (language === 'diff') {
      writeFileSync(file, text.split(/^@@\n/m).slice(1).reduce(applyHunk, readFileSync(file, 'utf8')));
    } else {
      mkdirSync(path.dirname(file), { recursive: true });
      appendFileSync(file, existsSync(file) ? `\n${text}` : text);
    }
  }
  expect(blocks.map(({ language }) => language)).toEqual(expect.arrayContaining(['diff', 'ts', 'sh', 'text', 'md']));
});

test.each([
  'pnpm contract:generate --check',
  'pnpm contract:lint',
  'pnpm lint',
  'pnpm lint:redos',
  'pnpm exec turbo run typecheck test --filter=@repo/contract --filter=@petstore/client --filter=@petstore/server --continue --output-logs=errors-only',
  'pnpm contract:review --base main',
])('its result passes: %s', { timeout: 900_000 }, async (command) => {
  const { code, printed } = await shell(command);
  expect(code, printed.slice(-20_000)).toBe(0);
});

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
