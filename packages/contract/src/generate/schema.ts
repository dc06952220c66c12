import { createRequire } from 'node:module';
import { kindIn, mapValues, rebuild } from '@petstore-platform/openapi';
import type * as openapi from 'openapi-typescript';
import type ts from 'typescript';
import { type Document, resolve, type Schema, type TypeOf } from '../contract.ts';
import { documented, exported, exportedInterface } from './jsdoc.ts';
import type { Names } from './names.ts';
import { typeableIn } from './typeable.ts';
import { property, prose, visible } from './values.ts';

// `require` is used, because an import would analyse TypeScript's exports, which takes a quarter of the time to start a review.
const require = createRequire(import.meta.url);
const types: typeof openapi = require('openapi-typescript');
const {
  factory,
  isIndexedAccessTypeNode,
  isPropertySignature,
  isTypeLiteralNode,
  SyntaxKind,
  visitEachChild,
}: typeof ts = require('typescript');

/**
 * The contract's types by openapi-typescript. Optional properties also accept `undefined`, for callers with
 * `exactOptionalPropertyTypes`.
 *
 * @returns `text`: the declarations of `paths`, `components` and `operations`; `document`: with schemas as openapi-typescript
 *   understands them
 */
export function typesOf(contract: Document, names: Names): { text: string; typeOf: TypeOf; document: Document } {
  const typeable = typeableIn(contract);
  const document = typeable(contract, 'document');
  const spoken = rebuild(document, 'document', tagless) as openapi.OpenAPI3;
  // Absent options are off. `defaultNonNullable` must be off, because a request may omit a field with a default.
  const options: Partial<openapi.GlobalContext> = {
    discriminators: { objects: {}, refsHandled: [] },
    injectFooter: [],
    emptyObjectsUnknown: true,
    resolve: (reference) => types.resolveRef(spoken, reference, { silent: true }),
  };
  const ctx = options as openapi.GlobalContext;
  ctx.transform = (schema, at) => special(schema as Schema, at, openUnion);
  // The type is a plain string, because openapi-fetch would map over the members of `string & {}` as over those of an object.
  const plain: typeof ctx = { ...ctx, transform: (schema, at) => special(schema as Schema, at, plainUnion) };
  const print = (node: ts.Node | ts.Node[]) => visible(types.astToString(node as ts.TypeNode));
  return {
    text: print(types.transformSchema(spoken, plain).map((node) => finished(node))),
    typeOf(schema, path = '') {
      const read = rebuild(typeable(schema, 'schema'), 'schema', tagless) as openapi.SchemaObject;
      return print(finished(types.transformSchemaObjectWithComposition(read, { path, ctx }), names)).trim();
    },
    document,
  };
}

/** Escapes the texts of an object, of which openapi-typescript makes comments. */
function tagless(value: Schema, kind: string): Schema {
  return mapValues(value, (text, key) => {
    if (kindIn(kind, key) || !/^(title|summary|description|format|default|examples?)$/.test(key)) return text;
    return JSON.parse(JSON.stringify(text), (_, each) => (typeof each === 'string' ? prose(each) : each));
  });
}

/**
 * `status?: Status` → `status?: Status | undefined`, at any depth. `never` and, for openapi-msw, parameters are unchanged.
 *
 * @param names - with them, a component schema is referred to by its exported name
 */
function finished<T extends ts.Node>(root: T, names?: Names): T {
  const visit = (node: ts.Node, parameters = false): ts.Node => {
    const schema = names && componentIn(node);
    if (schema !== undefined) return factory.createTypeReferenceNode(names?.schema(schema) ?? schema);
    const below = parameters || (isPropertySignature(node) && (node.name as ts.Identifier).text === 'parameters');
    const visited = visitEachChild(node, (child) => visit(child, below), undefined);
    if (parameters || !isPropertySignature(visited) || !visited.questionToken || !visited.type) return visited;
    if (visited.type.kind === SyntaxKind.NeverKeyword) return visited;
    const type = factory.createUnionTypeNode([visited.type, types.UNDEFINED]);
    return factory.updatePropertySignature(visited, visited.modifiers, visited.name, visited.questionToken, type);
  };
  return visit(root) as T;
}

/** `components["schemas"]["Order"]` → `Order` */
function componentIn(node: ts.Node): string | undefined {
  if (!isIndexedAccessTypeNode(node) || !isIndexedAccessTypeNode(node.objectType)) return undefined;
  return ((node.indexType as ts.LiteralTypeNode).literal as ts.StringLiteral).text;
}

