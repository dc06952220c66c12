import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldErrors } from '../src/field-errors.ts';
import { addKeywords } from '../src/keywords.ts';
import { Compiler } from '../src/schemas.ts';

const names = fc.constantFrom('a', 'b', 'a/b~c');

/** Schemas whose failures each have one place: without alternatives, of which the failures depend on the one that is meant. */
const { schema } = fc.letrec<{ schema: AnySchemaObject | boolean; text: AnySchemaObject }>((tie) => ({
  text: fc.constantFrom<AnySchemaObject>(
    { type: 'integer', minimum: 2 },
    { type: 'string', maxLength: 1 },
    { enum: [1, 'a', null] },
    { const: 'b' },
    { not: { type: 'integer' } },
    { type: ['number', 'null'], multipleOf: 2 },
    { $ref: '#/schemas/Named' },
  ),
  schema: fc.oneof(
    { maxDepth: 3 },
    tie('text'),
    fc.boolean(),
    fc.record<AnySchemaObject>(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 2, noNullPrototype: true }),
        required: fc.uniqueArray(names),
        patternProperties: fc.constant({ '^b': { type: 'integer' } }),
        additionalProperties: tie('schema'),
        // Of an object as a whole, only the first failure is listed, which may be that of a name.
        propertyNames: fc.constant({ maxLength: 1 }),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record<AnySchemaObject>(
      {
        type: fc.constant('array'),
        // Ajv finds one failure for all items beyond those of `prefixItems`.
        items: tie('schema').filter((each) => each !== false),
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        minItems: fc.constant(1),
        uniqueItems: fc.constant(true),
        contains: fc.constant({ type: 'integer' }),
        // For one, Ajv takes the result of another list for that of an empty one.
        minContains: fc.constant(2),
      },
      { requiredKeys: ['type', 'minContains'] },
    ),
  ),
}));

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(1, 2, 'a', 'bb', null, true),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;

const schemas = { Named: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } };

/** Where Ajv sees failures when it looks for all of them. */
function places(schema: AnySchemaObject | boolean, value: unknown): string[] {
  // Each instance would compile the schema of schemas first, which takes three quarters of the time.
  const ajv = new Ajv2020({ allErrors: true, strict: false, ownProperties: true, validateSchema: false });
  // Ajv's own `uniqueItems` misses equal items of another type than that of `items`.
  addKeywords(ajv);
  ajv.addSchema({ $id: 'all', schemas, schema });
  const validate = ajv.getSchema('all#/schema');
  if (validate?.(value)) return [];
  const own = (validate?.errors ?? []).filter(
    // Those of the inside of a keyword that fails as a whole, and of items that need not fit.
    ({ schemaPath }) => !/\/(not|contains|propertyNames)\/./.test(schemaPath),
  );
  return own.map(({ instancePath, params }) => {
    const name: string | undefined = params.missingProperty ?? params.additionalProperty ?? params.propertyName;
    return name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  });
}

test('failures have the places of those that Ajv finds with `allErrors`', () => {
  fc.assert(
    fc.property(schema, value, (schema, value) => {
      const found = fieldErrors(new Compiler(schemas), schema, value, '').map(({ pointer }) => pointer);
      const expected = new Set(places(schema, value));
      if (expected.size < 20) expect(new Set(found)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
