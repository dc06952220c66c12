import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { pascalCase } from '../contract.ts';
import { hasCredentials } from '../security.ts';
import { isPaged } from './client.ts';
import type { Named } from './describe.ts';
import { exampleOf } from './reference.ts';
import { prose, quoted, visible } from './values.ts';

/** Files of which each SDK has its own. */
const OWN = ['version.ts', 'security.ts'];

const SOURCES = path.resolve(import.meta.dirname, '../../../client-runtime/src');

/**
 * The sources of an SDK that are the same for every contract, under the names of this SDK: text by file name. They are copied
 * instead of imported, so that the package has no further dependency, and JSR, source maps and hovers show the code of its calls.
 *
 * @param variable - the service's name in samples, such as `shop`, from which `Shop` and `SHOP` are made
 */
export function clientRuntime(variable: string, operations: Named[], version: string): Map<string, string> {
  const name = pascalCase(variable);
  const list = operations.find((one) => isPaged(one) && one.stability === undefined && exampleOf(one));
  const { parameters = {} } = (list && exampleOf(list)) ?? {};
  const args = Object.keys(parameters).length > 0 ? inspect(parameters, { breakLength: Infinity }) : '';
  /** Code in a JSDoc comment. */
  const inComment = (code: string) => prose(visible(code).replaceAll('*/', '*\\/'));
  const samples: Record<string, string> = {
    'listItems()': list ? `${list.name}(${args})` : 'listItems()',
    'listItems:': `${list?.name ?? 'listItems'}:`,
    "GET('/items')": `GET(${quoted(list?.path ?? '/items')})`,
    "'./generated/": `'./`,
  };
  const replace = (text: string) =>
    text
      .replace(/\b(is)?Service(?=Error\b|Client\b|Queries\b| API\b)/g, (_, is = '') => `${is}${name}`)
      .replace(/\bservice(?=Queries\b)|(?<=')service(?=')/g, () => variable)
      .replace(/\bSERVICE(?=_API_KEY\b|_BASE_URL\b)/g, () => variable.replace(/[A-Z]/g, '_$&').toUpperCase())
      .replaceAll('x-service-client', () => `x-${variable.replace(/[A-Z]/g, '-$&').toLowerCase()}-client`)
      .replace(/^ {1,3}\*.*/gm, (comment) => comment.replace(/\bapi\b(?=\.| =)/, () => variable))
      // The examples come last and at once, because they contain any text.
      .replace(/listItems(\(\)|:)|GET\('\/items'\)|'\.\/generated\//g, (each) => inComment(samples[each] ?? each));
  const isPlain = operations.every(({ body, success }) =>
    [body, ...success.map((one) => one.body)].every((one) => (one?.media ?? 'application/json') === 'application/json'),
  );
  // Their files are added, or replace those of the same name.
  const added = [hasCredentials(operations) ? 'credentials' : [], isPlain ? [] : 'formats'].flat();
  const folders = [SOURCES, ...added.map((folder) => path.join(SOURCES, folder))];
  const files = folders.flatMap((folder) =>
    readdirSync(folder).map((file) => [file, path.join(folder, file)] as const),
  );
  const texts = files
    .filter(([file]) => file.endsWith('.ts') && !OWN.includes(file))
    .map(([file, from]): [string, string] => [
      file,
      replace(readFileSync(from, 'utf8').replaceAll(" from '../", " from './")),
    ]);
  return new Map([
    ...texts,
    ['version.ts', `/** The version in package.json. */\nexport const version = ${quoted(version)};\n`],
  ]);
}
