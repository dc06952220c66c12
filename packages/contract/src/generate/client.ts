import type { Document, Operation, Parameter } from '../contract.ts';
import { comment, fieldDoc, operationDoc } from './jsdoc.ts';
import { bodyType, pascalCase, property, schemas, type TypeAt } from './names.ts';
import { typesIn } from './schema.ts';

/**
 * Types of `@petstore/client`: the schemas, the parameters, the operations by operationId, and how they fail.
 *
 * @param schema - the contract's types as openapi-typescript writes them
 */
export function clientOperations(document: Document, operations: Operation[], schema: string): string {
  const typeAt = typesIn(schema);
  const stable = operations.filter(({ stability }) => stability === undefined);
  const methods = [...stable.map((operation) => method(typeAt, operation)), ...stabilityGroups(typeAt, operations)];
  return [
    imports(operations),
    comment('An environment of the API.'),
    `export type Environment = ${
      environments(document)
        .map(([name]) => `'${name}'`)
        .join(' | ') || 'never'
    };\n`,
    ...schemas(typeAt, document),
    ...operations.map((operation) => parametersType(typeAt, operation)).filter(Boolean),
    comment('The operations of the API, by their operationId.'),
    `export interface Operations {\n${methods.join('\n\n')}\n}\n`,
    comment('The body of each failure that an operation declares, by HTTP status.'),
    `export interface OperationFailures {\n${operations.map((operation) => failures(typeAt, operation)).join('\n\n')}\n}\n`,
  ].join('\n');
}

function imports(operations: Operation[]): string {
  const calls = [
    operations.some((operation) => !isPaged(operation)) && 'Call',
    operations.some(isPaged) && 'PagedCall',
  ];
  const options = ['CallOptions', operations.some(isIdempotent) && 'IdempotentCallOptions'];
  return [
    `import type { ${calls.filter(Boolean).join(', ')} } from '../call.ts';`,
    `import type { ${options.filter(Boolean).join(', ')} } from '../options.ts';\n`,
  ].join('\n');
}

/** Path and query parameters are arguments; a header has an option of its own or none. */
export const sent = ({ parameters }: Operation) =>
  parameters.filter(({ in: place }) => place === 'path' || place === 'query');

/** Pages are walked by the `cursor` query parameter and the `Link` response header (RFC 8288), if both are declared. */
export const isPaged = ({ parameters, success }: Operation) =>
  parameters.some(({ in: place, name }) => place === 'query' && name === 'cursor') &&
  success.some(({ headers, type }) => type === 'array' && headers.some((header) => /^link$/i.test(header)));

/** The operation can be repeated without a second effect (draft-ietf-httpapi-idempotency-key-header). */
export const isIdempotent = ({ parameters }: Operation) => parameters.some(isIdempotencyKey);

export const isIdempotencyKey = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>) =>
  place === 'header' && /^idempotency-key$/i.test(name);

/** `ListPetsParameters`: path and query parameters in one object. */
function parametersType(typeAt: TypeAt, operation: Operation): string {
  if (sent(operation).length === 0) return '';
  const fields = sent(operation).map((parameter) => parameterField(typeAt, operation, parameter));
  return [
    comment(`The parameters of \`${operation.id}\`.`),
    `export interface ${pascalCase(operation.id)}Parameters {\n${fields.join('\n\n')}\n}\n`,
  ].join('\n');
}

function parameterField(typeAt: TypeAt, { id }: Operation, parameter: Parameter): string {
  const type = typeAt('operations', id, 'parameters', parameter.in, parameter.name);
  return `${fieldDoc(parameter)}  ${property(parameter.name)}${parameter.required ? '' : '?'}: ${type};`;
}

/** `readonly beta: { … }`: operations that may still change are not beside those that will not. */
function stabilityGroups(typeAt: TypeAt, operations: Operation[]): string[] {
  return (['experimental', 'beta'] as const).flatMap((stability) => {
    const group = operations.filter((operation) => operation.stability === stability);
    if (group.length === 0) return [];
    const methods = group.map((operation) => method(typeAt, operation, '    ')).join('\n\n');
    const doc = comment(`Operations that may change or go without a major version (\`${stability}\`).`, '  ');
    return [`${doc}\n  readonly ${stability}: {\n${methods}\n  };`];
  });
}

function method(typeAt: TypeAt, operation: Operation, indent = '  '): string {
  const parameters: string[] = [];
  // An optional argument may be left out only when all that follow may be, too.
  const bodyRequired = operation.body?.required === true;
  if (sent(operation).length > 0) {
    const optional = !bodyRequired && !sent(operation).some((parameter) => parameter.required);
    parameters.push(`parameters${optional ? '?' : ''}: ${pascalCase(operation.id)}Parameters`);
  }
  if (operation.body) {
    const type = bodyType(typeAt, operation, operation.body, 'requestBody');
    parameters.push(`body${bodyRequired ? '' : '?'}: ${type}`);
  }
  parameters.push(`options?: ${isIdempotent(operation) ? 'IdempotentCallOptions' : 'CallOptions'}`);
  const results = operation.success.map((response) =>
    bodyType(typeAt, operation, response, 'responses', String(response.status)),
  );
  const call = `${isPaged(operation) ? 'PagedCall' : 'Call'}<${[...new Set(results)].join(' | ')}>`;
  return `${operationDoc(operation, indent)}\n${indent}${operation.id}(${parameters.join(', ')}): ${call};`;
}

function failures(typeAt: TypeAt, operation: Operation): string {
  const fields = operation.failures.map((response) => {
    const type = bodyType(typeAt, operation, response, 'responses', String(response.status));
    return `    ${response.status}: ${type};`;
  });
  const doc = comment(`Of \`${operation.id}\`.`, '  ');
  return `${doc}\n  ${operation.id}: ${fields.length > 0 ? `{\n${fields.join('\n')}\n  }` : '{}'};`;
}

/** The servers that have a name, which is their environment. */
export function environments(document: Document): [name: string, url: string][] {
  const named = (document.servers ?? []).filter((server: Document) => server['x-environment']);
  return named.map((server: Document) => [server['x-environment'], server.url]);
}
