import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { normalize } from '@petstore-platform/openapi';
import type { Document } from '../contract.ts';
import { PLATFORM, platformCopy } from '../platform.ts';
import { bundleFile } from '../read.ts';
import { hasCredentials } from '../security.ts';
import { type Target, targetsOf } from '../targets.ts';
import { clientDeprecated, clientOperations } from './client.ts';
import { clientQueries } from './client-queries.ts';
import { clientSchemas, clientValidators } from './client-schemas.ts';
import { clientSdk, wordsOf } from './client-sdk.ts';
import { clientSecurity } from './client-security.ts';
import { clientTable } from './client-table.ts';
import { describe } from './describe.ts';
import { clientFailure, failureBodies, serverFailure } from './failure.ts';
import { bundledDocument, exampleRequests, planLimits, serverContract, serverOperations } from './server.ts';
import { serverTable } from './server-table.ts';
import { filled } from './template.ts';

/**
 * All generated files of a contract: text by path from the root.
 *
 * @param published - the contract in one piece, with the platform's part
 */
export function generateFiles(published: Document, target: Target): Map<string, string> {
  const document = normalize(published).document as Document;
  const { client, server, sdk, command = 'pnpm contract:generate' } = target;
  const described = describe(document, sdk?.variable);
  const { operations, names, schema } = described;
  const errorBody = document['x-error'];
  const secured = hasCredentials(operations);
  const bodies = errorBody && server ? failureBodies(document, operations, errorBody) : undefined;
  const words = sdk && wordsOf(sdk, operations);
  const files: Record<string, string> = {
    ...(client &&
      words && {
        [`${client}/index.ts`]: filled('client/index.ts', {
          ...words,
          secured,
          credentials: secured ? ', Credentials' : '',
        }),
        [`${client}/react-query.ts`]: filled('client/react-query.ts', words),
        [`${client}/testing.ts`]: filled('client/testing.ts', words),
        [`${client}/sdk.ts`]: clientSdk(document, operations, sdk, words),
        [`${client}/schema.ts`]: schema,
        [`${client}/operations.ts`]: clientOperations(described),
        [`${client}/deprecated.ts`]: clientDeprecated(operations),
        [`${client}/queries.ts`]: clientQueries(operations, words),
        [`${client}/table.ts`]: clientTable(document, operations),
        ...(errorBody && { [`${client}/failure.ts`]: clientFailure(document, operations, errorBody) }),
        ...(secured && { [`${client}/security.ts`]: clientSecurity(document, operations) }),
        [`${client}/schemas.ts`]: clientSchemas(document, names, words),
        [`${client}/validators.ts`]: clientValidators(document, operations, names),
      }),
    ...(server && {
      [`${server}/contract.ts`]: serverContract(document, operations),
      [`${server}/operations.ts`]: serverOperations(described),
      [`${server}/routes.ts`]: serverTable(document, operations, bodies),
      ...(errorBody && bodies && { [`${server}/failure.ts`]: serverFailure(document, bodies, errorBody) }),
      [`${server}/plans.ts`]: planLimits(document),
      [`${server}/examples.ts`]: exampleRequests(document, operations),
      [`${server}/document.ts`]: bundledDocument(published, operations, sdk),
    }),
  };
  const banner = `// Generated from ${target.contract} by \`${command}\`. Do not edit.\n\n`;
  return new Map(Object.entries(files).map(([file, text]) => [file, `${banner}${text.trimEnd()}\n`]));
}

/**
 * Files that differ from the generated ones: changed, missing, or no longer generated.
 *
 * @param root - folder of the workspace
 * @returns paths from the root, sorted
 */
export function staleFiles(root: string, expected: Map<string, string>): string[] {
  const folders = new Set([...expected.keys()].map((file) => path.posix.dirname(file)));
  const found = [...folders].flatMap((folder) => globSync(`${folder}/**/*`, { cwd: root }));
  // The types of tables are generated from migrations, by another script.
  const ours = found.map((file) => file.replaceAll('\\', '/')).filter((file) => !file.endsWith('/tables.ts'));
  const files = new Set([...expected.keys(), ...ours]);
  return [...files].filter((file) => textOf(path.join(root, file)) !== expected.get(file)).sort();
}

const textOf = (file: string) =>
  statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : undefined;

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Writes stale files and removes those no longer generated. Returns their paths. */
export function writeFiles(root: string, expected: Map<string, string>): string[] {
  const stale = staleFiles(root, expected);
  for (const file of stale) {
    const text = expected.get(file);
    if (text === undefined) rmSync(path.join(root, file));
    else write(path.join(root, file), text);
  }
  return stale;
}

/** The repository's copy of the platform's part, if it has one that differs. @param isWritten - whether it is replaced */
export function staleCopy(root: string, isWritten: boolean): string[] {
  const { file, text } = platformCopy(root) ?? {};
  if (file === undefined || text === undefined || textOf(path.join(root, file)) === text) return [];
  if (isWritten) write(path.join(root, file), text);
  return [file];
}

/**
 * Generates the files of all contracts of a repository, and its copy of the platform's part. Yields the paths of those that differed.
 *
 * @param isWritten - whether they are replaced
 */
export function* generateAll(root: string, isWritten: boolean): Generator<string> {
  yield* staleCopy(root, isWritten);
  for (const target of targetsOf(root)) {
    const expected = generateFiles(bundleFile(path.join(root, target.contract), PLATFORM, root), target);
    yield* isWritten ? writeFiles(root, expected) : staleFiles(root, expected);
  }
}
