import type { Place } from './place.ts';

/** What a person calls a place of the contract: `` `Pet.name` ``, ``query parameter `limit` ``, `the 200 response`. */
export function describe(place: Place): string {
  const { keys } = place;
  let here =
    place.file === place.source.file
      ? 'the contract'
      : `\`${place.file
          .split('/')
          .at(-1)
          ?.replace(/\.\w+$/, '')}\``;
  let rest = keys.map(String);
  for (let end = 1; end <= keys.length; end++) {
    const name = thing(place, keys.slice(0, end).map(String));
    if (name === undefined) continue;
    here = name;
    rest = keys.slice(end).map(String);
  }
  const property = schemaPath(rest);
  if (property === '') return here;
  // A schema's name and the path in it read as one: `Pet.name`.
  const schema = /^`(\w[\w.-]*)`$/.exec(here)?.[1];
  return schema ? `\`${schema}${/^[.[]/.test(property) ? '' : '.'}${property}\`` : `\`${property}\` of ${here}`;
}

/** What the path leads to, if it is something with a name. */
function thing(place: Place, keys: string[]): string | undefined {
  const [kind, key = ''] = keys.slice(-2);
  const value = place.in(place.file).at(...keys).value as {
    in?: string;
    name?: string;
  };
  if (keys.length === 3 && keys[0] === 'components') {
    if (kind === 'parameters') return `${value?.in} parameter \`${value?.name}\``;
    if (kind === 'headers') return `header \`${key}\``;
    if (kind === 'responses') return `the response \`${key}\``;
    if (kind === 'requestBodies') return 'the request body';
    return `\`${key}\``;
  }
  if (keys[0] === 'components' && !['responses', 'pathItems', 'requestBodies'].includes(keys[1] ?? ''))
    return undefined;
  if (keys.length === 3 && /^(paths|webhooks)$/.test(keys[0] ?? '') && value && !key.startsWith('x-')) {
    const id = (value as { operationId?: string }).operationId ?? `${key.toUpperCase()} ${kind}`;
    return kind === 'parameters' ? undefined : `\`${id}\``;
  }
  if (key === 'requestBody') return 'the request body';
  if (kind === 'responses' && keys.length < 7)
    return key === 'default' ? 'the default response' : `the ${key} response`;
  if (kind === 'headers') return `header \`${key}\``;
  if (kind === 'parameters' && value?.name !== undefined) return `${value.in} parameter \`${value.name}\``;
  if (kind === 'paths' || kind === 'webhooks') return `\`${key}\``;
  return undefined;
}

/** `properties/tags/items/properties/name` → `tags[].name`. Keywords that only combine schemas are left out. */
function schemaPath(keys: string[]): string {
  let text = '';
  const start = keys.indexOf('schema') + 1;
  for (let index = start; index < keys.length; index++) {
    const key = keys[index] ?? '';
    if (/^(dependent|pattern)?(properties|schemas)$/i.test(key)) {
      index += 1;
      if (keys[index] !== undefined) text += `${text === '' ? '' : '.'}${keys[index]}`;
    } else if (/^(items|prefixItems|contains|unevaluatedItems)$/.test(key)) {
      text += '[]';
    } else if (/^(additionalProperties|unevaluatedProperties)$/.test(key)) {
      text += `${text === '' ? '' : '.'}*`;
    }
  }
  return text;
}
