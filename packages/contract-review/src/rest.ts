/** Compares the fields that no comparator judges, so that no field of a contract changes in silence. */

import { isObject, kindIn, METHODS, type Place, type Places, SECTIONS } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { describe, kebab } from './describe.ts';
import { type Finding, finding } from './finding.ts';
import { code, setOf, word } from './words.ts';

/** Keys that affect only the SDK's JSDoc and the reference. Some extensions have rules of their own. */
const DOCUMENTATION =
  /^(title|summary|description|termsOfService|tags|examples?|externalDocs|xml|contact|license|links|\$(comment|self|id|anchor|schema)|oauth2MetadataUrl|x-(?!(stability|extensible-enum|environment|rate-limit-plans|deprecated-at|sunset|replaced-by|read-only)$).*)$/;

type Held = ReturnType<typeof kindIn>;

export const isDocumentation = (key: string) => DOCUMENTATION.test(key);

/**
 * The fields of each object of OpenAPI that a comparator judges, or whose objects it visits. All others are compared as a whole,
 * and each change of them is a finding. test/silence.test.ts changes every field.
 */
export const JUDGED = {
  document: setOf(
    'openapi info servers paths webhooks components security x-rate-limit-plans x-read-only x-error x-error-codes x-invalid',
  ),
  // The version results from the changes.
  info: setOf('version'),
  map: { has: (key: string) => !key.startsWith('x-') },
  discriminator: setOf('propertyName mapping'),
  path: setOf(`${METHODS.join(' ')} additionalOperations parameters servers $ref`),
  operation: setOf(
    `operationId deprecated parameters requestBody responses callbacks security servers x-stability x-deprecated-at x-sunset x-replaced-by
x-max-body x-not-idempotent x-error-codes x-invalid`,
  ),
  // The service calls it, so its operationId is only documentation.
  webhook: setOf('deprecated parameters requestBody responses callbacks'),
  // Headers and request bodies have the same fields.
  parameter: setOf('name in required deprecated schema content'),
  media: setOf('schema itemSchema'),
  response: setOf('headers content x-error-codes'),
  server: setOf('url x-environment'),
  scheme: setOf('type name in scheme bearerFormat flows openIdConnectUrl deprecated x-token'),
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
  const of = kind === 'webhook' ? 'operation' : kind;
  const isText = (key: string) => `${kind} ${key}` === 'server name' || `${kind} ${key}` === 'webhook operationId';
  return [...keys].flatMap((key) => (isJudged(key) ? [] : compareWhole(of, key, old, now, isText(key))));
}

/** Compares a field as a whole, with what it refers to. */
export function compareWhole(kind: string, key: string, old: Places, now: Places, isText = false): Finding[] {
  const isRead = isText || isDocumentation(key) || key.startsWith('x-');
  const at = (places: Places) => places.map((place) => place.at(key)).filter(({ exists }) => exists);
  const [before, after] = [at(old), at(now)];
  const covers: Place[] = [];
  const textsOf = (isSilent: boolean) =>
    [before, after].map((places) => places.map((place) => textOf(place, kindIn(kind, key), isSilent, covers))) as [
      string[],
      string[],
    ];
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

const MOST_TARGETS = 1000;

/**
 * The text of a value with its references inlined. A recursive or frequent reference gets a number instead, and its target is added
 * at the end. Data, such as an extension, has no references.
 *
 * @param covers - receives the targets of references
 */
function textOf(place: Place, first: Held, isSilent: boolean, covers: Place[]): string {
  const later = new Map<string, readonly [target: Place, kind: Held]>();
  let left = MOST_TARGETS;
  const written = (one: Place, held: Held, above: readonly string[]): unknown => {
    if (!isObject(one.value) || !held) return one.value;
    const part = { ...held, isMany: false };
    if (Array.isArray(one.value)) return one.items().map((item) => written(item, part, above));
    if (held.isMany) return Object.fromEntries(one.entries().map(([name, each]) => [name, written(each, part, above)]));
    const target = held.kind in SECTIONS ? one.targetIfAny : undefined;
    const fields = one
      .entries()
      .filter(([name]) => (!target || name !== '$ref') && !(isSilent && isDocumentation(name)));
    const copy = Object.fromEntries(
      fields.map(([name, field]) => [name, written(field, kindIn(held.kind, name), above)]),
    );
    if (!target) return copy;
    covers.push(target);
    left -= 1;
    if (left >= 0 && !above.includes(target.id)) {
      const inlined = written(target, held, [...above, target.id]);
      return fields.length === 0 ? inlined : { ...Object(inlined), ...copy };
    }
    later.set(target.id, [target, held]);
    return { ...copy, $ref: [...later.keys()].indexOf(target.id) };
  };
  const texts = [stringify(written(place, first, [place.id]))];
  for (const [id, [target, held]] of later) texts.push(stringify(written(target, held, [id])));
  return texts.join();
}
