import openapiTS, { astToString, STRING, tsIntersection, tsLiteral, tsUnion, UNDEFINED } from 'openapi-typescript';
import ts from 'typescript';
import { alias, type Document, type TypeAt } from '../contract.ts';

/**
 * The contract's types as openapi-typescript writes them: `paths`, `components`, `operations`. An optional property may
 * also be given as `undefined`, for callers under `exactOptionalPropertyTypes`.
 */
export async function schemaTypes(document: Document): Promise<string> {
  const nodes = await openapiTS(structuredClone(document), {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    transform(schema) {
      const known = (schema as Document)['x-extensible-enum'];
      return Array.isArray(known) ? openUnion(known) : undefined;
    },
  });
  return astToString(nodes.map(allowUndefined));
}

/**
 * Types as openapi-typescript wrote them, by their place, such as `components schemas Pet id`. They stand for themselves:
 * a component schema is referred to by its name, any other component is written out.
 *
 * @param text - what {@link schemaTypes} gave
 */
export function typesIn(text: string): TypeAt {
  const file = ts.createSourceFile('schema.ts', text, ts.ScriptTarget.Latest);
  const typeAt: TypeAt = (...place) =>
    find(place)
      .getText(file)
      .replace(/components\["(\w+)"\]\["([^"]+)"\]/g, (_, kind: string, name: string) =>
        kind === 'schemas' ? alias(name) : typeAt('components', kind, name),
      );

  function find([root, ...names]: string[]): ts.Node {
    const declaration = file.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === root);
    return names.reduce<ts.Node>((node, name) => member(node, name), declaration as ts.Node);
  }
  function member(node: ts.Node, name: string): ts.Node {
    // `{ … } | undefined`, and a reference to a component.
    if (ts.isUnionTypeNode(node)) return member(node.types[0] as ts.Node, name);
    if (ts.isIndexedAccessTypeNode(node)) return member(find(node.getText(file).match(/\w[\w.-]*/g) ?? []), name);
    const { members } = node as ts.TypeLiteralNode;
    const property = members.find((each) => (each.name as ts.Identifier | undefined)?.text === name);
    return (property as ts.PropertySignature).type as ts.Node;
  }
  return typeAt;
}

/** `status?: PetStatus` → `status?: PetStatus | undefined`, at any depth. What is `never` stays so. */
function allowUndefined<T extends ts.Node>(root: T): T {
  const visit = (node: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(node, visit, undefined);
    if (!ts.isPropertySignature(visited) || !visited.questionToken || !visited.type) return visited;
    if (visited.type.kind === ts.SyntaxKind.NeverKeyword) return visited;
    const { modifiers, name, questionToken, type } = visited;
    const optional = ts.factory.createUnionTypeNode([type, UNDEFINED]);
    return ts.factory.updatePropertySignature(visited, modifiers, name, questionToken, optional);
  };
  return visit(root) as T;
}

/** `"a" | "b" | (string & {})`: the editor offers the known values, and one that is added later still compiles. */
function openUnion(known: string[]): ts.TypeNode {
  const anyString = tsIntersection([STRING, ts.factory.createTypeLiteralNode([])]);
  return tsUnion([...known.map(tsLiteral), ts.factory.createParenthesizedType(anyString)]);
}
