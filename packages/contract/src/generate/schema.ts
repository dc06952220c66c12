import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { Document } from '../contract.ts';

/** The contract's types as openapi-typescript writes them: `paths`, `components`, `operations`. */
export async function schemaTypes(document: Document): Promise<string> {
  const nodes = await openapiTS(structuredClone(document), {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    transform(schema) {
      const known = (schema as Document)['x-extensible-enum'];
      return Array.isArray(known) ? openUnion(known) : undefined;
    },
  });
  return astToString(nodes);
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
