import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { generateFiles } from '../../src/generate/generate.ts';
import { servedDocument } from '../../src/generate/server.ts';
import { bundleFile } from '../../src/read.ts';
import type { Json } from '../json.ts';
import { BOOKSTORE, PLATFORM, TARGET } from '../workspace.ts';

/** Each is appended to a text of the contract. The last one replaces it. */
const ATTACKS = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the attack
  "'+globalThis.PWN()+'`${globalThis.PWN()}`\\'\"*/\u2028globalThis.PWN()\u2029globalThis.PWN()\r\nglobalThis.PWN()\n*/globalThis.PWN()//\ud800",
  '__proto__',
];

/** Objects whose keys are names, not keywords of OpenAPI. */
const NAMES = ['paths', 'responses', 'content', 'headers', 'schemas', 'properties', 'parameters', 'securitySchemes']
  .concat(['x-rate-limit-plans', 'examples', 'mapping'])
  .map((key) => `/${key}`);

/** These must be something that the SDK understands, so they may be refused. */
const MAY_BE_REFUSED =
  /\/((schemas|content|securitySchemes)\/key|in|type|scheme|pattern|x-deprecated-at|x-sunset|x-replaced-by\/parameters\/key)$/;

interface Text {
  /** The keys that lead to it. */
  keys: (string | number)[];
  /** Whether it is a key, and not a value. */
  isKey: boolean;
  text: string;
  /** {@link keys} without names and indexes. */
  role: string;
}

function* textsOf(node: unknown, keys: Text['keys'] = [], role = ''): Generator<Text> {
  // Redocly refuses a reference that leads nowhere.
  if (typeof node === 'string' && !role.endsWith('/$ref')) yield { keys, isKey: false, text: node, role };
  if (typeof node !== 'object' || node === null) return;
  const isNamed = !Array.isArray(node) && NAMES.some((name) => role.endsWith(name));
  for (const [key, value] of Object.entries(node)) {
    const at = [...keys, Array.isArray(node) ? Number(key) : key];
    if (isNamed) yield { keys: at, isKey: true, text: key, role: `${role}/key` };
    yield* textsOf(value, at, `${role}/${isNamed || Array.isArray(node) ? '*' : key}`);
  }
}

