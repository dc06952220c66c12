/** How a parameter is written in a request: OpenAPI 3.2.0, "Style Examples", the same in all versions. */
import type { Parameter, Schema } from './document.ts';
import { partsIn } from './references.ts';

/** A style for lists or objects. Simple values are written in one way. */
export interface Style {
  style: 'form' | 'simple' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';
  explode: boolean;
  of: 'list' | 'object';
  /** The query parameters that are fields of an object whose style is `form` with `explode`. Absent: all that are no other parameter. */
  names?: string[];
}

const DELIMITED = ['spaceDelimited', 'pipeDelimited'];

/**
 * The style of a parameter, or of a field of a url-encoded form. A simple value has none, and neither has a list as a repeated query
 * parameter. A combination that OpenAPI does not define has a reason instead.
 *
 * @param schemas - the components to which its schema refers
 */
export function styleOf(
  schemas: Record<string, Schema>,
  parameter: Pick<Parameter, 'in' | 'style' | 'explode' | 'schema'>,
): { style?: Style; reason?: string } {
  const { in: place, style, explode, schema } = parameter;
  const kinds = kindsOf(schemas, schema);
  const [isList, isObject] = [kinds.has('array'), kinds.has('object')];
  if (style === 'matrix' || style === 'label') return { reason: `\`${style}\` is not served. Use \`simple\`.` };
  if (isList && isObject) return { reason: 'A list and an object are written alike. Choose one.' };
  const of = isList ? 'list' : isObject ? 'object' : undefined;
  const inner = of ? heldBy(schemas, schema, of).flatMap((one) => [...kindsOf(schemas, one)]) : [];
  if (inner.includes('array') || inner.includes('object')) return { reason: NESTED };
  const isDefined =
    place === 'query'
      ? style === 'form' ||
        (DELIMITED.includes(style) && of && !explode) ||
        (style === 'deepObject' && of === 'object' && explode)
      : place === 'cookie'
        ? style === 'form' && !(of && explode)
        : style === 'simple';
  if (!isDefined)
    return {
      reason: `OpenAPI does not define \`${style}\`${explode ? ' with `explode`' : ''} for ${NOUNS[of ?? 'value']} in the ${place}. Choose another \`style\` or \`explode\`.`,
    };
  if (!of || (place === 'query' && of === 'list' && explode)) return {};
  const names = of === 'object' && style === 'form' && explode ? namesOf(schemas, schema) : undefined;
  // A cookie has the separators of a header.
  const separating = place === 'cookie' ? 'simple' : (style as Style['style']);
  return { style: { style: separating, explode, of, ...(names && { names }) } };
}

const NESTED =
  'OpenAPI does not define how a list or an object within a parameter is written. Flatten it, or move it to a body.';

const NOUNS = { list: 'a list', object: 'an object', value: 'a simple value' };

/** The types that a schema admits, those of its parts included. Empty: any. */
export const kindsOf = (schemas: Record<string, Schema>, schema: unknown): Set<string> =>
  new Set(
    partsIn(schemas, schema).flatMap(({ type, properties, items }) =>
      type === undefined ? [...(properties ? ['object'] : []), ...(items !== undefined ? ['array'] : [])] : type,
    ),
  );

/** The schemas of the items of a list, or of the fields of an object. */
export const heldBy = (schemas: Record<string, Schema>, schema: unknown, of: Style['of']): unknown[] =>
  partsIn(schemas, schema).flatMap(
    ({ items, prefixItems = [], properties, patternProperties, additionalProperties }) =>
      of === 'list'
        ? [items, ...prefixItems]
        : [...Object.values(properties ?? {}), ...Object.values(patternProperties ?? {}), additionalProperties],
  );

/** The names of the fields of an object. Undefined for one that takes others, too, or names none. */
function namesOf(schemas: Record<string, Schema>, schema: unknown): string[] | undefined {
  const parts = partsIn(schemas, schema);
  const isOpen = parts.some(
    ({ additionalProperties, unevaluatedProperties, patternProperties }) =>
      patternProperties ||
      [additionalProperties, unevaluatedProperties].some((one) => one !== undefined && one !== false),
  );
  const names = new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {})));
  return isOpen || names.size === 0 ? undefined : [...names];
}