/** The types that openapi-typescript gets wrong, or has no options for. Undefined for others. */
function special(
  schema: Schema & { 'x-extensible-enum'?: unknown },
  at: openapi.TransformNodeOptions,
  union: typeof openUnion,
): ts.TypeNode | undefined {
  const {
    'x-extensible-enum': values,
    type,
    prefixItems,
    items,
    properties = {},
    additionalProperties: others,
  } = schema;
  const typed = (each: unknown) => types.transformSchemaObject(each as openapi.SchemaObject, at);
  if (Array.isArray(values)) return union(values);
  if (type === 'array' && Array.isArray(prefixItems)) return tuple(schema, typed);
  if (type === 'array' && (items as unknown) === false) return factory.createTupleTypeNode([]);
  if (type !== 'object') return undefined;
  const hasFields = Object.keys(properties).length > 0;
  const isComposed = schema.allOf || schema.oneOf || schema.patternProperties;
  if (!hasFields && others === false && !isComposed) return types.tsRecord(types.STRING, types.NEVER);
  const patterns = Object.values(schema.patternProperties ?? {});
  if (!hasFields || (patterns.length === 0 && Object.keys(Object(others)).length === 0)) return undefined;
  // A field must fit the index signature beside it.
  const node = typed({ type, properties, required: schema.required });
  const more = [...(others ? [others] : []), ...patterns, ...Object.values(properties)].map(typed);
  const texts = new Map(more.map((each) => [types.astToString(each), each]));
  const isOptional = Object.keys(properties).some((name) => !schema.required?.includes(name));
  const value = types.tsUnion([...texts.values(), ...(isOptional ? [types.UNDEFINED] : [])]);
  const key = factory.createParameterDeclaration(undefined, undefined, 'key', undefined, types.STRING);
  const index = factory.createIndexSignature(undefined, [key], value);
  return isTypeLiteralNode(node) ? factory.createTypeLiteralNode([...node.members, index]) : undefined;
}

/** `[string, number?, ...unknown[]]` */
function tuple(schema: Schema, typed: (schema: unknown) => ts.TypeNode): ts.TypeNode {
  const { prefixItems = [], items, minItems = 0, maxItems = Infinity } = schema as Schema & { prefixItems?: unknown[] };
  const elements = prefixItems
    .slice(0, maxItems)
    .map((each, index) => (index < minItems ? typed(each) : factory.createOptionalTypeNode(typed(each))));
  if ((items as unknown) !== false && maxItems > prefixItems.length)
    elements.push(factory.createRestTypeNode(factory.createArrayTypeNode(typed(items ?? true))));
  return factory.createTupleTypeNode(elements);
}

/** `"a" | "b" | (string & {})`: editors suggest the known values, and values added later compile. */
function openUnion(values: unknown[]): ts.TypeNode {
  const any = plainTypes(values).map((type) =>
    factory.createParenthesizedType(types.tsIntersection([type, factory.createTypeLiteralNode([])])),
  );
  return types.tsUnion([...values.map(types.tsLiteral), ...any]);
}

const plainUnion = (values: unknown[]): ts.TypeNode => types.tsUnion(plainTypes(values));

function plainTypes(values: unknown[]): ts.TypeNode[] {
  const isText = values.some((one) => typeof one === 'string');
  const isNumber = values.some((one) => typeof one === 'number');
  return [...(isText || !isNumber ? [types.STRING] : []), ...(isNumber ? [types.NUMBER] : [])];
}

/**
 * The types of all component schemas. An object, and a list of a named schema, is an interface, so that editors show
 * its name; others are aliases.
 */
export function schemas(document: Document, typeOf: TypeOf, names: Names): string[] {
  return Object.entries<Schema>(document.components?.schemas ?? {}).map(([key, schema]) => {
    const name = names.schema(key);
    const { type, items, prefixItems, properties, patternProperties, required, allOf, oneOf, anyOf } = schema;
    const doc = prose(schema.description?.trim() ?? '');
    if (type === 'array' && !prefixItems && !(allOf || oneOf || anyOf) && Object(items).$ref)
      return exported(doc, `interface ${name} extends Array<${typeOf(items ?? true)}> {}`);
    if (type !== 'object' || !properties || patternProperties || allOf || oneOf || anyOf || schema.additionalProperties)
      return exported(doc, `type ${name} = ${typeOf(schema, `#/components/schemas/${key}`)};`);
    const fields = Object.entries<Schema>(properties).map(([key, field]) => {
      const text = property(key, typeOf(field), required?.includes(key) === true);
      return documented(field, resolve(document, field), text);
    });
    return exportedInterface(doc, name, fields);
  });
}
