import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { Document } from '../contract.ts';

/**
 * The contract's types as openapi-typescript writes them: `paths`, `components`, `operations`.
 *
 * @param options.undefinedAllowed - whether an optional property may also be given as `undefined`, for callers under
 *   `exactOptionalPropertyTypes`
 */
export async function schemaTypes(document: Document, options = { undefinedAllowed: false }): Promise<string> {
  const nodes = await openapiTS(structuredClone(document), {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    transform(schema) {
      const known = (schema as Document)['x-extensible-enum'];
      return Array.isArray(known) ? openUnion(known) : undefined;
    },
  });
  return astToString(options.undefinedAllowed ? nodes.map(allowUndefined) : nodes);
}

/** `status?: PetStatus` → `status?: PetStatus | undefined`, at any depth. What is `never` stays so. */
function allowUndefined<T extends ts.Node>(root: T): T {
  const { factory } = ts;
  const visit = (node: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(node, visit, undefined);
    if (!ts.isPropertySignature(visited) || !visited.questionToken || !visited.type) return visited;
    if (visited.type.kind === ts.SyntaxKind.NeverKeyword) return visited;
    const type = factory.createUnionTypeNode([
      visited.type,
      factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword),
    ]);
    return factory.updatePropertySignature(visited, visited.modifiers, visited.name, visited.questionToken, type);
  };
  return visit(root) as T;
}

/** `"a" | "b" | (string & {})`: the editor offers the known values, and one that is added later still compiles. */
function openUnion(known: string[]): ts.TypeNode {
  const { factory } = ts;
  const anyString = factory.createParenthesizedType(
    factory.createIntersectionTypeNode([
      factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      factory.createTypeLiteralNode([]),
    ]),
  );
  const literals = known.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)));
  return factory.createUnionTypeNode([...literals, anyString]);
}
