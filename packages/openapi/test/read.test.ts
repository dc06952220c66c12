import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { placeAt, read } from '../src/index.ts';
import { violations } from './invariants.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'openapi-'));

/** Writes files and reads the first. The others may be anywhere below the same folder. */
function reading(files: Record<string, string>, options = {}) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const [first = ''] = Object.keys(files);
  const found = read(path.join(folder, first), { within: folder, from: folder, ...options });
  expect(violations(found)).toEqual([]);
  return found;
}

const contract = (text: string, version = '3.1.0') => `openapi: ${version}\ninfo: { title: a, version: '1' }\n${text}`;

/** The text of a contract whose only operation has a schema as its body and its 200. */
const textWith = (schema: string, more = '', version = '3.1.0') =>
  contract(
    `paths:
  /a:
    post:
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { '200': { description: Done, content: { application/json: { schema: ${schema} } } } }
${more}`,
    version,
  );

/** The reading of such a contract. */
const withSchema = (...args: Parameters<typeof textWith>) => reading({ 'a.yaml': textWith(...args) });

const bodyOf = ({ operations }: ReturnType<typeof reading>) => operations[0]?.body?.content['application/json']?.schema;
const resultOf = ({ operations }: ReturnType<typeof reading>) =>
  operations[0]?.responses[0]?.content['application/json']?.schema;

describe('the dialect of a schema', () => {
  /** Of 3.0, and of 3.1. */
  const DIALECTS: Record<string, Record<string, string>> = {
    '3.0.3': {
      '{ type: string, nullable: true }': '{ type: [string, "null"] }',
      '{ type: string, nullable: true, enum: [a, null] }': '{ type: [string, "null"], enum: [a, null] }',
      '{ type: string, nullable: true, enum: [a] }': '{ type: string, enum: [a] }',
      '{ nullable: true, anyOf: [{ type: string }, { type: integer }] }':
        '{ anyOf: [{ type: string }, { type: integer }, { type: "null" }] }',
      '{ type: integer, nullable: true, default: null }': '{ type: [integer, "null"], default: null }',
      '{ type: string, nullable: false }': '{ type: string }',
      '{ type: number, minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false }':
        '{ type: number, exclusiveMinimum: 1, maximum: 5 }',
    },
    '3.1.0': {
      '{ type: array, items: [{ type: string }] }': '{ type: array, prefixItems: [{ type: string }] }',
      '{ enum: [a, a, 1, "1"] }': '{ enum: [a, 1, "1"] }',
      // `u` refuses these escapes.
      "{ type: string, pattern: '^[\\w-.]\\-\\@$' }": "{ type: string, pattern: '^[\\w\\-.]-@$' }",
      '{ $id: https://a.example/a, type: string, example: { $id: kept } }': '{ type: string, example: { $id: kept } }',
    },
  };
  const rows = Object.entries(DIALECTS).flatMap(([version, all]) =>
    Object.entries(all).map(([written, wanted]) => [version, written, wanted] as const),
  );

  test.each(rows)('%s: %s is read as %s', (version, written, wanted) => {
    const found = bodyOf(withSchema(written, '', version));
    expect(JSON.parse(JSON.stringify(found))).toEqual(load(wanted));
  });

  test('a keyword of another version is read, with a warning at its line', () => {
    const { notes } = withSchema('{ type: string, nullable: true }');
    const warning = { level: 'warning', rule: 'reading/dialect', file: path.join(folder, 'a.yaml') };
    expect(notes).toMatchObject([
      { ...warning, line: 6 },
      { ...warning, line: 7 },
    ]);
  });

  test('a type that JSON does not have is an error', () => {
    const { notes } = withSchema('{ type: file }');
    expect(notes.map(({ level, message }) => [level, message])).toContainEqual([
      'error',
      expect.stringContaining('JSON has no type `file`'),
    ]);
  });
});

