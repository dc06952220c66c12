import type { Rule } from '../rule.ts';

/** What an operationId may start with: one verb for each thing that can be done. Add a verb when one is missing. */
const verbs = [
  ...['list', 'search', 'count', 'get', 'create', 'update', 'replace', 'delete', 'restore', 'add', 'remove'],
  ...['import', 'export', 'upload', 'download', 'send', 'publish', 'validate', 'submit', 'cancel', 'retry'],
  ...['approve', 'reject', 'confirm', 'enable', 'disable', 'start', 'stop', 'subscribe', 'unsubscribe'],
];

/** An operationId is a camelCase verb phrase (`listPets`): the SDK has a method of that name. */
export const operationIdVerbPhrase: Rule = () => ({
  Operation({ operationId }, { report, location }) {
    if (typeof operationId !== 'string') return;
    const verb = /^([a-z]+)([A-Z][a-z0-9]*)+$/.exec(operationId)?.[1];
    if (verb === undefined) {
      report({
        message: `Name the operation by a camelCase verb phrase, such as \`listPets\`, not \`${operationId}\`.`,
        location: location.child('operationId'),
      });
    } else if (!verbs.includes(verb)) {
      report({
        message: `\`${operationId}\` must start with one of the verbs ${verbs.join(', ')}.`,
        location: location.child('operationId'),
      });
    }
  },
});
