import * as openapi from 'openapi-typescript';
import ts from 'typescript';
import { alias, type Document, type TypeOf } from '../contract.ts';

/**
 * The contract's types by openapi-typescript. Optional properties also accept `undefined`, for callers with
 * `exactOptionalPropertyTypes`.
 *
 * @param document - a bundled document. Schemas that a discriminator names get its value
 * @returns `text`: the declarations of `paths`, `components` and `operations`
 */
export function typesOf(document: Document): { text: string; typeOf: TypeOf } {
  // An absent option is off. That includes `defaultNonNullable`: a request may omit a field with a default.
  const options: Partial<openapi.GlobalContext> = {
    discriminators: openapi.scanDiscriminators(document, { silent: true }),
    injectFooter: [],
    resolve: (reference) => openapi.resolveRef(document, reference, { silent: true }),
    transform({ 'x-extensible-enum': known }: Document) {
      return Array.isArray(known) ? openUnion(known) : undefined;
    },
  };
  const ctx = options as openapi.GlobalContext;
  return {
    text: openapi.astToString(openapi.transformSchema(document, ctx).map(allowUndefined)),
    typeOf(schema, path = '') {
      const type = openapi.astToString(allowUndefined(openapi.transformSchemaObject(schema, { path, ctx }))).trim();
      return type.replace(/components\["schemas"\]\["([^"]+)"\]/g, (_, name: string) => alias(name));
    },
  };
}

/** `status?: PetStatus` → `status?: PetStatus | undefined`, at any depth. `never` is unchanged. */
function allowUndefined<T extends ts.Node>(root: T): T {
  const visit = (node: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(node, visit, undefined);
    if (!ts.isPropertySignature(visited) || !visited.questionToken || !visited.type) return visited;
    if (visited.type.kind === ts.SyntaxKind.NeverKeyword) return visited;
    const { modifiers, name, questionToken, type } = visited;
    const optional = ts.factory.createUnionTypeNode([type, openapi.UNDEFINED]);
    return ts.factory.updatePropertySignature(visited, modifiers, name, questionToken, optional);
  };
  return visit(root) as T;
}

/** `"a" | "b" | (string & {})`: editors suggest the known values, and values added later compile. */
function openUnion(known: string[]): ts.TypeNode {
  const anyString = openapi.tsIntersection([openapi.STRING, ts.factory.createTypeLiteralNode([])]);
  return openapi.tsUnion([...known.map(openapi.tsLiteral), ts.factory.createParenthesizedType(anyString)]);
}
