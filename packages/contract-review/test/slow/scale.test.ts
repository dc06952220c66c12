/** Very large contracts. Counts operations instead of seconds. */
import { expect, test } from 'vitest';
import { Comparison, diffContracts } from '../../src/compare.ts';
import { toMarkdown } from '../../src/markdown.ts';
import type { Report } from '../../src/report.ts';
import { review } from '../../src/review.ts';
import { MOST_TRIALS } from '../../src/schema/schema.ts';
import { Version } from '../../src/version.ts';
import { Folder } from '../folder.ts';

const folder = new Folder();
const write = (name: string, content: unknown) => folder.write(name, content);

const LAYERS = 20;
const WIDTH = 20;
const FIELDS = 3;

/** Makes layers of schemas, of which each refers to four of the next layer: some 10^11 paths lead from first to last. */
function layered(operations: number, maxLength: number) {
  const schemas: Record<string, { type: string; properties: Record<string, object> }> = {};
  for (let layer = 0; layer < LAYERS; layer++) {
    for (let index = 0; index < WIDTH; index++) {
      const properties: Record<string, object> = {};
      for (let field = 0; field < FIELDS; field++) properties[`field${field}`] = { type: 'string', maxLength };
      for (let next = 0; next < 4 && layer + 1 < LAYERS; next++)
        properties[`next${next}`] = { $ref: `#/components/schemas/L${layer + 1}x${(index * 4 + next) % WIDTH}` };
      schemas[`L${layer}x${index}`] = { type: 'object', properties };
    }
  }
  const paths = Array.from({ length: operations / 2 }, (_, index) => {
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/L0x${index % WIDTH}` } } };
    const get = { operationId: `getThing${index}`, responses: { 200: { description: 'OK', content } } };
    const post = {
      operationId: `addThing${index}`,
      requestBody: { content },
      responses: { 204: { description: 'OK' } },
    };
    return [`/things${index}`, { get, post }];
  });
  const info = { title: 'Large', version: '1.0.0' };
  return { openapi: '3.1.0', info, paths: Object.fromEntries(paths), components: { schemas } };
}

/** Writes such a document with one file for each schema. */
function writeSplit(name: string, { components, ...rest }: ReturnType<typeof layered>): string {
  const refer = (value: unknown, to: string) =>
    JSON.parse(JSON.stringify(value).replaceAll(/#\/components\/schemas\/(\w+)/g, `${to}$1.json`));
  for (const [schema, value] of Object.entries(components.schemas))
    write(`${name}/schemas/${schema}.json`, refer(value, './'));
  return write(`${name}/openapi.json`, refer(rest, './schemas/'));
}

test.each([
  ['60 operations', 60, write],
  ['1,000 operations', 1000, write],
  ['401 files', 60, writeSplit],
])('each pair of schemas is compared once for each direction: %s', async (name, operations, save) => {
  const base = new Version(save(`${name}/base.json`, layered(operations, 100)));
  const head = new Version(save(`${name}/head.json`, layered(operations, 50)));
  const comparison = new Comparison(base, head);
  const { request, response } = comparison.schemas;
  expect(request.nodes.size + response.nodes.size).toBe(2 * LAYERS * WIDTH * (1 + FIELDS));
  const changes = comparison.changes;
  expect(changes.length).toBe(LAYERS * WIDTH * FIELDS);
  expect(Math.max(...changes.map((change) => change.operations.length))).toBe(operations);
});

test('each pair of alternatives is compared once, too', async () => {
  const nodesOf = async (contract: (maxLength: number) => object) => {
    const [base, head] = [write('base.json', contract(100)), write('head.json', contract(50))];
    const versions = [new Version(base), new Version(head)] as const;
    const { schemas } = new Comparison(...versions);
    return schemas.request.nodes.size + schemas.response.nodes.size;
  };
  const choices = (maxLength: number) => {
    const { components, ...rest } = layered(60, maxLength);
    const schemas = Object.entries(components.schemas).map(([name, { properties }]) => {
      const next = Object.entries(properties).filter(([field]) => field.startsWith('next'));
      return [name, next.length > 0 ? { oneOf: next.map(([, schema]) => schema) } : { type: 'object', properties }];
    });
    return { ...rest, components: { schemas: Object.fromEntries(schemas) } };
  };
  expect(await nodesOf(choices)).toBe(2 * WIDTH * (LAYERS + FIELDS));
  // The head lists the derived schemas, of which each refers to the base schema.
  const derived = (maxLength: number) => {
    const { components, ...rest } = layered(2, maxLength);
    const names = Object.keys(components.schemas).slice(1, 30);
    const oneOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const all = names.map((name) => [name, { allOf: [{ $ref: '#/components/schemas/L0x0' }, { title: name }] }]);
    const L0x0 = { type: 'object', ...(maxLength === 50 && { oneOf }) };
    return { ...rest, components: { schemas: { L0x0, ...Object.fromEntries(all) } } };
  };
  expect(await nodesOf(derived)).toBeLessThan(500);
});

test.each(['oneOf', 'anyOf'])(
  'combinations of gained alternatives are bounded, and the report says so: %s',
  async (keyword) => {
    // Each layer is two objects, which gain a choice between those of the next layer. So there are 2^layers combinations.
    const gained = (layers: number, isHead: boolean) => {
      const { components, ...rest } = layered(2, 100);
      const schemas = Array.from({ length: 2 * layers }, (_, index) => {
        const layer = Math.floor(index / 2);
        const next = ['A', 'B'].map((name) => ({ $ref: `#/components/schemas/${name}${layer + 1}` }));
        const properties = { [`field${index}`]: { type: 'string' } };
        return [
          index === 0 ? 'L0x0' : `${'AB'[index % 2]}${layer}`,
          { type: 'object', properties, ...(isHead && layer + 1 < layers && { [keyword]: next }) },
        ];
      });
      return { ...rest, components: { schemas: Object.fromEntries(schemas) } };
    };
    const compare = async (layers: number) => {
      const [base, head] = [write('base.json', gained(layers, false)), write('head.json', gained(layers, true))];
      const versions = [new Version(base), new Version(head)] as const;
      return new Comparison(...versions);
    };
    const { schemas, changes } = await compare(40);
    expect(schemas.request.nodes.size).toBeLessThan(MOST_TRIALS);
    expect(changes).toContainEqual(expect.objectContaining({ rule: 'comparison-incomplete', impact: 'major' }));
    const small = await compare(6);
    expect(small.changes.map(({ rule }) => rule)).not.toContain('comparison-incomplete');
  },
);

