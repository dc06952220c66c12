import { type Content, type Document, limitsOf, type Operation, resolve } from '../contract.ts';
import { comment, fieldDoc } from './jsdoc.ts';

/** Gives the type of a place of the contract. */
export type TypeAt = (...place: string[]) => string;

/** `listPets` → `ListPets` */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The exported name of a component schema. `Error` becomes `ErrorBody`, away from JavaScript's own. */
export function alias(schema: string): string {
  return schema === 'Error' ? 'ErrorBody' : schema;
}

/** The types of all component schemas. */
export function schemas(typeAt: TypeAt, document: Document): string[] {
  const entries = Object.entries<Document>(document.components?.schemas ?? {});
  return entries.map(([name, schema]) => schemaType(typeAt, document, name, schema));
}

/** An interface for an object and for a list of a named schema, which editors then call by its name; an alias for others. */
function schemaType(typeAt: TypeAt, document: Document, name: string, schema: Document): string {
  assertTypeName(name);
  const doc = schema.description ? `${comment(schema.description.trim())}\n` : '';
  const place = ['components', 'schemas', name];
  const { properties, allOf, oneOf, anyOf, additionalProperties } = schema;
  const item = schema.type === 'array' && schema.items?.$ref?.match(/^#\/components\/schemas\/(.+)$/)?.[1];
  if (item) return `${doc}export interface ${alias(name)} extends Array<${alias(item)}> {}\n`;
  if (schema.type !== 'object' || !properties || allOf || oneOf || anyOf || additionalProperties) {
    return `${doc}export type ${alias(name)} = ${typeAt(...place)};\n`;
  }
  const fields = Object.entries<Document>(properties).map(([key, field]) => {
    const { description = '', ...target } = resolve(document, field);
    const required = schema.required?.includes(key);
    const text = fieldDoc({ ...target, description: field.description ?? description, limits: limitsOf(target) });
    return `${text}  ${property(key)}${required ? '' : '?'}: ${typeAt(...place, key)};`;
  });
  return `${doc}export interface ${alias(name)} {\n${fields.join('\n\n')}\n}\n`;
}

/** @throws Error for a name that is none in TypeScript; OpenAPI lets it have `.` and `-` */
function assertTypeName(name: string): void {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error(`the schema ${name} needs a name that a type may have`);
}

/** The type of a JSON body: the name of its component schema, or what openapi-typescript wrote in its place. */
export function bodyType(typeAt: TypeAt, operation: Operation, content: Content, ...place: string[]): string {
  if (!content.hasBody) return 'undefined';
  if (content.schema) return alias(content.schema);
  return typeAt('operations', operation.id, ...place, 'content', 'application/json');
}

/** A property name as it is written in an object type or literal: quoted unless it is an identifier. */
export function property(name: string): string {
  return /^[\w$]+$/.test(name) && !/^\d/.test(name) ? name : `'${name.replaceAll(/['\\]/g, '\\$&')}'`;
}
