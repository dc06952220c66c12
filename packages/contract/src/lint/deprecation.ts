import type { Oas3Rule, UserContext } from '@redocly/openapi-core';
import type { Document } from '../contract.ts';

interface Declared {
  operation: Document;
  context: UserContext;
  /** The parameters that a link to the operation can carry. */
  linked: string[];
}

const DATE = 'a date written YYYY-MM-DD';
const WANTED = {
  'x-deprecated-at': DATE,
  'x-sunset': DATE,
  'x-replaced-by': 'with the `operationId` of its successor',
};

/** A deprecated operation, and no other, says since when it is deprecated, when it goes, and what replaces it. */
export const deprecation: Oas3Rule = () => {
  const operations: Declared[] = [];
  return {
    Operation(operation: Document, context) {
      const parameters = [context.parent?.parameters, operation.parameters].flat();
      const linked = parameters.map((each): Document => context.resolve(each).node);
      const names = linked.filter((each) => /^(query|path)$/.test(each?.in)).map(({ name }) => name);
      operations.push({ operation, context, linked: names });
    },
    Root: {
      // Only now is every operation known.
      leave() {
        const byId = new Map(operations.map((declared) => [declared.operation.operationId, declared]));
        for (const declared of operations) {
          const isDeprecated = declared.operation.deprecated === true;
          checkPresence(declared, isDeprecated);
          if (!isDeprecated) continue;
          checkDates(declared);
          if (declared.operation['x-replaced-by'] !== undefined) checkSuccessor(declared, byId);
        }
      },
    },
  };
};

function checkPresence({ operation, context: { report, location } }: Declared, isDeprecated: boolean): void {
  for (const [name, form] of Object.entries(WANTED)) {
    if ((operation[name] !== undefined) === isDeprecated) continue;
    const message = isDeprecated
      ? `Give the deprecated operation \`${name}\`, ${form}.`
      : `Remove \`${name}\` or set \`deprecated: true\`: the operation is not deprecated.`;
    report({ message, location: location.child(isDeprecated ? 'deprecated' : name).key() });
  }
}

function checkDates({ operation, context: { report, location } }: Declared): void {
  const [start, end] = [operation['x-deprecated-at'], operation['x-sunset']];
  for (const name of ['x-deprecated-at', 'x-sunset']) {
    if (operation[name] === undefined || isCalendarDate(operation[name])) continue;
    const message = `\`${name}\` must be a day of the calendar, written YYYY-MM-DD.`;
    report({ message, location: location.child(name) });
  }
  // As text, days in this notation sort like the calendar.
  if (!isCalendarDate(start) || !isCalendarDate(end) || end > start) return;
  const message = '`x-sunset` must be later than `x-deprecated-at`: clients need time to move.';
  report({ message, location: location.child('x-sunset') });
}

function checkSuccessor({ operation, context: { report, location } }: Declared, byId: Map<string, Declared>): void {
  const at = location.child('x-replaced-by');
  const { operationId, parameters, ...unknown } = operation['x-replaced-by'] ?? {};
  const successor = byId.get(operationId);
  if (successor === undefined || successor.operation.deprecated === true) {
    const message = successor
      ? `\`${operationId}\` cannot replace the operation: it is deprecated itself.`
      : '`x-replaced-by` must have the `operationId` of an operation of this contract.';
    report({ message, location: operationId === undefined ? at.key() : at.child('operationId') });
    return;
  }
  for (const name of Object.keys(unknown)) {
    const message = `\`x-replaced-by\` has only \`operationId\` and \`parameters\`, not \`${name}\`.`;
    report({ message, location: at.child(name).key() });
  }
  for (const name of Object.keys(parameters ?? {})) {
    if (successor.linked.includes(name)) continue;
    const message = `\`${operationId}\` has no query or path parameter \`${name}\`.`;
    report({ message, location: at.child(['parameters', name]).key() });
  }
}

function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  // Date takes 2030-02-30 for 2030-03-02.
  const date = new Date(value);
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(value);
}
