import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { type Operation, pascalCase } from '../contract.ts';
import { isPaged } from './client.ts';
import { exampleOf } from './reference.ts';

const SOURCES = path.resolve(import.meta.dirname, '../../../client-runtime/src');

/**
 * The sources of an SDK that are the same for every contract, under the names of this SDK: text by file name. They are copied
 * instead of imported, so that the package has no further dependency, and JSR, source maps and hovers show the code of its calls.
 *
 * @param variable - the service's name in samples, such as `shop`, from which `Shop` and `SHOP` are made
 */
export function clientRuntime(variable: string, operations: Operation[], version: string): Map<string, string> {
  const name = pascalCase(variable);
  const list = operations.find((one) => isPaged(one) && one.stability === undefined && exampleOf(one));
  const { parameters = {} } = (list && exampleOf(list)) ?? {};
  const args = Object.keys(parameters).length > 0 ? inspect(parameters, { breakLength: Infinity }) : '';
  const replace = (text: string) =>
    text
      .replace(/\b(is)?Service(?=Error\b|Client\b|Queries\b| API\b)/g, `$1${name}`)
      .replace(/\bservice(?=Queries\b)|(?<=')service(?=')/g, variable)
      .replace(/\bSERVICE(?=_API_KEY\b|_BASE_URL\b)/g, variable.replace(/[A-Z]/g, '_$&').toUpperCase())
      .replaceAll('x-service-client', `x-${variable.replace(/[A-Z]/g, '-$&').toLowerCase()}-client`)
      .replace(/^ {1,3}\*.*/gm, (comment) => comment.replace(/\bapi\b(?=\.| =)/, variable))
      .replaceAll('listItems()', list ? `${list.id}(${args})` : 'listItems()')
      .replaceAll('listItems:', `${list?.id ?? 'listItems'}:`)
      .replaceAll(`'./generated/`, `'./`)
      .replaceAll("GET('/items')", `GET('${list?.path ?? '/items'}')`);
  const files = readdirSync(SOURCES).filter((file) => file.endsWith('.ts') && file !== 'version.ts');
  const texts = files.map((file): [string, string] => [file, replace(readFileSync(path.join(SOURCES, file), 'utf8'))]);
  return new Map([
    ...texts,
    ['version.ts', `/** The version in package.json. */\nexport const version = '${version}';\n`],
  ]);
}
