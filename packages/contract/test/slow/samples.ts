import fc from 'fast-check';
import type { Json } from '../json.ts';

const TEXTS: Record<string, string> = {
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
  time: '03:04:05Z',
  email: 'a@example.com',
  uri: 'https://example.com/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** A value that a schema most likely admits: its example, or the smallest one. */
export function sampleOf(schema: Json, schemas: Json, depth = 0): Json {
  if (typeof schema !== 'object' || schema === null) return 'x';
  const { $ref, const: only, enum: values, example, examples, default: usual, allOf, oneOf, anyOf } = schema;
  if ($ref) return sampleOf(schemas[decodeURIComponent($ref).split('/').at(-1) as string], schemas, depth + 1);
  const isMeant = (one: Json) =>
    one !== undefined &&
    (schema.type !== 'number' || typeof one === 'number') &&
    (![schema.type].flat().includes('string') || typeof one === 'string') &&
    (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(one));
  for (const one of [only, values?.[0], example, examples?.[0], usual]) if (isMeant(one)) return one;
  if (depth > 20) return null;
  const parts = [...(allOf ?? []), ...[oneOf?.[0] ?? anyOf?.[0] ?? []].flat()].map((one: Json) =>
    sampleOf(one, schemas, depth + 1),
  );
  const type = [schema.type].flat()[0] ?? (schema.properties || schema.required ? 'object' : undefined);
  if (type === 'object' || parts.some((one) => typeof one === 'object' && one !== null)) {
    const optional = Object.keys(schema.properties ?? {}).slice(0, schema.minProperties ?? 0);
    const own = [...new Set<string>([...(schema.required ?? []), ...optional])].map((name: string) => [
      name,
      sampleOf(schema.properties?.[name] ?? {}, schemas, depth + 1),
    ]);
    return Object.assign({}, ...parts, Object.fromEntries(own));
  }
  if (parts.length > 0) return parts[0];
  if (type === 'array')
    return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => sampleOf(schema.items, schemas, depth + 1));
  if (type === 'integer' || type === 'number') return schema.minimum ?? Math.min(1, schema.maximum ?? 1);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (schema.pattern !== undefined) {
    // The generator knows no look-ahead.
    const pattern = new RegExp(schema.pattern.replaceAll(/\(\?[=!][^()]*\)/g, ''), 'u');
    return fc.sample(fc.stringMatching(pattern), { numRuns: 1, seed: 1 })[0];
  }
  return TEXTS[schema.format] ?? 'x'.repeat(Math.max(1, schema.minLength ?? 1));
}
