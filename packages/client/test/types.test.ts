import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Editor, languageService } from './editor.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const consumer = path('types/consumer.ts');
const files = [consumer, path('types/refused.ts')];

const text = readFileSync(consumer, 'utf8');

describe('an editor with TypeScript', () => {
  let editor: Editor;
  beforeAll(() => {
    editor = languageService(files);
  });
  afterAll(() => editor.close());
  /** The hover of the last name in the first occurrence of `code`. */
  const hover = (code: string) => {
    const start = text.search(RegExp(`${code.replace(/[{}().]/g, '\\$&')}\\b`));
    return editor.hover(consumer, start + code.length - 1);
  };

  test('shows no errors in the consumer, and one for each mistake', () => {
    for (const file of files) expect(editor.errors(file)).toEqual([]);
  });

  test('strikes through getPet only, also of fetchClient and queries, and shows its replacement', () => {
    expect(editor.struck(consumer)).toEqual(['getPet', 'GET', 'getPet']);
    const shown = hover('petstore.getPet');
    expect(shown).toMatch(/deprecated.*`listPets` with the `status` filter/);
    expect(shown).toContain('5 December 2030');
  });

  test('offers the codes of the status of a failure only', () => {
    const before = "error.code === '";
    const offered = editor.offers(consumer, text.indexOf(before) + before.length);
    expect(offered.toSorted()).toEqual(['conflict', 'idempotency_key_in_use']);
  });
});

test.each(['typescript-5.9', '../../node_modules/typescript'])(
  'declarations of what calls give name only this package, as in a strict layout of pnpm: %s',
  (compiler) => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-types-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'node_modules/@petstore'), { recursive: true });
    symlinkSync(path('..'), join(folder, 'node_modules/@petstore/client'));
    copyFileSync(path('types/exported.ts'), join(folder, 'exported.ts'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const tsc = createRequire(import.meta.url).resolve(
      compiler.startsWith('.') ? join(path('..'), compiler, 'bin/tsc') : `${compiler}/lib/tsc.js`,
    );
    const lib = ['es2023', 'dom', 'dom.iterable'];
    const compilerOptions = { declaration: true, strict: true, module: 'nodenext', lib, types: [], skipLibCheck: true };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const { status, stdout } = spawnSync(process.execPath, [tsc], { cwd: folder, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(readFileSync(join(folder, 'exported.d.ts'), 'utf8')).not.toMatch(/client-runtime|: any/);
  },
);
