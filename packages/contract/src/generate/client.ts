import type { Document, Operation } from '../contract.ts';
import { comment, operationDoc } from './jsdoc.ts';
import { bodyType, parametersOf, pascalCase, schemaAliases } from './names.ts';

/** `@petstore/client`: the environments, the schemas, and the operations as an interface and as the table behind it. */
export function clientOperations(document: Document, operations: Operation[]): string {
  return [
    `import type { CallOptions } from '../options.ts';`,
    `import type { components, operations as contract } from './schema.ts';\n`,
    schemaAliases(document),
    ...operations.map(parametersType).filter(Boolean),
    comment('The operations of the API, by their operationId.'),
    `export interface Operations {\n${operations.map(method).join('\n\n')}\n}\n`,
    comment('Base URLs of the environments.'),
    `export const environments = ${environments(document)} as const;\n`,
    comment('How each operation is sent.'),
    `export const operations = {\n${operations.map(row).join('\n')}\n} as const;\n`,
  ].join('\n');
}

const sent = ({ parameters }: Operation) => parameters.filter((parameter) => /path|query/.test(parameter.in));

/** `ListPetsParameters`: path and query parameters in one object. */
function parametersType(operation: Operation): string {
  const places = (['path', 'query'] as const).filter((place) =>
    sent(operation).some(({ in: where }) => where === place),
  );
  if (places.length === 0) return '';
  const type = places.map((place) => parametersOf(operation, place)).join(' & ');
  return `export type ${pascalCase(operation.id)}Parameters = ${type};\n`;
}

function method(operation: Operation): string {
  const parameters: string[] = [];
  // An optional argument may be left out only when all that follow may be, too.
  const bodyRequired = operation.body?.required === true;
  if (sent(operation).length > 0) {
    const optional = !bodyRequired && !sent(operation).some((parameter) => parameter.required);
    parameters.push(`parameters${optional ? '?' : ''}: ${pascalCase(operation.id)}Parameters`);
  }
  if (operation.body) {
    const type = bodyType(operation, operation.body, "['requestBody']");
    parameters.push(`body${bodyRequired ? '' : '?'}: ${type}`);
  }
  parameters.push('options?: CallOptions');
  const results = operation.success.map((response) =>
    bodyType(operation, response, `['responses'][${response.status}]`),
  );
  return `${operationDoc(operation)}\n  ${operation.id}(${parameters.join(', ')}): Promise<${results.join(' | ')}>;`;
}

function row(operation: Operation): string {
  const names = (place: string) =>
    JSON.stringify(operation.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name));
  const fields = [
    `method: '${operation.method}'`,
    `path: '${operation.path}'`,
    `pathParameters: ${names('path')}`,
    `queryParameters: ${names('query')}`,
    `body: ${operation.body !== undefined}`,
  ];
  return `  ${operation.id}: { ${fields.join(', ')} },`;
}

function environments(document: Document): string {
  const named = (document.servers ?? []).filter((server: Document) => server['x-environment']);
  return JSON.stringify(
    Object.fromEntries(named.map((server: Document) => [server['x-environment'], server.url])),
    null,
    2,
  );
}
