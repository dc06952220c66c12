/** The only module that calls Redocly, in this process: spawning its CLI per document takes longer than the work. */
import path from 'node:path';
import * as redocly from '@redocly/openapi-core';
import { complete } from './complete.ts';
import type { Document } from './contract.ts';
import { mayRead, UNREADABLE } from './files.ts';
import { deprecation, platform, propertyNames } from './lint/rules.ts';

const CONFIG = path.join(import.meta.dirname, '../redocly.yaml');

/** Rules in code, enabled by `redocly.yaml`. Their fixtures are in `test/lint/fixtures/<name>.*`. */
const RULES = {
  'petstore/deprecation': deprecation,
  'petstore/platform': platform,
  'petstore/property-names': propertyNames,
};

const COMPLETION = { id: 'platform', preprocessors: { oas3: { complete } } };

/** Reads files below the folder of the document only, and no host. */
class Files extends redocly.BaseResolver {
  root = '';

  override async loadExternalRef(file: string): Promise<redocly.Source> {
    if (mayRead(this.root, file)) return super.loadExternalRef(file);
    throw new redocly.ResolveError(new Error(`${file} ${UNREADABLE}`));
  }
}

/**
 * Lints an OpenAPI document and the files it references by the rules of `redocly.yaml`.
 *
 * @returns the problems by file, line and column
 * @throws Error with a one-line message if the document cannot be read or parsed, or is not OpenAPI 3
 */
export async function lint(file: string): Promise<Problem[]> {
  const plugins = [
    { id: 'petstore', rules: { oas3: RULES }, preprocessors: { oas3: { 'platform/complete': complete } } },
  ];
  const config = await redocly.loadConfig({ configPath: CONFIG, plugins });
  const externalRefResolver = Object.assign(new Files(), { root: file });
  const problems = await redocly.lint({ ref: file, config, externalRefResolver }).catch(fail);
  if (config.getUnusedRules().rules.length > 0)
    throw new Error('Redocly did not apply all of our rules: they are for OpenAPI 3 documents');
  // Some rules report a shared component once per operation.
  const unique = new Map(problems.map(toProblem).map((one) => [JSON.stringify(one), one]));
  return [...unique.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}

/**
 * Bundles an OpenAPI document into one object. Inlines other files; references between components stay references.
 *
 * @throws Error with a one-line message if a file cannot be read or parsed, or a `$ref` cannot be resolved
 */
export async function bundleFile(file: string): Promise<Document> {
  const config = await redocly.createConfig({ plugins: [COMPLETION], preprocessors: { 'platform/complete': 'on' } });
  const externalRefResolver = Object.assign(new Files(), { root: file });
  const { bundle: document, problems } = await redocly.bundle({ ref: file, config, externalRefResolver }).catch(fail);
  if (problems.length === 0) return document.parsed as Document;
  const { file: name, line, column, message } = toProblem(problems[0] as redocly.NormalizedProblem);
  throw new Error(`${name}:${line}:${column} ${message}`);
}

export type Problem = ReturnType<typeof toProblem>;

/** Its file is relative to the working directory; line and column count from 1. */
function toProblem({ ruleId: rule, message: lines, location }: redocly.NormalizedProblem) {
  const [place] = location as [redocly.LocationObject];
  const { source, start } = redocly.getLineColLocation(place);
  const [file, message] = [path.relative('', source.absoluteRef), lines.replaceAll('\n', ' ')];
  return { rule, message, file, line: start.line, column: start.col, pointer: place.pointer ?? '#/' };
}

function fail(error: Error): never {
  if (!(error instanceof redocly.YamlParseError)) throw error;
  const { source, line, col, message } = error;
  throw new Error(`${path.relative('', source.absoluteRef)}:${line}:${col} ${message.split(' in "')[0]}`);
}
