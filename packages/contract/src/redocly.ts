/** The only module that calls Redocly, in this process: spawning its CLI per document takes longer than the work. */
import path from 'node:path';
import * as redocly from '@redocly/openapi-core';
import { mayRead, UNREADABLE } from '@repo/openapi';
import { bound, complete } from './complete.ts';
import type { Document } from './contract.ts';
import { deprecation, operations, propertyNames } from './lint/rules.ts';

const CONFIG = path.join(import.meta.dirname, '../redocly.yaml');

/** Rules in code, enabled by `redocly.yaml`. Their fixtures are in `test/lint/fixtures/<name>.*`. */
const RULES = {
  'platform/deprecation': deprecation,
  'platform/operations': operations,
  'platform/property-names': propertyNames,
};

/** Completes a document before the rules or the bundler read it, so that problems are reported at the lines of its author. */
function completion(platform: string): redocly.Oas3Preprocessor {
  return () => ({
    Schema: bound,
    // The root is completed after all schemas, because this walk does not visit the schemas that completion adds.
    Root: {
      leave(value, { location, report, resolve }) {
        const { absoluteRef: file } = location.source;
        const follow = (value: unknown, from: string) => {
          if (!Object(value).$ref) return { value, file: from };
          const { node, location } = resolve(value as redocly.OasRef, from);
          return location && { value: node, file: location.source.absoluteRef };
        };
        const tell = (message: string, keys: string[]) => report({ message, location: location.child(keys).key() });
        complete({ value, file, follow, report: tell }, platform);
      },
    },
  });
}

/** Reads only files below a folder, and no URLs. */
class Files extends redocly.BaseResolver {
  within = '';

  override async loadExternalRef(file: string): Promise<redocly.Source> {
    if (mayRead(this.within, file)) return super.loadExternalRef(file);
    throw new redocly.ResolveError(new Error(`${file} ${UNREADABLE}`));
  }
}

/**
 * Lints an OpenAPI document and the files it references by the rules of `redocly.yaml`.
 *
 * @param platform - the file with the platform's part. Undefined for a document that is linted as it is
 * @param within - the folder outside of which no file is read
 * @returns the problems by file, line and column
 * @throws Error with a one-line message if the document cannot be read or parsed, or is not OpenAPI 3
 */
export async function lint(file: string, platform?: string, within = path.dirname(file)): Promise<Problem[]> {
  // `redocly.yaml` names rules with the prefix of their plugin. `createConfig` below adds the prefix itself.
  const preprocessors = { oas3: { 'platform/complete': platform ? completion(platform) : () => ({}) } };
  const plugins = [{ id: 'platform', rules: { oas3: RULES }, preprocessors }];
  const config = await redocly.loadConfig({ configPath: CONFIG, plugins });
  const externalRefResolver = Object.assign(new Files(), { within });
  const problems = await redocly.lint({ ref: file, config, externalRefResolver }).catch(fail(file));
  if (config.getUnusedRules().rules.length > 0) throw new Error(notOpenApi(file));
  // If a component replaces the platform's by mistake, the platform's examples do not fit it, and their problems only distract.
  const isMisfit = problems.some(({ ruleId }) => ruleId === 'platform/complete');
  const own = problems.filter(({ ruleId }) => !isMisfit || !/-examples?$/.test(ruleId));
  // Some rules report a shared component once per operation.
  const unique = new Map(own.map(toProblem).map((one) => [JSON.stringify(one), one]));
  return [...unique.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}

/**
 * Bundles an OpenAPI document into one object. Inlines other files; references between components stay references.
 *
 * @param platform - the file with the platform's part. Undefined for a document that is bundled as it is
 * @param within - the folder outside of which no file is read
 * @throws Error with a one-line message if a file cannot be read or parsed, or a `$ref` cannot be resolved
 */
export async function bundleFile(file: string, platform?: string, within = path.dirname(file)): Promise<Document> {
  const plugins = platform ? [{ id: 'platform', preprocessors: { oas3: { complete: completion(platform) } } }] : [];
  const preprocessors = platform ? { 'platform/complete': 'error' as const } : {};
  const config = await redocly.createConfig({ plugins, preprocessors });
  const externalRefResolver = Object.assign(new Files(), { within });
  const { bundle: document, problems } = await redocly
    .bundle({ ref: file, config, externalRefResolver })
    .catch(fail(file));
  // A warning is not a failure. For example, the bundler warns if two files have one name, and renames one.
  const problem = problems.find(({ severity }) => severity === 'error');
  if (problem === undefined) return document.parsed as Document;
  const { file: name, line, column, message } = toProblem(problem);
  throw new Error(`${name}:${line}:${column} ${message}`);
}

/** The files of an OpenAPI document: its own first, then those that it references. */
export async function filesOf(file: string): Promise<string[]> {
  const externalRefResolver = Object.assign(new Files(), { within: path.dirname(file) });
  const { fileDependencies } = await redocly.bundle({
    ref: file,
    config: await redocly.createConfig({}),
    externalRefResolver,
  });
  return [...new Set([path.resolve(file), ...fileDependencies])];
}

export type Problem = ReturnType<typeof toProblem>;

/** A problem whose file is relative to the working directory, and whose line and column count from 1. */
function toProblem({ ruleId: rule, message: lines, location }: redocly.NormalizedProblem) {
  const [place] = location as [redocly.LocationObject];
  const { source, start } = redocly.getLineColLocation(place);
  const [file, message] = [path.relative('', source.absoluteRef), lines.replaceAll('\n', ' ')];
  return { rule, message, file, line: start.line, column: start.col, pointer: place.pointer ?? '#/' };
}

const fail = (file: string) => (error: Error) => {
  if (/^(Unsupported specification|Document must be JSON object)/.test(error.message))
    throw new Error(notOpenApi(file));
  if (!(error instanceof redocly.YamlParseError)) throw error;
  const { source, line, col, message } = error;
  throw new Error(`${path.relative('', source.absoluteRef)}:${line}:${col} ${message.split(' in "')[0]}`);
};

const notOpenApi = (file: string) =>
  `${path.relative('', file)}:1:1 Begin the document with \`openapi: 3.1.0\`, or an earlier 3.x.`;