test('lines of a text or a flow collection that stand too far left are read, with a warning at each', () => {
  const example = ['example: {', '    "a": 1', '}', 'x-text: "one', 'two', 'three"'].join('\n');
  const text = `${contract('paths: {}')}\nx-more:\n  ${example}\n`;
  const { published, notes } = reading({ 'a.yaml': text });
  const lines = text.split('\n');
  expect(published['x-more']).toMatchObject({ example: { a: 1 } });
  expect(notes.filter(({ rule }) => rule === 'reading/yaml').map(({ line }) => lines[line - 1])).toContain('}');
});

describe('a reference', () => {
  const more =
    "components: { schemas: { A: { type: object, properties: { b: { type: string } } }, 'a b': { type: integer } } }";

  test('with siblings that limit it is an `allOf`; annotations stay beside it', () => {
    const limited = bodyOf(withSchema("{ $ref: '#/components/schemas/A', minProperties: 1, description: x }", more));
    expect(limited).toMatchObject({ allOf: [{ $ref: '#/components/schemas/A' }], minProperties: 1 });
    const described = bodyOf(withSchema("{ $ref: '#/components/schemas/A', description: x }", more));
    expect(described).toMatchObject({ $ref: '#/components/schemas/A', description: 'x' });
  });

  test('of 3.0 keeps only the siblings that its author means', () => {
    const found = withSchema("{ $ref: '#/components/schemas/A', minProperties: 1, nullable: true }", more, '3.0.3');
    expect(JSON.parse(JSON.stringify(bodyOf(found)))).toEqual({
      anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }],
    });
    expect(found.notes[0]?.message).toContain('OpenAPI 3.0 ignores minProperties beside a `$ref`');
  });

  test('into the middle of a schema, or with an encoded name, leads to a component', () => {
    const part = withSchema("{ $ref: '#/components/schemas/A/properties/b' }", more);
    expect(bodyOf(part)).toMatchObject({ $ref: '#/components/schemas/AB' });
    expect(part.schemas.AB).toMatchObject({ type: 'string' });
    // The author's document stays as it is.
    expect(part.published.components.schemas).not.toHaveProperty('AB');
    const encoded = withSchema("{ $ref: '#/components/schemas/a%20b' }", more);
    expect(bodyOf(encoded)?.$ref).toBe('#/components/schemas/a%20b');
  });
});

test('a `$ref` in data is no reference', () => {
  const data = { $ref: './start.md', deep: [{ $ref: '#/paths' }] };
  const text = JSON.stringify(data);
  const { published, document, notes } = reading({
    'data/root.yaml': contract(`x-topics: [{ content: ${text} }]
x-topic: ${text}
paths:
  x-topic: ${text}
  /a: { x-topic: ${text}, get: { responses: { x-topic: ${text}, '200': { description: Done } } } }
components:
  schemas: { x-schema: { $ref: ./schema.yaml }, A: { x-topic: ${text}, default: ${text}, examples: [${text}] } }
`),
    'data/start.md': '{ openapi: 3.1.0 }\n',
    'data/schema.yaml': '{ type: string }\n',
  });
  for (const { 'x-topics': topics, 'x-topic': topic, paths, components } of [published, document]) {
    const { 'x-topic': ofPath, get } = paths['/a'];
    const { 'x-topic': ofSchema, default: usual, examples } = components.schemas.A;
    const found = [topic, paths['x-topic'], ofPath, get.responses['x-topic'], ofSchema, usual, examples[0]];
    expect([topics[0].content, ...found]).toEqual(Array(8).fill(data));
    expect(components.schemas['x-schema'].type).toBe('string');
  }
  expect(notes).toEqual([]);
});

