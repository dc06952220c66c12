import path from 'node:path';
import { type Place, pointerOf } from '@petstore-platform/openapi';
import { written } from './version.ts';
import { code, setOf, word } from './words.ts';

/** The name of a place in messages: `` `Order.id` ``, ``query parameter `limit` ``, `the 200 response`. */
export function describe(part: Place): string {
  const place = written(part);
  const keys = place.keys.map(String);
  // Within a schema, only properties have names, so the search for a name ends at the schema.
  const end = keys[0] === 'components' && keys[1] === 'schemas' ? 3 : keys.indexOf('schema') + 1 || keys.length;
  const start = keys.slice(0, end).findLastIndex((_, index) => labelOf(place, keys.slice(0, index + 1))) + 1;
  const file = place.file === place.source.file ? 'the contract' : code(path.parse(place.file).name);
  const here = labelOf(place, keys.slice(0, start)) ?? file;
  const property = schemaPath(keys.slice(keys.indexOf('schema', start) + 1 || start));
  if (property === '') return here;
  const schema = /^`(\w[\w.-]*)`$/.exec(here)?.[1];
  return schema ? code(`${schema}${/^[.[]/.test(property) ? '' : '.'}${property}`) : `${code(property)} of ${here}`;
}

function labelOf(place: Place, keys: string[]): string | undefined {
  const [kind = '', key = ''] = keys.slice(-2);
  const value = place.source.in(place.file).at(...keys).value ?? {};
  const section = keys.length === 3 ? keys[0] : undefined;
  const [isComponent, isRoute] = [section === 'components', section === 'paths' || section === 'webhooks'];
  // A reference may lead to a part of another file.
  const isPart = place.file !== place.source.file && place.source.isTarget(place.file + pointerOf(keys));
  const isParameter = kind === 'parameters' || (isPart && value.schema !== undefined);
  if (isParameter && value.name !== undefined) return `${word(value.in)} parameter ${code(value.name)}`;
  if (kind === 'headers') return `header ${code(key)}`;
  if (kind === 'responses') return isComponent ? `the response ${code(key)}` : `the ${word(key)} response`;
  if (kind === 'servers' && value.url !== undefined) return `the server ${code(value.url)}`;
  if (kind === 'requestBodies' || key === 'requestBody') return 'the request body';
  if (isPart && keys.length > 0) return code(keys.at(-1));
  if (isComponent || kind === 'paths' || kind === 'webhooks') return code(key);
  const isOperation = isRoute && kind !== 'parameters' && !key.startsWith('x-');
  return isOperation ? code(value.operationId ?? `${key.toUpperCase()} ${kind}`) : undefined;
}

const ITEMS = setOf('items prefixItems contains unevaluatedItems');
const UNLISTED = setOf('additionalProperties unevaluatedProperties');

/** `properties/tags/items/properties/name` → `tags[].name`. Omits keywords that combine schemas. */
function schemaPath([key, ...rest]: string[], before = ''): string {
  const dot = before === '' ? '' : '.';
  if (key === undefined) return before;
  if (/^(dependent|pattern)?(properties|schemas)$/i.test(key))
    return schemaPath(rest.slice(1), before + (rest[0] ? dot + rest[0] : ''));
  if (key === '$defs' && rest[0]) return schemaPath(rest.slice(1), `${before}${dot}$defs.${rest[0]}`);
  if (ITEMS.has(key)) return schemaPath(rest, `${before}[]`);
  return schemaPath(rest, UNLISTED.has(key) ? `${before}${dot}*` : before);
}

export const kebab = (keyword: string) => keyword.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
