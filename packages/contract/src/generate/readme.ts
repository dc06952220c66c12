/** The code in the README of an SDK. */
import { normalize } from '@petstore-platform/openapi';
import { type Document, pascalCase } from '../contract.ts';
import { hasCredentials } from '../security.ts';
import type { Sdk } from '../targets.ts';
import { isPaged, sent } from './client.ts';
import { acceptOf } from './client-files.ts';
import { wordsOf } from './client-sdk.ts';
import { describe, type Named } from './describe.ts';
import { exampleOf, plain } from './reference.ts';
import { quoted } from './values.ts';

/** A section has no text if the contract has no operation for it. */
export type ReadmeCode = Record<'errors' | 'lists' | 'queries' | 'rendered' | 'tests' | 'forms', string>;

/**
 * Code for the sections of a README, with the first operations of the contract that fit and have an example.
 *
 * @param published - the contract in one piece, with the platform's part
 */
export function readmeCode(published: Document, sdk: Sdk): ReadmeCode {
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
  const from = (entry = '') => `from ${quoted(sdk.package + entry)};`;
  const call = (operation: Named) => `${variable}.${operation.name}(${argumentsOf(operation)})`;
  const code: { [section in keyof ReadmeCode]: (string | false | undefined)[] } = {
    errors: one ? errors(one) : [],
    lists: list ? lists(list) : [],
    queries: queries(),
    rendered: read ? rendered(read) : [],
    tests: one ? tests(one) : [],
    forms: forms(change?.body?.text),
  };
  return Object.fromEntries(
    Object.entries(code).map(([section, lines]) => [
      section,
      lines.filter((line) => typeof line === 'string').join('\n'),
    ]),
  ) as ReadmeCode;

  function errors(one: Named) {
    const { name, failures } = one;
    const declared = failures.map(({ status }) => status).filter((status) => /^\d+$/.test(status));
    const status = ['404', '409', '400'].find((each) => declared.includes(each)) ?? declared[0];
    return [
      `import { is${Name}Error } ${from()}`,
      '',
      'try {',
      `  await ${call(one).replaceAll('\n', '\n  ')};`,
      '} catch (error) {',
      `  if (!is${Name}Error(error)) throw error;`,
      `  console.error(error.message); // ${name} failed: ${status ?? 404} … (request …)`,
      `  if (error.status === 429) console.error('Seconds to wait:', error.retryAfter);`,
      status && `  if (is${Name}Error(error, ${quoted(name)}, ${status})) console.error(error.body);`,
      '}',
    ];
  }

  function lists(list: Named) {
    return [
      `for await (const item of ${call(list)}) console.log(item);`,
      '',
      `const page = ${call(list)};`,
      'const { data, nextCursor, requestId, rateLimit } = await page.withResponse();',
      'console.log(data.length, nextCursor, requestId, rateLimit?.remaining);',
    ];
  }

  function queries() {
    const hooks = [...(single ? ['useQuery'] : []), ...(list ? ['useInfiniteQuery'] : [])];
    if (change) hooks.push('useMutation', ...(read ? ['useQueryClient'] : []));
    if (hooks.length === 0) return [];
    return [
      `import { ${variable}Queries } ${from('/react-query')}`,
      `import { ${hooks.sort().join(', ')} } from '@tanstack/react-query';`,
      '',
      `const queries = ${variable}Queries(${variable});`,
      '',
      single && `export const ${hookOf(single)} = () => useQuery(queries.${single.name}(${argumentsOf(single)}));`,
      list &&
        `export const ${hookOf(list)} = () => useInfiniteQuery(queries.${list.name}.infinite(${argumentsOf(list)}));`,
      change && `export function ${hookOf(change)}() {`,
      change && read && '  const cache = useQueryClient();',
      change && read && `  const refresh = () => cache.invalidateQueries({ queryKey: queries.${read.name}.key });`,
      change && `  return useMutation(${mutationOf(change)});`,
      change && '}',
    ];
  }

  function mutationOf({ name }: Named) {
    return read ? `{ ...queries.${name}(), onSuccess: refresh }` : `queries.${name}()`;
  }

  function rendered(read: Named) {
    const options = hasCredentials(operations) ? '' : `{ apiKey: () => process.env.${prefix}_API_KEY }`;
    return [
      `import { createClient } ${from()}`,
      `import { connection } from 'next/server';`,
      '',
      `const ${variable} = createClient(${options});`,
      '',
      `export async function ${pascalCase(read.name)}() {`,
      '  await connection(); // Not in a build, which has no key.',
      `  return JSON.stringify(await ${call(read).replaceAll('\n', '\n  ')});`,
      '}',
    ];
  }

  function tests(one: Named) {
    return [
      `import assert from 'node:assert/strict';`,
      `import { createTestClient, errorResponse } ${from('/testing')}`,
      '',
      `const ${variable} = createTestClient({`,
      list && `  ${list.name}: () => [],`,
      `  ${one.name}: () => errorResponse(404, 'not_found', 'There is none'),`,
      '});',
      list && `assert.deepEqual(await ${call(list)}, []);`,
      `await assert.rejects(${call(one)}, { status: 404, code: 'not_found' });`,
    ];
  }

  function forms(type = '') {
    const schemas = Object.keys(document.components?.schemas ?? {}).map(names.schema);
    if (!schemas.includes(type)) return [];
    return [
      `import { ${type} } ${from('/schemas')}`,
      '',
      `const { issues = [] } = await ${type}['~standard'].validate({});`,
      `for (const { path, message } of issues) console.log(path, message);`,
    ];
  }
}

/** Whether all that an operation takes and gives is JSON. */
const isJson = (operation: Named) =>
  Object.keys(acceptOf(operation)).length === 0 && (operation.body?.kind ?? 'json') === 'json';

const hookOf = ({ name }: Named) => `use${pascalCase(name)}`;

/** The arguments of a method, on one line if it is short. */
function argumentsOf(operation: Named): string {
  const { parameters = {}, body } = exampleOf(operation) ?? {};
  const needsPlaces = sent(operation).length > 0 && (Object.keys(parameters).length > 0 || operation.body);
  const all = [...(needsPlaces ? [parameters] : []), ...(operation.body && body !== undefined ? [body] : [])];
  const line = all.map((each) => plain(each).replace(/\n */g, ' ')).join(', ');
  return line.length <= WIDTH ? line : all.map(plain).join(', ');
}

const WIDTH = 80;