test('a large contract without such combinations is compared completely', async () => {
  const versionOf = (description: string) => {
    const schema = { oneOf: [{ type: 'string', maxLength: 50 }, { type: 'integer' }] };
    const names = Array.from({ length: MOST_TRIALS / 2 + 1 }, (_, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, schema]));
    const { components, ...rest } = layered(2, 100);
    const schemas = { L0x0: { type: 'object', description, properties } };
    return new Version(write(`${description}.json`, { ...rest, components: { schemas } }));
  };
  const changes = diffContracts(await versionOf('Before'), await versionOf('After'));
  expect(changes.map(({ rule }) => rule)).toEqual(['description-changed']);
});

test('an anchor may have many aliases, and a value a tag', async () => {
  const aliases = '  - *one\n'.repeat(500);
  const file = write('aliases.yaml', `openapi: 3.1.0\nx-tag: !Ref one\nx-all:\n  - &one { a: 1 }\n${aliases}`);
  const { value } = new Version(file).root;
  expect(value['x-tag']).toBe('one');
  expect(value['x-all'].length).toBe(501);
});

test('any report stays below 60,000 characters', async () => {
  const [base, head] = [write('base.json', layered(2, 100)), write('head.json', layered(2, 50))];
  const report = (await review({ base, head, cwd: folder.root, now: new Date('2026-11-21T12:00:00Z') })) as Report;
  const long = (length: number) => 'word '.repeat(length / 5);
  const many = <Value>(value: Value) => Array.from({ length: 500 }, () => value);
  const change = {
    ...report.changes[0],
    message: long(5000),
    operations: many({ name: long(500) }),
  } as (typeof report.changes)[0];
  const worst = {
    ...report,
    changes: [...many(change), ...many({ ...change, impact: 'minor' as const })],
    violations: many({ rule: 'rule', message: long(5000), fix: long(500) }),
    override: many(long(500)),
    notes: [],
    surface: many(long(500)).join('\n'),
    changeset: many(long(500)).join('\n'),
  };
  expect(toMarkdown(worst, 55_000).length).toBeLessThan(60_000);
});