test('files become one document, each part with its place', () => {
  const files = {
    'api/root.yaml': contract(`paths:
  /vehicles: { $ref: paths/vehicles.yaml }
components:
  schemas: { Vehicle: { $ref: ../models/vehicle%20type.yaml } }
`),
    'api/paths/vehicles.yaml': `parameters: [{ $ref: '../common.yaml#/limit' }]
get:
  responses:
    '200':
      description: Vehicles
      content: { application/json: { schema: { type: array, items: { $ref: '../../models/vehicle type.yaml' } } } }
    '404': { $ref: '../common.yaml#/Missing' }
`,
    'api/common.yaml': `limit: { name: limit, in: query, schema: { type: integer } }
Missing: { description: None, content: { application/json: { schema: { $ref: '#/Error' } } } }
Error: { type: object, properties: { cause: { $ref: '#/Error' } } }
`,
    'models/vehicle type.yaml': `type: object
properties:
  owner: { $ref: 'owner.yaml#/Owner' }
  parent: { $ref: '#' }
`,
    'models/owner.yaml': 'Owner: { $anchor: owner, type: object }\n',
  };
  const { published, operations, schemas, files: all } = reading(files);
  expect(Object.keys(schemas).sort()).toEqual(['Error', 'Owner', 'Vehicle']);
  expect(schemas.Vehicle?.properties.owner.$ref).toBe('#/components/schemas/Owner');
  expect(schemas.Vehicle?.properties.parent.$ref).toBe('#/components/schemas/Vehicle');
  expect(schemas.Error?.properties.cause.$ref).toBe('#/components/schemas/Error');
  expect(operations[0]?.parameters).toMatchObject([{ name: 'limit', in: 'query', style: 'form', explode: true }]);
  expect(operations[0]?.responses.map(({ status }) => status)).toEqual(['200', '404']);
  expect(all.length).toBe(5);
  const place = placeAt(published, ['components', 'schemas', 'Owner', 'type']);
  expect(place && [path.relative(folder, place.file), place.line, place.pointer]).toEqual([
    'models/owner.yaml',
    1,
    '#/Owner/type',
  ]);
});

test('parameters of a path and of its operation are one list, and a name of the template is always declared', () => {
  const { operations, notes } = reading({
    'a.yaml': contract(`paths:
  /a/{id}/{other}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
      - { name: q, in: query, schema: { type: string } }
    get:
      parameters:
        - { name: q, in: query, schema: { type: integer } }
        - { name: Accept, in: header, schema: { type: string } }
        - { name: gone, in: path, required: true, schema: { type: string } }
      responses: { '200': { description: Done } }
`),
  });
  expect(operations[0]?.parameters.map((one) => [one.in, one.name, one.schema.type])).toEqual([
    ['path', 'id', 'string'],
    ['query', 'q', 'integer'],
    ['path', 'other', 'string'],
  ]);
  expect(notes.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '8 The path parameter `other` is not declared: it is read as a string.',
    '11 OpenAPI ignores a header parameter `Accept`.',
    '12 The path has no `{gone}`: the parameter is not read.',
  ]);
});

test('a schema has the view of its direction, and two names where it is used in both', () => {
  const schemas = `components:
  schemas:
    Thing:
      type: object
      required: [id, name, secret]
      properties: { id: { type: integer, readOnly: true }, name: { type: string }, secret: { type: string, writeOnly: true }, part: { $ref: '#/components/schemas/Part' }, parent: { $ref: '#/components/schemas/Thing' } }
    Part: { type: object, properties: { at: { $ref: '#/components/schemas/Stamp' } } }
    Stamp: { type: string, readOnly: true }
    Same: { type: object, properties: { name: { type: string } } }
`;
  const found = withSchema("{ $ref: '#/components/schemas/Thing' }", schemas);
  expect(bodyOf(found)?.$ref).toBe('#/components/schemas/ThingInput');
  expect(resultOf(found)?.$ref).toBe('#/components/schemas/Thing');
  const { Thing, ThingInput, Part, PartInput } = JSON.parse(JSON.stringify(found.schemas));
  expect(Object.keys(found.schemas)).toEqual(['Thing', 'ThingInput', 'Part', 'PartInput', 'Stamp', 'Same']);
  expect([Object.keys(Thing.properties), Thing.required]).toEqual([
    ['id', 'name', 'part', 'parent'],
    ['id', 'name'],
  ]);
  expect([Object.keys(ThingInput.properties), ThingInput.required]).toEqual([
    ['name', 'secret', 'part', 'parent'],
    ['name', 'secret'],
  ]);
  expect(ThingInput['x-read-only-fields']).toEqual(['id']);
  expect(ThingInput.properties.parent).toEqual({ $ref: '#/components/schemas/ThingInput' });
  expect([Object.keys(Part.properties), Object.keys(PartInput.properties)]).toEqual([['at'], []]);
});

