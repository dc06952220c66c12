/** The service of TypeScript's language that editors use. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5.9';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** What an editor shows at a place of a file, which is an offset. */
export interface Editor {
  hover(file: string, at: number): string;
  /** The names and texts that it offers. */
  offers(file: string, at: number): string[];
  /** The messages about errors. */
  errors(file: string): unknown[];
  /** The words that are struck through. */
  struck(file: string): string[];
  close(): void;
}

/** The service of TypeScript 5.9, which runs in the editor's process. */
export function languageService(files: string[]): Editor {
  const { config } = ts.readConfigFile(path('types/tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, path('types'));
  const service = ts.createLanguageService({
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
  return {
    hover: (file, at) => {
      const { displayParts, documentation, tags = [] } = service.getQuickInfoAtPosition(file, at) ?? {};
      const told = tags.map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`);
      return [ts.displayPartsToString(displayParts), ts.displayPartsToString(documentation), ...told].join('\n');
    },
    offers: (file, at) => service.getCompletionsAtPosition(file, at, {})?.entries.map(({ name }) => name) ?? [],
    errors: (file) => service.getSemanticDiagnostics(file),
    struck: (file) =>
      service
        .getSuggestionDiagnostics(file)
        .filter((one) => one.reportsDeprecated)
        .map(({ start, length }) => readFileSync(file, 'utf8').slice(start, start + length)),
    close: () => service.dispose(),
  };
}
