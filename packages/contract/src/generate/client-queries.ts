import { type Operation, pascalCase, STABILITIES } from '../contract.ts';
import { isIdempotent, isPaged, sent } from './client.ts';
import { comment, exportedInterface, operationDoc } from './jsdoc.ts';
import { quoted } from './names.ts';

/** The types of the options of TanStack Query for each operation. */
export function clientQueries(operations: Operation[]): string {
  const inGroup = (group: string | undefined, indent?: string) =>
    operations.filter(({ stability }) => stability === group).map((operation) => member(operation, indent));
  const groups = Object.entries(STABILITIES).flatMap(([stability, may]) => {
    const members = inGroup(stability, '    ').join('\n\n');
    return members ? [`${comment(`Operations that ${may}.`, '  ')}\n  readonly ${stability}: {\n${members}\n  };`] : [];
  });
  return [
    `import type { CallOptions, IdempotentCallOptions } from '../options.ts';`,
    `import type { ListQuery, Mutation, Query } from '../query-options.ts';`,
    `import type * as types from './operations.ts';\n`,
    exportedInterface('Options of TanStack Query for each operation.', 'Queries', [...inGroup(undefined), ...groups]),
  ].join('\n');
}

function member(operation: Operation, indent = '  '): string {
  const { id, method, body, stability } = operation;
  const places = sent(operation);
  const own = `types.Operations${stability ? `['${stability}']` : ''}[${quoted(id)}]`;
  const parameters = places.length > 0 ? `types.${pascalCase(id)}Parameters` : 'Readonly<Record<string, never>>';
  const needed = places.some(({ required }) => required) ? '' : '?';
  const variables = [
    places.length > 0 && `readonly parameters${needed}: ${parameters}`,
    body && `readonly body${body.required ? '' : '?'}: Parameters<${own}>[${places.length > 0 ? 1 : 0}]`,
  ].filter(Boolean);
  const options = isIdempotent(operation) ? 'IdempotentCallOptions' : 'CallOptions';
  const type =
    method === 'get'
      ? `${isPaged(operation) ? 'ListQuery' : 'Query'}<${quoted(id)}, ${own}, ${parameters}>`
      : `Mutation<${quoted(id)}, ${own}, { ${variables.join('; ')} } & ${options}>`;
  return `${operationDoc(operation, indent)}\n${indent}readonly ${id}: ${type};`;
}
