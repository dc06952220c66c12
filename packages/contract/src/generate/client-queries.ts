import { bodyType, grouped, isPaged, optionsType, sent } from './client.ts';
import { isEvents } from './client-files.ts';
import type { Words } from './client-sdk.ts';
import type { Named } from './describe.ts';
import { exported, exportedInterface, importing, operationDoc } from './jsdoc.ts';
import { CLIENT_RUNTIME } from './names.ts';
import { keyOf, quoted } from './values.ts';

/** The types of the options of TanStack Query for each operation. */
export function clientQueries(operations: Named[], { variable, Name }: Words): string {
  const members = grouped(
    operations.filter((operation) => !isEvents(operation)),
    member,
  );
  const modules = {
    [CLIENT_RUNTIME]: ['CallOptions', 'IdempotentCallOptions'],
    [`${CLIENT_RUNTIME}/files`]: ['UploadOptions'],
    [`${CLIENT_RUNTIME}/react-query`]: ['ListQuery', 'Mutation', 'Query', 'QueryNames'],
    './sdk.ts': [`${Name}Error`],
  };
  return importing(modules, [
    `import type * as types from './operations.ts';\n`,
    exported(
      'The names of this SDK.',
      `interface Names extends QueryNames {\n  readonly service: ${quoted(variable)};\n  readonly error: ${Name}Error;\n}`,
    ),
    exportedInterface('Options of TanStack Query for each operation.', 'Queries', members),
  ]);
}

function member(operation: Named, indent = '  '): string {
  const { name, types, method, body, stability } = operation;
  const places = sent(operation);
  const operationType = `types.Operations${stability ? `['${stability}']` : ''}[${quoted(name)}]`;
  const parameters = places.length > 0 ? `types.${types.Parameters}` : 'Readonly<Record<string, never>>';
  const needed = places.some(({ required }) => required) ? '' : '?';
  // Editors show the name of a type where it is written.
  const [named] = body && /^(?!Blob$)[A-Z]\w*$/.test(bodyType(body)) ? [`types.${bodyType(body)}`] : [];
  const variables = [
    places.length > 0 && `readonly parameters${needed}: ${parameters}`,
    body &&
      `readonly body${body.required ? '' : '?'}: ${named ?? `Parameters<${operationType}>[${places.length > 0 ? 1 : 0}]`}`,
  ].filter(Boolean);
  const options = optionsType(operation);
  const type =
    method === 'get'
      ? `${isPaged(operation) ? 'ListQuery' : 'Query'}<Names, ${quoted(name)}, ${operationType}, ${parameters}>`
      : `Mutation<Names, ${quoted(name)}, ${operationType}, { ${variables.join('; ')} } & ${options}>`;
  return `${operationDoc(operation, indent)}\n${indent}readonly ${keyOf(name)}: ${type};`;
}