/** Copies the contract with another text. Updates the references to a renamed component: a bundle has no other references. */
function withText(contract: Json, { keys, isKey }: Text, text: string): Json {
  const pointer = (path: Text['keys']) =>
    `#${path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;
  const [from, to] = [pointer(keys), pointer([...keys.slice(0, -1), text])];
  const copy = (node: Json, [key, ...rest]: Text['keys'], isHere: boolean): Json => {
    if (isHere && key === undefined && !isKey) return text;
    if (Array.isArray(node)) return node.map((item, index) => copy(item, rest, isHere && index === key));
    if (typeof node !== 'object' || node === null) return node;
    const entries = Object.entries(node).map(([name, value]) => {
      const isThis = isHere && name === key;
      if (name === '$ref' && value === from && isKey) return [name, to];
      return [isThis && isKey && rest.length === 0 ? text : name, copy(value, rest, isThis)];
    });
    return Object.fromEntries(entries);
  };
  return copy(contract, keys, true);
}

function* inGroups<T>(items: T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Whether it is a `declare const`, which is no code. */
const isDeclared = (node: ts.Statement) =>
  ts.isVariableStatement(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword);
const isType = (node: ts.Statement) =>
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  isDeclared(node);

/** A file that is read: its exports, if it holds data, and how often each text is in a string or a name. */
interface Contents {
  data: Json;
  counts: Map<string, number>;
}

/** Caches the files of the unchanged contracts by name and text, because an attack changes few of them. */
const known = new Map<string, Contents>();

/** Parses a generated file, and runs it if it holds data. Fails if anything but types and data stands in it. */
function contentsOf(name: string, text: string): Contents {
  const counts = new Map<string, number>();
  const count = (node: ts.Node) => {
    if (ts.isIdentifier(node) && node.text === 'PWN') expect.unreachable('the text is code');
    if (ts.isStringLiteralLike(node) || ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
    ts.forEachChild(node, count);
  };
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest) as ts.SourceFile & Json;
  expect(source.parseDiagnostics.map(({ messageText }: ts.Diagnostic) => messageText)).toEqual([]);
  count(source);
  if (!/\/(schema|operations)\.ts$/.test(name)) return { data: run(text), counts };
  expect(source.statements.filter((each: ts.Statement) => !isType(each))).toEqual([]);
  return { data: undefined, counts };
}

/** Reads generated files, and adds up their counts. @param isKnown - whether the contract is unchanged */
function read(
  files: Map<string, string>,
  isKnown = false,
): { data: Record<string, Json>; counts: Map<string, number> } {
  const data: Record<string, Json> = {};
  const counts = new Map<string, number>();
  for (const [name, text] of files) {
    // This file differs between contracts in names only.
    if (name.endsWith('/contract.ts') || !name.includes('/generated/')) continue;
    const key = `${name}\n${text}`;
    const contents = known.get(key) ?? contentsOf(name, text);
    if (isKnown) known.set(key, contents);
    data[name] = contents.data;
    for (const [text, count] of contents.counts) counts.set(text, (counts.get(text) ?? 0) + count);
  }
  return { data, counts };
}

/** Runs a module of data. Returns its exports. */
function run(text: string): Json {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ESNext };
  const exports = {};
  const PWN = () => expect.unreachable('the text ran');
  const require = () => ({ standardSchema: () => undefined, CallError: class {}, credentialsOf: () => undefined });
  runInNewContext(ts.transpileModule(text, { compilerOptions }).outputText, { exports, PWN, require });
  return exports;
}

const load = (file: string): Json => parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** Roles that a contract before has tried, and those of texts that were refused. */
const [tried, refused] = [new Set<string>(), new Set<string>()];

test.each([
  ['fixture.yaml', load('../generate/fixture.yaml')],
  ['security.yaml', await bundleFile(join(import.meta.dirname, '../generate/security.yaml'), PLATFORM)],
  ['bookstore.yaml', await bundleFile(BOOKSTORE, PLATFORM)],
])('no text of %s becomes code, and each arrives unchanged or is refused', (_name, contract) => {
  const { counts } = read(generateFiles(contract, TARGET), true);
  // Tries one text of each role. Those that may be refused run alone, so that each refusal is seen; the others share a run.
  const all = new Map([...textsOf(contract)].map((text) => [text.role, text]));
  const texts = [...all.values()].filter(({ role }) => !tried.has(role));
  for (const { role } of texts) tried.add(role);
  const [alone, others] = [true, false].map((may) => texts.filter(({ role }) => MAY_BE_REFUSED.test(role) === may));
  const groups = [...(alone ?? []).map((text) => [text]), ...inGroups(others ?? [], 64)];
  for (const group of groups)
    for (const attack of ATTACKS) {
      const hostile = ({ text }: Text) => (attack === '__proto__' ? attack : text + attack);
      const where = group.map(({ isKey, keys }) => `${isKey ? 'key' : 'value'} ${keys}`).join('\n');
      // Replaces the deepest first, because a renamed key would change the way to those below it.
      const inward = group.toSorted((a, b) => b.keys.length - a.keys.length);
      const changed = inward.reduce((contract, text) => withText(contract, text, hostile(text)), contract);
      let files: Map<string, string>;
      try {
        files = generateFiles(changed, TARGET);
      } catch (error) {
        // The generators refuse with a message. They do not fail.
        expect(error, `${attack} in\n${where}`).not.toBeInstanceOf(TypeError);
        for (const { role } of group) refused.add(role);
        continue;
      }
      try {
        const after = read(files);
        const { document } = after.data['apps/server/src/generated/document.ts'];
        expect(JSON.stringify(document)).toBe(JSON.stringify(servedDocument(changed)));
        // The hostile text stands where the old one stood.
        for (const each of group)
          if (counts.get(each.text) !== after.counts.get(each.text))
            expect([...after.counts.keys()]).toContain(hostile(each));
      } catch (error) {
        throw new Error(`${attack} in\n${where}\n${error}`);
      }
    }
  expect(refused.size).toBeGreaterThan(0);
  expect([...refused].filter((role) => !MAY_BE_REFUSED.test(role))).toEqual([]);
});
