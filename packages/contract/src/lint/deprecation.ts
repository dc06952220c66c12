import type { Oas3Rule, UserContext } from '@redocly/openapi-core';
import type { Document } from '../contract.ts';

interface Declared {
  operation: Document;
  context: UserContext;
  /** Parameters that a link to the operation can have. */
  linked: string[];
}

const DATE = 'a date written YYYY-MM-DD';
const WANTED = {
  'x-deprecated-at': DATE,
  'x-sunset': DATE,
  'x-replaced-by': 'with the `operationId` of its successor',
};

/** A deprecated operation, and no other, declares its date of deprecation, its sunset and its replacement. */
export const deprecation: Oas3Rule = () => {
  const operations: Declared[] = [];
  return {
    Operation(operation: Document, context) {
      const parameters = [context.parent?.parameters, operation.parameters].flat();
      const resolved = parameters.map((each): Document => context.resolve(each).node);
      const linked = resolved.filter((each) => /^(query|path)$/.test(each?.in)).map(({ name }) => name);
      operations.push({ operation, context, linked });
    },
    Root: {
      // All operations are known.
      leave() {
        const byId = new Map(operations.map((declared) => [declared.operation.operationId, declared]));
        for (const { operation, context } of operations)
          for (const [keys, message] of problemsOf(operation, byId))
            context.report({ message, location: context.location.child(keys) });
      },
    },
  };
};

/** The problems of an operation's deprecation, with their location in the operation. */
function* problemsOf(operation: Document, byId: Map<string, Declared>): Generator<[keys: string[], message: string]> {
  const isDeprecated = operation.deprecated === true;
  for (const [name, form] of Object.entries(WANTED)) {
    if ((operation[name] !== undefined) === isDeprecated) continue;
    if (isDeprecated) yield [['deprecated'], `Give the deprecated operation \`${name}\`, ${form}.`];
    else yield [[name], `Remove \`${name}\` or set \`deprecated: true\`: the operation is not deprecated.`];
  }
  const { 'x-deprecated-at': start, 'x-sunset': end, 'x-replaced-by': replacedBy } = operation;
  if (!isDeprecated) return;
  for (const name of ['x-deprecated-at', 'x-sunset'])
    if (operation[name] !== undefined && !isCalendarDate(operation[name]))
      yield [[name], `\`${name}\` must be a calendar date, written YYYY-MM-DD.`];
  // ISO dates sort as text.
  if (isCalendarDate(start) && isCalendarDate(end) && end <= start)
    yield [['x-sunset'], '`x-sunset` must be later than `x-deprecated-at`: clients need time to migrate.'];

  if (replacedBy === undefined) return;
  const { operationId, parameters, ...unknown } = replacedBy ?? {};
  const successor = byId.get(operationId);
  if (successor === undefined || successor.operation.deprecated === true) {
    const message = successor
      ? `\`${operationId}\` cannot replace the operation: it is deprecated itself.`
      : '`x-replaced-by` must have the `operationId` of an operation of this contract.';
    yield [['x-replaced-by', ...(operationId === undefined ? [] : ['operationId'])], message];
    return;
  }
  for (const name of Object.keys(unknown))
    yield [
      ['x-replaced-by', name],
      `\`x-replaced-by\` allows only \`operationId\` and \`parameters\`, not \`${name}\`.`,
    ];
  for (const name of Object.keys(parameters ?? {}))
    if (!successor.linked.includes(name))
      yield [['x-replaced-by', 'parameters', name], `\`${operationId}\` has no query or path parameter \`${name}\`.`];
}

function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  // Date parses 2030-02-30 as 2030-03-02.
  const date = new Date(value);
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(value);
}
