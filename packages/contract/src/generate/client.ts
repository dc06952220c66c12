import { type Document, type Operation, pascalCase, STABILITIES, type TypeOf } from '../contract.ts';
import { comment, documented, exported, exportedInterface, operationDoc } from './jsdoc.ts';
import { property, quoted, schemas } from './names.ts';

/** The types of an SDK: schemas, parameters, operations by operationId, and failures. */
export function clientOperations(document: Document, operations: Operation[], typeOf: TypeOf): string {
  const names = environments(document).map(([name]) => quoted(name));
  const stable = operations.filter(({ stability }) => stability === undefined);
  const methods = [...stable.map((operation) => method(operation)), ...stabilityGroups(operations)];
  return [
    `import type { Call, PagedCall } from '../call.ts';`,
    `import type { CallOptions, IdempotentCallOptions } from '../options.ts';\n`,
    exported('An environment of the API.', `type Environment = ${names.join(' | ') || 'never'};`),
    ...schemas(document, typeOf),
    ...operations.filter((operation) => sent(operation).length > 0).map(parametersType),
    exportedInterface('The operations of the API, by their operationId.', 'Operations', methods),
    exportedInterface(
      'The body of each failure that an operation declares, by HTTP status.',
      'OperationFailures',
      operations.map(failures),
    ),
  ].join('\n');
}

/** The path and query parameters, which are arguments of the method. A header has its own option, or is not sent. */
export const sent = ({ parameters }: Operation) =>
  parameters.filter(({ in: place }) => place === 'path' || place === 'query');

/** Paging requires the `cursor` query parameter and the `Link` response header (RFC 8288). */
export const isPaged = ({ parameters, success }: Operation) =>
  parameters.some(({ in: place, name }) => place === 'query' && name === 'cursor') &&
  success.some(({ headers, body }) => body?.type === 'array' && headers.some(({ name }) => /^link$/i.test(name)));

/** Whether the operation takes an idempotency key (draft-ietf-httpapi-idempotency-key-header-07). */
export const isIdempotent = ({ parameters }: Operation) => parameters.some(isIdempotencyKey);

export const isIdempotencyKey = ({ in: place, name }: { in?: string; name?: string }) =>
  place === 'header' && /^idempotency-key$/i.test(`${name}`);

/** `ListOrdersParameters`: path and query parameters in one object. */
function parametersType(operation: Operation): string {
  const fields = sent(operation).map((parameter) => {
    const { name, required, schema, text } = parameter;
    return documented(parameter, schema, property(name, text, required === true));
  });
  return exportedInterface(`The parameters of \`${operation.id}\`.`, `${pascalCase(operation.id)}Parameters`, fields);
}

/** `readonly beta: { … }`: unstable operations are separate from stable ones. */
function stabilityGroups(operations: Operation[]): string[] {
  return Object.entries(STABILITIES).flatMap(([stability, may]) => {
    const group = operations.filter((operation) => operation.stability === stability);
    if (group.length === 0) return [];
    const methods = group.map((operation) => method(operation, '    ')).join('\n\n');
    return [`${comment(`Operations that ${may}.`, '  ')}\n  readonly ${stability}: {\n${methods}\n  };`];
  });
}

function method(operation: Operation, indent = '  '): string {
  const { id, body, success } = operation;
  // TypeScript allows `?` only if all following parameters are optional, too.
  const optional = body?.required || sent(operation).some(({ required }) => required) ? '' : '?';
  const parameters = [
    sent(operation).length > 0 && `parameters${optional}: ${pascalCase(id)}Parameters`,
    body && `body${body.required ? '' : '?'}: ${body.text}`,
    `options?: ${isIdempotent(operation) ? 'IdempotentCallOptions' : 'CallOptions'}`,
  ];
  const results = new Set(success.map(({ body }) => `${body?.text}`));
  const call = `${isPaged(operation) ? 'PagedCall' : 'Call'}<${[...results].join(' | ')}>`;
  return `${operationDoc(operation, indent)}\n${indent}${id}(${parameters.filter(Boolean).join(', ')}): ${call};`;
}

function failures({ id, failures }: Operation): string {
  const fields = failures.map(({ status, body }) => `    ${status}: ${body?.text};\n`);
  return `${comment(`The failures of \`${id}\`.`, '  ')}\n  ${id}: ${fields.length > 0 ? `{\n${fields.join('')}  }` : '{}'};`;
}

/** The servers with an `x-environment`. Without any, the first one is `production`. */
export function environments({ servers = [] }: Document): [name: string, url: string][] {
  const named = servers.flatMap(({ url, 'x-environment': name }): [string, string][] => (name ? [[name, url]] : []));
  return named.length > 0 ? named : servers.slice(0, 1).map(({ url }) => ['production', url]);
}

/** The calls of `fetchClient` that editors strike through. */
export function clientDeprecated(operations: Operation[]): string {
  const deprecated = operations.filter(({ deprecation }) => deprecation);
  const methods = [...new Set(deprecated.map(({ method }) => method))].map((method) => {
    const calls = deprecated
      .filter((operation) => operation.method === method)
      .map((operation) => {
        const [path, verb] = [quoted(operation.path), quoted(method)];
        const signature = `<Init extends Options<${path}, ${verb}>>(\n      url: ${path},\n      ...init: Arguments<${path}, ${verb}, Init>\n    ): Result<${path}, ${verb}, Init>;`;
        return `${operationDoc(operation, '    ')}\n    ${signature}`;
      });
    return `  ${method}: {\n${calls.join('\n')}\n  };`;
  });
  const types = methods.length > 0 ? `import type { Arguments, Options, Result } from '../fetch-call.ts';\n\n` : '';
  return types + exportedInterface('The calls of deprecated operations, by method.', 'Deprecated', methods);
}
