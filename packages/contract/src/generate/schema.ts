import openapiTS, { astToString, STRING, tsIntersection, tsLiteral, tsUnion, UNDEFINED } from 'openapi-typescript';
import ts from 'typescript';
import { alias, type Document, type TypeAt } from '../contract.ts';

/**
 * The contract's types by openapi-typescript: `paths`, `components`, `operations`. Optional properties also accept
 * `undefined`, for callers with `exactOptionalPropertyTypes`.
 */
export async function schemaTypes(document: Document): Promise<string> {
  const nodes = await openapiTS(structuredClone(document), {
    // A request may omit a field with a default.
    defaultNonNullable: false,
    transform(schema) {
      const known = (schema as Document)['x-extensible-enum'];
      return Array.isArray(known) ? openUnion(known) : undefined;
    },
  });
  return astToString(nodes.map(allowUndefined));
}

/**
 * Looks up types by location, such as `components schemas Pet id`. A component schema is referenced by name, any other
 * component is inlined.
 *
 * @param text - the result of {@link schemaTypes}
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

/** `status?: PetStatus` → `status?: PetStatus | undefined`, at any depth. `never` is unchanged. */
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

/** `"a" | "b" | (string & {})`: editors suggest the known values, and values added later compile. */
function openUnion(known: string[]): ts.TypeNode {
  const anyString = tsIntersection([STRING, ts.factory.createTypeLiteralNode([])]);
  return tsUnion([...known.map(tsLiteral), ts.factory.createParenthesizedType(anyString)]);
}
