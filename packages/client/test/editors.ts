/** The two servers of TypeScript's language that editors use. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript-5.9';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** What an editor shows at a place of a file, which is an offset. */
export interface Editor {
  hover(file: string, at: number): Promise<string>;
  /** The names and texts that it offers. */
  offers(file: string, at: number): Promise<string[]>;
  /** The messages about errors. */
  errors(file: string): Promise<unknown[]>;
  /** The words that are struck through. */
  struck(file: string): Promise<string[]>;
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
    hover: async (file, at) => {
      const { displayParts, documentation, tags = [] } = service.getQuickInfoAtPosition(file, at) ?? {};
      const told = tags.map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`);
      return [ts.displayPartsToString(displayParts), ts.displayPartsToString(documentation), ...told].join('\n');
    },
    offers: async (file, at) => service.getCompletionsAtPosition(file, at, {})?.entries.map(({ name }) => name) ?? [],
    errors: async (file) => service.getSemanticDiagnostics(file),
    struck: async (file) =>
      service
        .getSuggestionDiagnostics(file)
        .filter((one) => one.reportsDeprecated)
        .map(({ start, length }) => readFileSync(file, 'utf8').slice(start, start + length)),
    close: () => service.dispose(),
  };
}

interface Position {
  line: number;
  character: number;
}
interface Diagnostic {
  severity: number;
  message: string;
  range: { start: Position; end: Position };
}

/** The server of TypeScript 7 (Language Server Protocol 3.17), a process that an editor starts. */
export async function languageServer(files: string[]): Promise<Editor> {
  const tsc = path('../../../node_modules/typescript/bin/tsc');
  const server = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const { ask, tell } = connection(server);
  const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } };
  await ask('initialize', { processId: null, rootUri: null, capabilities });
  tell('initialized', {});
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const textDocument = { uri: pathToFileURL(file).href, languageId: 'typescript', version: 1, text };
    tell('textDocument/didOpen', { textDocument });
  }
  const at = (file: string, offset: number) => {
    const lines = readFileSync(file, 'utf8').slice(0, offset).split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)?.length };
    return { textDocument: { uri: pathToFileURL(file).href }, position };
  };
  const diagnostics = async (file: string) => {
    const { items } = (await ask('textDocument/diagnostic', at(file, 0))) as { items: Diagnostic[] };
    return items;
  };
  return {
    hover: async (file, offset) => {
      const found = (await ask('textDocument/hover', at(file, offset))) as { contents: { value: string } } | null;
      return found?.contents.value.replace(/^```typescript\n/, '') ?? '';
    },
    offers: async (file, offset) => {
      const found = await ask('textDocument/completion', at(file, offset));
      return (found as { items: { label: string }[] }).items.map(({ label }) => label);
    },
    errors: async (file) => (await diagnostics(file)).filter(({ severity }) => severity === 1),
    struck: async (file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      const found = (await diagnostics(file)).filter(({ message }) => /is deprecated/.test(message));
      return found.map(({ range: { start, end } }) => `${lines[start.line]?.slice(start.character, end.character)}`);
    },
    close: () => void server.kill(),
  };
}

/** Requests and notifications, each a JSON text after a header with its length. */
function connection(server: ChildProcess) {
  const { stdin, stdout } = server;
  const waiting = new Map<unknown, { resolve(result: unknown): void; reject(reason: unknown): void }>();
  server.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the language server ended with ${code}`));
  });
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  let rest = Buffer.alloc(0);
  stdout?.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const begin = rest.indexOf('\r\n\r\n') + 4;
      const length = Number(/Content-Length: (\d+)/.exec(rest.toString('latin1', 0, begin))?.[1]);
      if (begin < 4 || rest.length < begin + length) return;
      const { id, method, result, error } = JSON.parse(rest.toString('utf8', begin, begin + length));
      rest = rest.subarray(begin + length);
      if (error) waiting.get(id)?.reject(new Error(error.message));
      else if (method === undefined) waiting.get(id)?.resolve(result);
      // The server asks to be told of changes. There are none.
      else if (id !== undefined) send({ id, result: null });
    }
  });
  let count = 0;
  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      count += 1;
      waiting.set(count, { resolve, reject });
      send({ id: count, method, params });
    });
  return { ask, tell: (method: string, params: object) => send({ method, params }) };
}
