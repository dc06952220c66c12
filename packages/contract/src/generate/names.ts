import type { Content, Document, Operation } from '../contract.ts';
import { comment } from './jsdoc.ts';

/** `listPets` → `ListPets` */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The exported name of a component schema. `Error` becomes `ErrorBody`, away from JavaScript's own. */
export function alias(schema: string): string {
  return schema === 'Error' ? 'ErrorBody' : schema;
}

/** `export type Pet = components['schemas']['Pet']` for every component schema. */
export function schemaAliases(document: Document): string {
  return Object.entries<Document>(document.components?.schemas ?? {})
    .map(([name, schema]) => {
      assertTypeName(name);
      const doc = schema.description ? `${comment(schema.description.trim())}\n` : '';
      return `${doc}export type ${alias(name)} = components['schemas']['${name}'];\n`;
    })
    .join('\n');
}

/** @throws Error for a name that is none in TypeScript; OpenAPI lets it have `.` and `-` */
export function assertTypeName(name: string): void {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error(`the schema ${name} needs a name that a type may have`);
}

/** The type of a JSON body: the name of its component schema, or the place in `operations` where openapi-typescript put it. */
export function bodyType(operation: Operation, content: Content, place: string): string {
  if (!content.hasBody) return 'undefined';
  return content.schema
    ? alias(content.schema)
    : `NonNullable<contract['${operation.id}']${place}>['content']['application/json']`;
}

/** A property name as it is written in an object type or literal: quoted unless it is an identifier. */
export function property(name: string): string {
  return /^[\w$]+$/.test(name) && !/^\d/.test(name) ? name : `'${name.replaceAll(/['\\]/g, '\\$&')}'`;
}

/** `{ petId: number }` as openapi-typescript has it. */
export function parametersOf(operation: Operation, place: 'path' | 'query' | 'header'): string {
  return `NonNullable<contract['${operation.id}']['parameters']['${place}']>`;
}
