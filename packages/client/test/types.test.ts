import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5.9';
import { expect, onTestFinished, test } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const consumer = path('types/consumer.ts');
const files = [consumer, path('types/refused.ts')];

/** The TypeScript language service of editors, for the files of an app. */
function languageService(): ts.LanguageService {
  const { config } = ts.readConfigFile(path('types/tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, path('types'));
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const text = ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => path('..'),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    // pnpm links each package: its dependencies stand beside its real path.
    realpath: (file) => ts.sys.realpath?.(file) ?? file,
  });
}

const service = languageService();

test('an editor shows no errors in the consumer, and one for each mistake', () => {
  for (const file of files) expect(service.getSemanticDiagnostics(file)).toEqual([]);
});

test('an editor strikes through getPet only, also of fetchClient and queries, and shows its replacement', () => {
  const text = readFileSync(consumer, 'utf8');
  const struckThrough = service.getSuggestionDiagnostics(consumer).filter((diagnostic) => diagnostic.reportsDeprecated);
  const names = struckThrough.map(({ start, length }) => text.slice(start, start + length));
  expect(names).toEqual(['getPet', 'GET', 'getPet']);

  const tags = service.getQuickInfoAtPosition(consumer, struckThrough[0]?.start ?? 0)?.tags ?? [];
  const message = ts.displayPartsToString(tags.find((tag) => tag.name === 'deprecated')?.text);
  expect(message).toMatch(/`listPets` with the `status` filter/);
  expect(message).toContain('5 December 2030');
});

test('an editor shows names of types and descriptions of the contract', () => {
  const text = readFileSync(consumer, 'utf8');
  /** The hover of the last name in the first occurrence of `code`. */
  const hover = (code: string) => {
    const start = text.search(RegExp(`${code.replace(/[{}().]/g, '\\$&')}\\b`));
    const shown = service.getQuickInfoAtPosition(consumer, start + code.length - 1);
    const parts = [shown?.displayParts, shown?.documentation, ...(shown?.tags ?? []).map(({ text }) => text)];
    return parts.map(ts.displayPartsToString).join('\n');
  };
  expect(hover('const pet')).toMatch(/^const pet: Pet\n/);
  expect(hover('const list')).toMatch(/^const list: PagedCall<Pets>\n/);
  expect(hover('const page')).toMatch(/^const page: Pets\n/);
  expect(hover('const creation')).toMatch(/^const creation: Call<Pet>\n/);
  expect(hover('listPets({ limit')).toMatch(/The maximum number of items to return\. 1 to 100\.\n(.*\n)*20/);
  expect(hover('createPet({ ...biscuit, status')).toContain('Availability for adoption.');
  expect(hover('biscuit: NewPet = { name')).toContain('1 to 255 characters.');
  expect(hover('error.code')).toContain('The kind of failure.');
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
