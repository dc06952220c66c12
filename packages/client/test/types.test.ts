import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5.9';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const consumer = path('types/consumer.ts');
const files = [consumer, path('types/refused.ts')];
const text = readFileSync(consumer, 'utf8');

/** The service of TypeScript 5.9 for an editor, which runs in the editor's process. */
function languageService(): ts.LanguageService {
  const { config } = ts.readConfigFile(path('types/tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, path('types'));
  const { fileExists, readFile, directoryExists, getDirectories, realpath } = ts.sys;
  return ts.createLanguageService({
    // pnpm links each package: its dependencies stand beside its real path.
    ...{ fileExists, readFile, directoryExists, getDirectories, ...(realpath && { realpath }) },
    getCompilationSettings: () => options,
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => (fileExists(file) ? ts.ScriptSnapshot.fromString(readFile(file) ?? '') : undefined),
    getCurrentDirectory: () => path('..'),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
}

describe('an editor with TypeScript', () => {
  let editor: ts.LanguageService;
  beforeAll(() => {
    editor = languageService();
  });
  afterAll(() => editor.dispose());

  test('shows no errors in the consumer, and one for each mistake', () => {
    for (const file of files) expect(editor.getSemanticDiagnostics(file)).toEqual([]);
  });

  test('strikes through getPet only, also of fetchClient and queries, and shows its replacement', () => {
    const struck = editor.getSuggestionDiagnostics(consumer).filter((one) => one.reportsDeprecated);
    const words = struck.map(({ start, length }) => text.slice(start, start + length));
    expect(words).toEqual(['getPet', 'GET', 'getPet']);
    const { tags = [] } = editor.getQuickInfoAtPosition(consumer, struck[0]?.start ?? 0) ?? {};
    const shown = tags.map((tag) => `${tag.name} ${ts.displayPartsToString(tag.text)}`).join('\n');
    expect(shown).toMatch(/^deprecated.*5 December 2030.*`listPets` with the `status` filter/m);
  });

  test('offers the codes of the status of a failure only', () => {
    const before = "error.code === '";
    const offered = editor.getCompletionsAtPosition(consumer, text.indexOf(before) + before.length, {})?.entries;
    expect(offered?.map(({ name }) => name).toSorted()).toEqual(['conflict', 'idempotency_key_in_use']);
  });
});

test.each(['typescript-5.9', '../../node_modules/typescript'])(
  'declarations of what calls give name only this package, as in a strict layout of pnpm: %s',
  (compiler) => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-types-'));
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
