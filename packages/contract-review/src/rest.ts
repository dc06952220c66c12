/** Compares the fields that no comparator judges, so that no field of a contract changes in silence. */

import { METHODS, type Place, type Places } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { describe, kebab } from './describe.ts';
import { type Finding, finding } from './finding.ts';
import { code, setOf, word } from './words.ts';

/** Keys that affect only the SDK's JSDoc and the reference. Some extensions have rules of their own. */
const DOCUMENTATION =
  /^(title|summary|description|termsOfService|tags|examples?|externalDocs|xml|contact|license|links|\$(comment|self|id|anchor|schema)|oauth2MetadataUrl|x-(?!(stability|extensible-enum|environment|rate-limit-plans|deprecated-at|sunset|replaced-by|read-only)$).*)$/;

export const isDocumentation = (key: string) => DOCUMENTATION.test(key);

/**
 * The fields of each object of OpenAPI that a comparator judges, or whose objects it visits. All others are compared as a whole,
 * and each change of them is a finding. test/silence.test.ts changes every field.
 */
export const JUDGED = {
  document: setOf('openapi info servers paths webhooks components security x-rate-limit-plans x-read-only'),
  // The version results from the changes.
  info: setOf('version'),
  map: { has: (key: string) => !key.startsWith('x-') },
  discriminator: setOf('propertyName mapping'),
  path: setOf(`${METHODS.join(' ')} additionalOperations parameters servers $ref`),
  operation: setOf(
    'operationId deprecated parameters requestBody responses callbacks security servers x-stability x-deprecated-at x-sunset x-replaced-by',
  ),
  // The service calls it, so its operationId is only documentation.
  webhook: setOf('deprecated parameters requestBody responses callbacks'),
  // Headers and request bodies have the same fields.
  parameter: setOf('name in required deprecated schema content'),
  content: setOf('schema itemSchema'),
  response: setOf('headers content'),
  server: setOf('url x-environment'),
  securityScheme: setOf('type name in scheme bearerFormat flows openIdConnectUrl deprecated'),
  schema: setOf(
    `$ref $defs allOf oneOf anyOf type nullable enum const default deprecated readOnly writeOnly required x-extensible-enum x-read-only
discriminator maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength maxItems minItems maxProperties minProperties
pattern format multipleOf uniqueItems properties patternProperties additionalProperties items prefixItems contains contentSchema
dependentSchemas if then else not propertyNames unevaluatedItems unevaluatedProperties`,
  ),
};

/** The changes of the fields that no comparator judges. A schema may have several places. */
export function compareRest(kind: keyof typeof JUDGED, base: Places, head: Places): Finding[] {
  const [old = [], now = []] = [base, head].map((places) => places.flatMap((place) => [...place.via, place]));
  const keys = new Set([...old, ...now].flatMap(({ value }) => Object.keys(value ?? {})));
  // `$dynamicRef` may apply a definition to which no `$ref` leads.
  const isDynamic = (key: string) =>
    key === '$defs' && [...old, ...now].some((place) => `${stringify(place.at(key).value)}`.includes('$dynamicAnchor'));
  const isJudged = (key: string) => key === '$ref' || (JUDGED[kind].has(key) && !isDynamic(key));
  const isText = (key: string) => `${kind} ${key}` === 'server name' || `${kind} ${key}` === 'webhook operationId';
  return [...keys].flatMap((key) => (isJudged(key) ? [] : compareWhole(key, old, now, isText(key))));
}

/** Compares a field as a whole, with what it refers to. */
export function compareWhole(key: string, old: Places, now: Places, isText = false): Finding[] {
  const isRead = isText || isDocumentation(key) || key.startsWith('x-');
  const at = (places: Places) => places.map((place) => place.at(key)).filter(({ exists }) => exists);
  const [before, after] = [at(old), at(now)];
  const covers: Place[] = [];
  const textsOf = (isSilent: boolean) =>
    [before, after].map((places) => places.map((place) => textOf(place, isSilent, covers))) as [string[], string[]];
  const [was, is] = textsOf(false);
  const place = after.find((_, index) => !was.includes(is[index] as string)) ?? after[0] ?? before[0];
  if (place === undefined || was.join() === is.join()) return [];
  const subject = describe(place.parent);
  const isSaid = () => textsOf(true)[0].join() === textsOf(true)[1].join();
  if (isRead || (before.length === after.length && isSaid())) {
    const message = `The ${word(key)} of ${subject} ${/s$/.test(key) ? 'were' : 'was'} changed.`;
    return [{ ...finding(`${kebab(key)}-changed`, 'documentation', place, message), covers }];
  }
  const message = `${code(key)} of ${subject} changed: any change of it counts as breaking.`;
  const detail = JSON.stringify([was, is]);
  return [{ ...finding('unsupported-changed', 'changed', after[0] ?? place, message, key, detail), covers }];
}

/** Keys of plain data, in which a `$ref` is no reference. */
const DATA = setOf('example value default enum const');
/** Keys of maps, whose keys are names. */
const NAMES = setOf(
  'headers properties patternProperties dependentSchemas $defs content encoding variables links examples scopes mapping',
);
const MOST_TARGETS = 1000;

/**
 * The text of a value with its references inlined. A recursive or frequent reference gets a number instead, and its target is added
 * at the end.
 *
 * @param isSilent - whether to omit documentation
 * @param covers - receives the targets of references
 */
function textOf(place: Place, isSilent: boolean, covers: Place[]): string {
  if (typeof place.value !== 'object') return `${stringify(place.value)}`;
  const later = new Map<string, Place>();
  let left = MOST_TARGETS;
  const written = (one: Place, above: readonly string[], key: string | number = ''): unknown => {
    if (typeof one.value !== 'object' || one.value === null || DATA.has(String(key))) return one.value;
    if (Array.isArray(one.value))
      return key === 'examples' ? one.value : one.items().map((item) => written(item, above));
    const target = one.targetIfAny;
    const isLeft = (name: string) => isSilent && isDocumentation(name) && !NAMES.has(String(key));
    const fields = one.entries().filter(([name]) => (!target || name !== '$ref') && !isLeft(name));
    const own = Object.fromEntries(fields.map(([name, field]) => [name, written(field, above, name)]));
    if (!target) return own;
    covers.push(target);
    left -= 1;
    if (left >= 0 && !above.includes(target.id)) {
      const inlined = written(target, [...above, target.id]);
      return fields.length === 0 ? inlined : { ...Object(inlined), ...own };
    }
    later.set(target.id, target);
    return { ...own, $ref: [...later.keys()].indexOf(target.id) };
  };
  const texts = [stringify(written(place, [place.id], place.keys.at(-1)))];
  for (const [id, target] of later) texts.push(stringify(written(target, [id])));
  return texts.join();
}
