import { type Any, followSchema as follow, type Key, mapParts, partsOf, schemaIn } from '@petstore-platform/openapi';
import { linearMatcher } from '@petstore-platform/server-runtime/tools';
import { type Document, type Operation, resolve } from '../contract.ts';
import type { Finding } from './finding.ts';

/** Finds what makes the validation of a request take more time than in proportion to its size. */
export function schemaFindings(document: Document, operations: Operation[]): Finding[] {
  const schemas: Any = document.components?.schemas ?? {};
  const findings: Finding[] = [];
  const tell = (level: Finding['level'], rule: string, message: string, keys: Key[]) =>
    findings.push({ level, rule: `trial/${rule}`, message, keys });
  const visited = new Set<string>();
  const visit = (schema: Any, keys: Key[]): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const name = schemaIn(schema.$ref);
    if (name !== undefined && !visited.has(name)) {
      visited.add(name);
      visit(schemas[name], ['components', 'schemas', name]);
    }
    for (const pattern of [schema.pattern, ...Object.keys(schema.patternProperties ?? {})])
      if (typeof pattern === 'string' && !linearMatcher(pattern))
        tell('error', 'patterns', `The pattern \`${pattern}\` ${SLOW}`, keys);
    const alternatives = ['oneOf', 'anyOf'].find((key) => Array.isArray(schema[key]));
    const [, , component] = keys[0] === 'components' ? keys : [];
    if (alternatives && !schema.discriminator && isAmbiguous(schema[alternatives], `${component}`, schemas))
      tell('warning', 'alternatives', RECURSIVE, [...keys, alternatives]);
    for (const [within, part] of heldBy(schema)) visit(part, [...keys, ...within]);
  };
  for (const { path, method, parameters } of operations) {
    const keys = ['paths', path, method];
    const item: Any = resolve<Any>(document, document.paths?.[path]);
    const { content = {} } = resolve<Any>(document, item[method].requestBody) ?? {};
    for (const [index, { schema }] of parameters.entries()) visit(schema, [...keys, 'parameters', index, 'schema']);
    for (const type of Object.keys(content))
      visit(content[type].schema, [...keys, 'requestBody', 'content', type, 'schema']);
  }
  return findings;
}

const SLOW =
  'may make a request slow: no engine matches it in linear time. Write it without a reference to a group, look ahead only at its start, and behind only at its end.';

const RECURSIVE =
  'Two of these alternatives lead back to them, and nothing tells them apart: each level of a nested value is tried for both, and a failure has no exact place. Give each a property with a `const` of its own, such as `kind`, and name it in a `discriminator`.';

/** The schemas in a schema, each with its keys. A property may have the name of a keyword. */
function heldBy(schema: Any): [keys: Key[], part: Any][] {
  const held: [Key[], Any][] = [];
  mapParts(schema, 'schema', (part, _, field, name) => held.push([name === undefined ? [field] : [field, name], part]));
  return held;
}

/** Whether two alternatives lead back to the component that has them, and a value may fit both at first sight. */
function isAmbiguous(alternatives: Any[], component: string, schemas: Any): boolean {
  const back = alternatives.filter((one) => leadsTo(one, component, schemas, new Set()));
  return back.some((one, index) =>
    back.slice(index + 1).some((other) => !areDistinct(follow(schemas, one), follow(schemas, other), schemas)),
  );
}

function leadsTo(schema: Any, component: string, schemas: Any, seen: Set<string>): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const name = schemaIn(schema.$ref);
  if (name === component) return true;
  if (name !== undefined && !seen.has(name)) {
    seen.add(name);
    if (leadsTo(schemas[name], component, schemas, seen)) return true;
  }
  return heldBy(schema).some(([, part]) => leadsTo(part, component, schemas, seen));
}

/** Whether two schemas differ in their type, or in the values of a property. */
function areDistinct(one: Any, other: Any, schemas: Any): boolean {
  const [types, others] = [one, other].map(({ type }) => new Set([type ?? []].flat()));
  if (types?.size && others?.size && types.isDisjointFrom(others)) return true;
  const [tags, otherTags] = [tagsOf(one, schemas), tagsOf(other, schemas)];
  return [...tags].some(([name, values]) => otherTags.get(name)?.isDisjointFrom(values));
}

/** The values of the properties that have few. */
const tagsOf = (schema: Any, schemas: Any): Map<string, Set<unknown>> =>
  new Map(
    partsOf(schemas, schema)
      .toReversed()
      .flatMap(({ properties }) => Object.entries<Any>(properties ?? {}))
      .flatMap(([name, property]) => {
        const { const: only, enum: values = only === undefined ? undefined : [only] } = follow(schemas, property) ?? {};
        return values ? [[name, new Set(values)] as const] : [];
      }),
  );
