import { createRequire } from 'node:module';
import type * as openapi from 'openapi-typescript';
import type ts from 'typescript';
import { alias, type Document, type TypeOf } from '../contract.ts';

// `require` is used, because an import would analyse TypeScript's exports, which takes a quarter of the time to start a review.
const require = createRequire(import.meta.url);
const types: typeof openapi = require('openapi-typescript');
const { factory, isPropertySignature, SyntaxKind, visitEachChild }: typeof ts = require('typescript');

/**
 * The contract's types by openapi-typescript. Optional properties also accept `undefined`, for callers with
 * `exactOptionalPropertyTypes`.
 *
 * @param bundle - a bundled document, which is changed: schemas that a discriminator names get its value. openapi-typescript has
 *   types of its own for it
 * @returns `text`: the declarations of `paths`, `components` and `operations`
 */
export function typesOf(bundle: Document): { text: string; typeOf: TypeOf } {
  const document = bundle as openapi.OpenAPI3;
  // Absent options are off. `defaultNonNullable` must be off, because a request may omit a field with a default.
  const options: Partial<openapi.GlobalContext> = {
    discriminators: types.scanDiscriminators(document, { silent: true }),
    injectFooter: [],
    resolve: (reference) => types.resolveRef(document, reference, { silent: true }),
    transform: ({ 'x-extensible-enum': known }) => (Array.isArray(known) ? openUnion(known) : undefined),
  };
  const ctx = options as openapi.GlobalContext;
  // The type is a plain string, because openapi-fetch would map over the members of `string & {}` as over those of an object.
  const transform: typeof ctx.transform = (schema) => (schema['x-extensible-enum'] ? types.STRING : undefined);
  return {
    text: types.astToString(types.transformSchema(document, { ...ctx, transform }).map((node) => allowUndefined(node))),
    typeOf(schema, path = '') {
      const node = types.transformSchemaObjectWithComposition(schema as openapi.SchemaObject, { path, ctx });
      const type = types.astToString(allowUndefined(node)).trim();
      return type.replace(/components\["schemas"\]\["([^"]+)"\]/g, (_, name: string) => alias(name));
    },
  };
}

/** `status?: Status` → `status?: Status | undefined`, at any depth. `never` and, for openapi-msw, parameters are unchanged. */
function allowUndefined<T extends ts.Node>(root: T): T {
  const visit = (node: ts.Node, parameters = false): ts.Node => {
    const below = parameters || (isPropertySignature(node) && (node.name as ts.Identifier).text === 'parameters');
    const visited = visitEachChild(node, (child) => visit(child, below), undefined);
    if (parameters || !isPropertySignature(visited) || !visited.questionToken || !visited.type) return visited;
    if (visited.type.kind === SyntaxKind.NeverKeyword) return visited;
    const type = factory.createUnionTypeNode([visited.type, types.UNDEFINED]);
    return factory.updatePropertySignature(visited, visited.modifiers, visited.name, visited.questionToken, type);
  };
  return visit(root) as T;
}

/** `"a" | "b" | (string & {})`: editors suggest the known values, and values added later compile. */
function openUnion(known: string[]): ts.TypeNode {
  const anyString = factory.createParenthesizedType(
    types.tsIntersection([types.STRING, factory.createTypeLiteralNode([])]),
  );
  return types.tsUnion([...known.map(types.tsLiteral), anyString]);
}
