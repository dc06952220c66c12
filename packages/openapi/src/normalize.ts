import { converter } from './dialect.ts';
import { withViews } from './directions.ts';
import { withTags } from './discriminators.ts';
import type { Document, Reading, Schema } from './document.ts';
import { withSubtypes } from './inheritance.ts';
import { type Any, type Change, isMap, mapValues, rebuild, SECTIONS } from './objects.ts';
import { operationsOf, pathItem } from './operations.ts';
import type { Report } from './origin.ts';
import { breakLoops, isComponent, resolve } from './references.ts';

export type Normalized = Pick<Reading, 'document' | 'operations' | 'schemas'>;

/**
 * Normalizes a document in one piece. The result has the invariants of `document.ts`.
 *
 * @param written - whose references are local
 */
export function normalize(written: Document, report: Report = () => {}): Normalized {
  const hoisted: Record<string, Any> = {};
  for (const name of Object.keys(Object(written.components?.schemas))) hoisted[name] = true;
  const convert = converter(written, hoisted, report);
  const change: Change = (value, kind) => {
    if (kind === 'schema') return convert(value);
    if (kind === 'path') return pathItem(written, value, undefined, report);
    return inlined(value, kind);
  };
  const open = new Set<Any>();
  /** A reference to a part of another object becomes a copy of the part. One to a component stays. */
  const inlined: (value: Any, kind: string) => Any = (value, kind) => {
    if (typeof value?.$ref !== 'string' || !(kind in SECTIONS)) return value;
    const target = resolve(written, value);
    const isLost = target === undefined || open.has(target);
    if (isLost)
      report('error', 'reference', value, `$ref leads ${target ? 'back to itself' : 'nowhere'}: ${value.$ref}`);
    if (isLost || isComponent(value.$ref, kind)) return isComponent(value.$ref, kind) ? value : {};
    open.add(target);
    const copy = rebuild(target, kind, change);
    open.delete(target);
    return copy;
  };
  const converted: Document = rebuild(written, 'document', change);
  const declared = Object(converted.components?.schemas);
  converted.components = { ...converted.components, schemas: { ...hoisted, ...declared } };
  if (`${converted.openapi}`.startsWith('3.0')) converted.openapi = '3.1.0';
  if (isMap(converted.paths))
    converted.paths = mapValues(converted.paths, (item, path) =>
      isMap(item) && !path.startsWith('x-') ? pathItem(converted, item, path, report) : item,
    );
  const inherited = withSubtypes(converted);
  const components: Record<string, Schema> = inherited.components.schemas;
  breakLoops(components, report);
  const tagged = rebuild(inherited, 'document', (value, kind) =>
    kind === 'schema' && value.discriminator ? withTags(value, components) : value,
  );
  const document = withViews(tagged);
  const schemas = document.components.schemas;
  if (Object.keys(schemas).length === 0) delete document.components.schemas;
  if (Object.keys(document.components).length === 0) delete document.components;
  return { document, operations: operationsOf(document), schemas };
}
