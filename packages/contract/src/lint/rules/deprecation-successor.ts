import { asObject, type Context, type JsonObject, type Rule } from '../rule.ts';

interface DeclaredOperation {
  operation: JsonObject;
  context: Context;
  /** Names of the parameters that a link to the operation can carry. */
  linkParameters: unknown[];
}

/** A deprecated operation, and no other, names the operation that replaces it. */
export const deprecationSuccessor: Rule = () => {
  const operations: DeclaredOperation[] = [];

  return {
    Operation(operation, context) {
      operations.push({ operation, context, linkParameters: linkParametersOf(operation, context) });
    },
    Root: {
      // Only now is every operation known.
      leave() {
        const byId = new Map(operations.map((declared) => [declared.operation.operationId, declared]));
        for (const { operation, context } of operations) check(operation, context, byId);
      },
    },
  };
};

function check(operation: JsonObject, { report, location }: Context, byId: Map<unknown, DeclaredOperation>): void {
  const replacedBy = operation['x-replaced-by'];
  const at = location.child('x-replaced-by');

  if (operation.deprecated !== true) {
    if (replacedBy === undefined) return;
    report({
      message: 'Remove `x-replaced-by` or set `deprecated: true`: the operation is not deprecated.',
      location: at.key(),
    });
    return;
  }
  if (replacedBy === undefined) {
    report({
      message: 'Give the deprecated operation `x-replaced-by`, with the `operationId` of its successor.',
      location: location.child('deprecated').key(),
    });
    return;
  }

  const { operationId, parameters, ...unknown } = asObject(replacedBy);
  for (const name of Object.keys(unknown)) {
    report({
      message: `\`x-replaced-by\` has only \`operationId\` and \`parameters\`, not \`${name}\`.`,
      location: at.child(name).key(),
    });
  }

  const successor = byId.get(operationId);
  if (typeof operationId !== 'string' || successor === undefined) {
    report({
      message: '`x-replaced-by` must have the `operationId` of an operation of this contract.',
      location: operationId === undefined ? at.key() : at.child('operationId'),
    });
    return;
  }
  if (successor.operation.deprecated === true) {
    report({
      message: `\`${operationId}\` cannot replace the operation: it is deprecated itself.`,
      location: at.child('operationId'),
    });
    return;
  }
  for (const name of Object.keys(asObject(parameters))) {
    if (successor.linkParameters.includes(name)) continue;
    report({
      message: `\`${operationId}\` has no query or path parameter \`${name}\`.`,
      location: at.child(['parameters', name]).key(),
    });
  }
}

function linkParametersOf(operation: JsonObject, { parent, resolve }: Context): unknown[] {
  return [asObject(parent).parameters, operation.parameters]
    .flat()
    .map((parameter) => asObject(resolve(parameter).node))
    .filter((parameter) => parameter.in === 'query' || parameter.in === 'path')
    .map((parameter) => parameter.name);
}
