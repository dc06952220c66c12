import { bodyType, grouped, isPaged, optionsType, sent } from './client.ts';
import { fileImports, isEvents } from './client-files.ts';
import type { Words } from './client-sdk.ts';
import type { Named } from './describe.ts';
import { exported, exportedInterface, operationDoc } from './jsdoc.ts';
import { CLIENT_RUNTIME } from './names.ts';
import { keyOf, quoted } from './values.ts';

/** The types of the options of TanStack Query for each operation. */
export function clientQueries(operations: Named[], { variable, Name }: Words): string {
  const members = grouped(
    operations.filter((operation) => !isEvents(operation)),
    member,
  );
  const words = new Set(members.join().split(/\W+/));
  const options = ['CallOptions', 'IdempotentCallOptions'].filter((name) => words.has(name));
  return [
    ...(options.length > 0 ? [`import type { ${options.join(', ')} } from '${CLIENT_RUNTIME}';`] : []),
    ...fileImports(operations, false),
    `import type { ListQuery, Mutation, Query, QueryNames } from '${CLIENT_RUNTIME}/react-query';`,
    `import type * as types from './operations.ts';`,
    `import type { ${Name}Error } from './sdk.ts';\n`,
    exported(
      'The names of this SDK.',
      `interface Names extends QueryNames {\n  readonly service: ${quoted(variable)};\n  readonly error: ${Name}Error;\n}`,
    ),
    exportedInterface('Options of TanStack Query for each operation.', 'Queries', members),
  ].join('\n');
}

function member(operation: Named, indent = '  '): string {
  const { name, types, method, body, stability } = operation;
  const places = sent(operation);
  const own = `types.Operations${stability ? `['${stability}']` : ''}[${quoted(name)}]`;
  const parameters = places.length > 0 ? `types.${types.Parameters}` : 'Readonly<Record<string, never>>';
  const needed = places.some(({ required }) => required) ? '' : '?';
  // Editors show the name of a type where it is written.
  const [named] = body && /^(?!Blob$)[A-Z]\w*$/.test(bodyType(body)) ? [`types.${bodyType(body)}`] : [];
  const variables = [
    places.length > 0 && `readonly parameters${needed}: ${parameters}`,
    body && `readonly body${body.required ? '' : '?'}: ${named ?? `Parameters<${own}>[${places.length > 0 ? 1 : 0}]`}`,
  ].filter(Boolean);
  const options = optionsType(operation);
  const type =
    method === 'get'
      ? `${isPaged(operation) ? 'ListQuery' : 'Query'}<Names, ${quoted(name)}, ${own}, ${parameters}>`
      : `Mutation<Names, ${quoted(name)}, ${own}, { ${variables.join('; ')} } & ${options}>`;
  return `${operationDoc(operation, indent)}\n${indent}readonly ${keyOf(name)}: ${type};`;
}