test.each([
  ['{ allOf: [{ $ref: "#/components/schemas/A" }], type: object }', '{}'],
  ['{ anyOf: [{ type: string }, { $ref: "#/components/schemas/B" }] }', '{ not: { $ref: "#/components/schemas/A" } }'],
  ['{ $ref: "#/components/schemas/B" }', '{ $ref: "#/components/schemas/A", description: B }'],
])('a schema does not apply to itself: %s', (a, b) => {
  const schemas = `components: { schemas: { A: ${a}, B: ${b} } }`;
  const { notes } = withSchema("{ $ref: '#/components/schemas/A' }", schemas);
  expect(notes.map(({ level, line, message }) => [level, line, message])).toEqual([
    ['error', 8, '`A` leads back to itself, and not by a part of its value.'],
  ]);
});

test('alternatives get the values of their discriminator', () => {
  const schemas = `components:
  schemas:
    Vehicle: { oneOf: [{ $ref: '#/components/schemas/Car' }, { $ref: '#/components/schemas/Truck' }], discriminator: { propertyName: kind, mapping: { c: Car, d: '#/components/schemas/Truck', truck: Truck } } }
    Car: { type: object, properties: { kind: { type: string } } }
    Truck: { type: object, properties: { kind: { type: string } } }
`;
  const { schemas: found } = withSchema("{ $ref: '#/components/schemas/Vehicle' }", schemas);
  const { oneOf } = JSON.parse(JSON.stringify(found.Vehicle));
  expect(oneOf.map((one: { allOf: object[] }) => one.allOf[1])).toEqual([
    { type: 'object', required: ['kind'], properties: { kind: { type: 'string', const: 'c' } } },
    { type: 'object', required: ['kind'], properties: { kind: { type: 'string', enum: ['d', 'truck'] } } },
  ]);
});

test('a reference into another operation leads to what is read there', () => {
  const text = `${textWith('{ type: string, nullable: true }', '', '3.0.3')}  /b:
    post:
      requestBody: { $ref: '#/paths/~1a/post/requestBody' }
      responses: { '200': { $ref: '#/paths/~1a/post/responses/200' } }
      callbacks: { back: { now: { post: { callbacks: { $ref: '#/paths/~1b/post/callbacks' } } } } }
`;
  const { operations, notes } = reading({ 'a.yaml': text });
  expect(notes.map(({ level, message }) => [level, message])).toContainEqual(['error', '$ref leads back to itself']);
  const [a, b] = operations;
  expect(b?.body?.content['application/json']?.schema).toMatchObject({ type: ['string', 'null'] });
  expect(b?.responses[0]?.content).toEqual(a?.responses[0]?.content);
});

test('a value of a discriminator has the type of its property', () => {
  const schemas = `components:
  schemas:
    Vehicle: { oneOf: [{ $ref: '#/components/schemas/Car' }], discriminator: { propertyName: kind, mapping: { 1: Car, 2: Car } } }
    Car: { allOf: [{ type: object, properties: { kind: { $ref: '#/components/schemas/Kind' } } }] }
    Kind: { type: integer }
`;
  const { schemas: found } = withSchema("{ $ref: '#/components/schemas/Vehicle' }", schemas);
  expect(found.Vehicle?.oneOf[0].allOf[1].properties.kind).toEqual({ type: 'integer', enum: [1, 2] });
});

