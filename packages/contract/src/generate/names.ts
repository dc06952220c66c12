import { alias, componentOf, type Document, limitsOf, resolve, type TypeAt } from '../contract.ts';
import { documented, exported, exportedInterface } from './jsdoc.ts';

/** `listPets` → `ListPets` */
export const pascalCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** A property name in an object type or literal, quoted unless it is an identifier. */
export function property(name: string): string {
  return /^[\w$]+$/.test(name) && !/^\d/.test(name) ? name : `'${name.replaceAll(/['\\]/g, '\\$&')}'`;
}

/**
 * The types of all component schemas. An object, and a list of a named schema, is an interface, so that editors show
 * its name; others are aliases.
 *
 * @throws Error for a name that is not a TypeScript identifier; OpenAPI allows `.` and `-`
 */
export function schemas(document: Document, typeAt: TypeAt): string[] {
  return Object.entries<Document>(document.components?.schemas ?? {}).map(([name, schema]) => {
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new Error(`the schema ${name} needs a name that is a TypeScript identifier`);
    const { type, items, properties, required, allOf, oneOf, anyOf, additionalProperties } = schema;
    const doc = schema.description?.trim() ?? '';
    const place = ['components', 'schemas', name];
    const item = type === 'array' && componentOf(items);
    if (item) return exported(doc, `interface ${alias(name)} extends Array<${alias(item)}> {}`);
    if (type !== 'object' || !properties || allOf || oneOf || anyOf || additionalProperties)
      return exported(doc, `type ${alias(name)} = ${typeAt(...place)};`);
    const fields = Object.entries<Document>(properties).map(([key, field]) => {
      const target = resolve(document, field);
      const description = field.description ?? target.description;
      const text = `${property(key)}${required?.includes(key) ? '' : '?'}: ${typeAt(...place, key)};`;
      return documented({ ...target, description, limits: limitsOf(target) }, text);
    });
    return exportedInterface(doc, alias(name), fields);
  });
}
