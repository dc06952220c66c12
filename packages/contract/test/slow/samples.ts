import fc from 'fast-check';
import { made } from '../../src/generate/examples.ts';
import type { Json } from '../json.ts';

/** Values that a schema most likely admits: with its examples and without, of each of the first alternatives. */
export function* samplesOf(schema: Json, schemas: Json): Generator<Json> {
  for (const hasExamples of [true, false])
    for (const seed of [0, 1, 2]) yield sampleOf(schema, { schemas, hasExamples, seed }, 0);
}

interface Choice {
  schemas: Json;
  hasExamples: boolean;
  /** Values of other seeds differ. */
  seed: number;
}

function sampleOf(schema: Json, choice: Choice, depth: number): Json {
  if (typeof schema !== 'object' || schema === null) return 'x';
  const { schemas, hasExamples, seed } = choice;
  const inner = (one: Json, more = 0) => sampleOf(one, { ...choice, seed: seed + more }, depth + 1);
  const { $ref, const: only, enum: values, example, examples, default: usual, allOf, oneOf, anyOf } = schema;
  if ($ref) return inner(schemas[decodeURIComponent($ref).split('/').at(-1) as string]);
  const given = [only, values?.[seed % values.length], ...(hasExamples ? [example, examples?.[0], usual] : [])];
  const found = given.find((one) => one !== undefined);
  if (found !== undefined || depth > 20) return found ?? null;
  const alternatives = oneOf ?? anyOf ?? [];
  // A part may only require fields of the whole.
  const { properties } = schema;
  const parts = [...(allOf ?? []), ...alternatives.slice(seed % (alternatives.length || 1)).slice(0, 1)].map((one) =>
    inner(one.$ref || !properties ? one : { properties, ...one }),
  );
  const type = [schema.type].flat()[0] ?? (schema.properties || schema.required ? 'object' : undefined);
  if (type === 'object' || parts.some((one) => typeof one === 'object' && one !== null)) {
    const optional = Object.keys(schema.properties ?? {}).slice(0, schema.minProperties ?? 0);
    const own = [...new Set<string>([...(schema.required ?? []), ...optional])].map((name: string) => [
      name,
      inner(schema.properties?.[name] ?? {}),
    ]);
    return Object.assign({}, ...parts, Object.fromEntries(own));
  }
  if (parts.length > 0) return parts[0];
  if (type === 'array')
    return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, (_, index) =>
      inner(schema.items, schema.uniqueItems ? index : 0),
    );
  if (type === 'integer' || type === 'number')
    return (schema.minimum ?? Math.min(1, schema.maximum ?? 1)) + seed * (schema.multipleOf ?? 1);
  if (type === 'boolean' || type === 'null') return made({} as never, { type });
  if (schema.pattern !== undefined) {
    // The generator knows no look-around.
    const pattern = new RegExp(schema.pattern.replaceAll(/\(\?<?[=!][^()]*\)/g, ''), 'u');
    const size = { minLength: schema.minLength ?? 0, maxLength: schema.maxLength ?? 0xfff };
    const fits = (one: string) => one.length >= size.minLength && one.length <= size.maxLength;
    return fc.sample(fc.stringMatching(pattern), { numRuns: 100, seed }).find(fits);
  }
  const known = made({} as never, { type: 'string', format: schema.format });
  return known !== 'text' ? known : 'x'.repeat(Math.max(1, schema.minLength ?? 1)) + (seed || '');
}
