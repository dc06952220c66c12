/** The code in the README of an SDK, and its table of operations. */
import { mapValues, normalize } from '@petstore-platform/openapi';
import { type Document, pascalCase } from '../contract.ts';
import { hasCredentials } from '../security.ts';
import type { Sdk } from '../targets.ts';
import { isPaged, sent } from './client.ts';
import { acceptOf } from './client-files.ts';
import { wordsOf } from './client-sdk.ts';
import { describe, type Named } from './describe.ts';
import { codeSamples, exampleOf, plain } from './reference.ts';
import { filled, type Values } from './template.ts';
import { markdown } from './values.ts';

/**
 * Code for the sections of a README, with the first operations of the contract that fit and have an example. A section has no text if the
 * contract has no operation for it. `sample` calls the first one, and `operations` are the rows of all.
 *
 * @param published - the contract in one piece, with the platform's part
 */
export function readmeCode(published: Document, sdk: Sdk): Record<string, string> {
  const document = normalize(published).document as Document;
  const { operations, names } = describe(document, sdk.variable);
  const { variable, Name, prefix } = wordsOf(sdk, operations);
  const shown = operations.filter(
    (one) => !one.stability && !one.deprecation && isJson(one) && exampleOf(one) !== undefined,
  );
  const list = shown.find(isPaged);
  const single = shown.find((one) => one.method === 'get' && !isPaged(one));
  const change = shown.find(({ method }) => !['get', 'head'].includes(method));
  const read = list ?? single;
  const one = single ?? change;
  const hooks = [...(single ? ['useQuery'] : []), ...(list ? ['useInfiniteQuery'] : [])];
  if (change) hooks.push('useMutation', ...(read ? ['useQueryClient'] : []));
  const declared = (one?.failures ?? []).map(({ status }) => status).filter((status) => /^\d+$/.test(status));
  const status = ['404', '409', '400'].find((each) => declared.includes(each)) ?? declared[0];
  const schemas = Object.keys(document.components?.schemas ?? {}).map(names.schema);
  const form = schemas.find((type) => type === change?.body?.text);
  const values: Values = {
    ...Object.assign({}, ...Object.entries({ one, list, single, change, read }).map(wordsFor(variable))),
    Name,
    variable,
    package: sdk.package,
    hooks: hooks.sort().join(', '),
    form,
    status,
    failed: status ?? '404',
    refreshed: change !== undefined && read !== undefined,
    changeOnly: change !== undefined && read === undefined,
    component: read && pascalCase(read.name),
    options: hasCredentials(operations) ? '' : `{ apiKey: () => process.env.${prefix}_API_KEY }`,
  };
  const needs = { errors: one, lists: list, queries: hooks[0], rendered: read, tests: one, forms: form };
  const sections = mapValues(needs, (needed, section) =>
    needed === undefined ? '' : filled(`readme/${section}.ts`, values).trimEnd(),
  );
  const [first] = operations;
  const [sample] = first ? codeSamples(published, operations, first, sdk) : [];
  return {
    ...sections,
    sample: sample?.source ?? `import { createClient } from '${sdk.package}';`,
    operations: operations.map(({ name, summary }) => `| \`${name}\` | ${markdown(summary)} |`).join('\n'),
  };
}

/** The words of an operation in code: `listName`, `listCall` and so on. */
const wordsFor =
  (variable: string) =>
  ([role, operation]: [role: string, operation: Named | undefined]): Values => {
    if (!operation) return {};
    const { name } = operation;
    const args = argumentsOf(operation);
    const call = `${variable}.${name}(${args})`;
    return {
      [`${role}Name`]: name,
      [`${role}Hook`]: `use${pascalCase(name)}`,
      [`${role}Arguments`]: args,
      [`${role}Call`]: call,
      [`${role}Indented`]: call.replaceAll('\n', '\n  '),
    };
  };

/** Whether all that an operation takes and gives is JSON. */
const isJson = (operation: Named) =>
  Object.keys(acceptOf(operation)).length === 0 && (operation.body?.kind ?? 'json') === 'json';

/** The arguments of a method, on one line if it is short. */
function argumentsOf(operation: Named): string {
  const { parameters = {}, body } = exampleOf(operation) ?? {};
  const needsPlaces = sent(operation).length > 0 && (Object.keys(parameters).length > 0 || operation.body);
  const all = [...(needsPlaces ? [parameters] : []), ...(operation.body && body !== undefined ? [body] : [])];
  const line = all.map((each) => plain(each).replace(/\n */g, ' ')).join(', ');
  return line.length <= WIDTH ? line : all.map(plain).join(', ');
}

const WIDTH = 80;