describe('a schema with a discriminator, from which others inherit', () => {
  const subtypes = (mapping: string, more = '') => `components:
  schemas:
    Vehicle: { description: Any., type: object, properties: { kind: { type: string }, of: { type: array, items: { $ref: '#/components/schemas/Vehicle' } } }, discriminator: { propertyName: kind${mapping} } }
    Car: { allOf: [{ $ref: '#/components/schemas/Vehicle' }, { type: object, properties: { doors: { type: integer } } }] }
    Racer: { allOf: [{ $ref: '#/components/schemas/Car' }] }
${more}`;
  const choiceOf = (schemas: string, body = "{ $ref: '#/components/schemas/Vehicle' }") => {
    const { schemas: found } = withSchema(body, schemas);
    return JSON.parse(JSON.stringify(found));
  };
  const tagsOf = (choice: { oneOf: { allOf: [{ $ref: string }, { properties: { kind: { const: string } } }] }[] }) =>
    choice.oneOf.map(({ allOf: [{ $ref }, { properties }] }) => `${properties.kind.const} ${$ref.split('/').at(-1)}`);

  test('is one of these', () => {
    const { Vehicle, VehicleBase, Car } = choiceOf(subtypes(', mapping: { car: Car }'));
    expect(tagsOf(Vehicle)).toEqual(['car Car', 'Racer Racer']);
    expect(Vehicle.description).toBe('Any.');
    expect(VehicleBase.properties.of.items).toEqual({ $ref: '#/components/schemas/Vehicle' });
    expect(Car.allOf[0]).toEqual({ $ref: '#/components/schemas/VehicleBase' });
  });

  test('may be itself, and one of its subtypes may have others', () => {
    expect(tagsOf(choiceOf(subtypes('')).Vehicle)).toEqual(['Vehicle VehicleBase', 'Car Car', 'Racer Racer']);
    const more = `    Owner: { properties: { truck: { $ref: '#/components/schemas/Truck' } } }
    VehicleBase: { type: string }
    Truck: { allOf: [{ $ref: '#/components/schemas/Vehicle' }], discriminator: { propertyName: kind, mapping: { van: Van } } }
    Van: { allOf: [{ $ref: '#/components/schemas/Truck' }] }`;
    const { Vehicle, Truck } = choiceOf(subtypes(', mapping: { car: Car }', more));
    expect(tagsOf(Vehicle)).toEqual(['car Car', 'Racer Racer', 'Truck TruckBase', 'Van Van']);
    expect(tagsOf(Truck)).toEqual(['van Van']);
  });

  test('may list them itself', () => {
    const { Vehicle, VehicleBase, Car } = choiceOf(`components:
  schemas:
    Vehicle: { type: object, properties: { kind: { type: string } }, oneOf: [{ $ref: '#/components/schemas/Car' }], discriminator: { propertyName: kind, mapping: { car: Car } } }
    Car: { allOf: [{ $ref: '#/components/schemas/Vehicle' }] }`);
    expect(tagsOf(Vehicle)).toEqual(['car Car']);
    expect(VehicleBase).toEqual({ type: 'object', properties: { kind: { type: 'string' } } });
    expect(Car.allOf[0]).toEqual({ $ref: '#/components/schemas/VehicleBase' });
  });

  test('stays where only they refer to it', () => {
    const { Base } = choiceOf(
      `components:
  schemas:
    Base: { type: object, properties: { kind: { type: string } }, discriminator: { propertyName: kind } }
    Car: { allOf: [{ $ref: '#/components/schemas/Base' }] }`,
      "{ $ref: '#/components/schemas/Car' }",
    );
    expect(Base.type).toBe('object');
  });
});
