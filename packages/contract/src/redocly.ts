/** The only module that calls Redocly, in this process: spawning its CLI per document takes longer than the work. */
import path from 'node:path';
import { indentedAt, mayRead, type Reading, type read, UNREADABLE } from '@petstore-platform/openapi';
import * as redocly from '@redocly/openapi-core';
import { extensions } from './lint/extensions.ts';
import { operationProblems } from './lint/operations.ts';
import { portable } from './lint/portable.ts';
import { propertyNames } from './lint/property-names.ts';
import type { Problem } from './lint/report.ts';

const CONFIG = path.join(import.meta.dirname, '../redocly.yaml');

/** Rules in code, enabled by `redocly.yaml`. Their fixtures are in `test/lint/fixtures/<name>.*`. */
const RULES = {
  'platform/extensions': extensions,
  'platform/portable': portable,
  'platform/property-names': propertyNames,
};

/** Adds the components of the platform before the rules read a document, because its author may refer to them. */
function overlay({ published }: Reading, added: string[]): redocly.Oas3Preprocessor {
  return () => ({
    Root: {
      enter(root) {
        root.info = published.info;
        root.security ??= published.security;
        const merged: Record<string, object> = { ...root.components };
        for (const [kind, components] of Object.entries<object>(published.components ?? {})) {
          const lacked = Object.entries(components).filter(([name]) => !Object.hasOwn(merged[kind] ?? {}, name));
          merged[kind] = { ...merged[kind], ...Object.fromEntries(lacked) };
          added.push(...lacked.map(([name]) => `#/components/${kind}/${name}`));
        }
        root.components = merged;
      },
    },
  });
}

/** Reads only files below a folder, and no URLs, with the lines indented that the reading has read so. */
class Files extends redocly.BaseResolver {
  within = '';
  notes: Reading['notes'] = [];

  override async loadExternalRef(file: string): Promise<redocly.Source> {
    if (!mayRead(this.within, file)) throw new redocly.ResolveError(new Error(`${file} ${UNREADABLE}`));
    const source = await super.loadExternalRef(file);
    const indented = this.notes.filter((note) => note.rule === 'reading/yaml' && note.file === file);
    const lines = indented.map(({ line }) => line);
    return new redocly.Source(file, indentedAt(lines, source.body));
  }
}

/**
 * Lints an OpenAPI document and the files it references by the rules of `redocly.yaml`.
 *
 * @param within - the folder outside of which no file is read. Default: that of the document
 * @returns the problems by file, line and column
 */
export async function lint(reading: ReturnType<typeof read>, within?: string): Promise<Problem[]> {
  const [file = ''] = reading.files;
  const added: string[] = [];
  // `redocly.yaml` names rules with the prefix of their plugin. `createConfig` below adds the prefix itself.
  const preprocessors = { oas3: { 'platform/overlay': overlay(reading, added) } };
  const plugins = [{ id: 'platform', rules: { oas3: RULES }, preprocessors }];
  const config = await redocly.loadConfig({ configPath: CONFIG, plugins });
  const externalRefResolver = Object.assign(new Files(), {
    within: within ?? path.dirname(file),
    notes: reading.notes,
  });
  const problems = await redocly.lint({ ref: file, config, externalRefResolver }).catch(stopped(reading));
  const isOwn = ({ pointer }: Problem) => !added.some((one) => pointer === one || pointer.startsWith(`${one}/`));
  const found = problems.map(toProblem).filter(isOwn);
  // Some rules report a shared component once per operation.
  const unique = new Map(found.map((one) => [JSON.stringify(one), one]));
  const notes = [...reading.notes, ...operationProblems(reading)];
  const messages = notes.map((note) => ({ ...note, file: path.relative('', note.file), column: 1 }));
  return [...unique.values(), ...messages]
    .filter((one) => isShown(reading, one))
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}

/** Whether the contract does not silence a warning. */
export const isShown = ({ published }: Reading, { level, rule }: Pick<Problem, 'level' | 'rule'>): boolean =>
  level === 'error' || Object(published['x-lint'])[rule] !== 'off';

/** Parts that only others read, and those of which the reading tells, by the keys in a pointer to them. */
const OF_OTHERS =
  /\/(webhooks|callbacks|links|externalDocs|xml|exclusiveM(in|ax)imum|x-(webhooks|logo|tags|tagGroups|code-?[sS]amples))(\/|$)/;

/** A problem whose file is relative to the working directory, and whose line and column count from 1. */
function toProblem({ ruleId: rule, severity, message: lines, location }: redocly.NormalizedProblem): Problem {
  const [place] = location as [redocly.LocationObject];
  const { source, start } = redocly.getLineColLocation(place);
  const [file, message] = [path.relative('', source.absoluteRef), lines.replaceAll('\n', ' ')];
  const pointer = place.pointer ?? '#/';
  // An unknown field is not read, and nor are the servers of an operation and what may be an extension of others.
  const isUnread =
    (rule === 'struct' && (OF_OTHERS.test(pointer) || message.endsWith('is not expected here.'))) ||
    (rule === 'platform/extensions' && message.includes(' here. ')) ||
    /^#\/paths\/.+\/servers\//.test(pointer);
  const level = severity === 'warn' || isUnread ? 'warning' : 'error';
  return { level, rule, message, file, line: start.line, column: start.col, pointer };
}

/** Redocly stops at a reference to itself, which is a note with its place. */
const stopped =
  ({ notes }: Reading) =>
  (error: Error) => {
    if (/circular/.test(error.message) && notes.some(({ level }) => level === 'error')) return [];
    throw error;
  };
