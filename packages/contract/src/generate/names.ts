import { alias, type Document, resolve, type Schema, type TypeOf } from '../contract.ts';
import { documented, exported, exportedInterface } from './jsdoc.ts';

/**
 * A JSON value as TypeScript. All values of the contract become code here, or by TypeScript's printer.
 *
 * @param indent - the `space` of `JSON.stringify`
 */
export const literal = (value: unknown, indent?: number) =>
  JSON.stringify(value, null, indent)
    // These characters end a line in TypeScript and in older versions of ECMAScript.
    .replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`)
    // Without brackets, `__proto__` would set the prototype.
    .replace(/^( *)"__proto__":/gm, '$1["__proto__"]:');

/** Like `literal`, with each object and list on one line if it fits. */
export function wrapped(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return literal(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const parts = Object.entries(value).map(([name, each]) => {
    const key = name === '__proto__' ? `["${name}"]` : literal(name);
    const text = wrapped(each, `${indent}  `);
    return isList ? text : `${key}: ${text}`;
  });
  const line = parts.length > 0 ? `${open} ${parts.join(', ')} ${close}` : `${open}${close}`;
  if (indent.length + line.length <= WIDTH && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close}`;
}

/** The length of a line that takes a whole value. A name before it may make the line longer. */
const WIDTH = 120;

export const quoted = (text: string) => `'${literal(text).slice(1, -1).replaceAll("'", "\\'")}'`;

/** The name of a property in an object type or literal, quoted unless it is an identifier. */
export function keyOf(name: string): string {
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A property of an interface. An optional one also accepts `undefined`, for callers with `exactOptionalPropertyTypes`. */
export function property(name: string, type: string, isRequired: boolean): string {
  return isRequired ? `${keyOf(name)}: ${type};` : `${keyOf(name)}?: ${type} | undefined;`;
}

/**
 * The types of all component schemas. An object, and a list of a named schema, is an interface, so that editors show
 * its name; others are aliases.
 */
export function schemas(document: Document, typeOf: TypeOf): string[] {
  const named = Object.entries<Schema>(document.components?.schemas ?? {});
  const aliases = named.map(([name]) => alias(name));
  const twice = named.find(([name], index) => aliases.indexOf(alias(name)) < index);
  if (twice) throw new Error(`two schemas are called ${alias(twice[0])} in TypeScript`);
  return named.map(([name, schema]) => {
    const { type, items, properties, required, allOf, oneOf, anyOf, additionalProperties } = schema;
    const doc = schema.description?.trim() ?? '';
    if (type === 'array' && typeof items === 'object' && items.$ref)
      return exported(doc, `interface ${alias(name)} extends Array<${typeOf(items)}> {}`);
    if (type !== 'object' || !properties || allOf || oneOf || anyOf || additionalProperties)
      return exported(doc, `type ${alias(name)} = ${typeOf(schema, `#/components/schemas/${name}`)};`);
    const fields = Object.entries<Schema>(properties).map(([key, field]) => {
      const text = property(key, typeOf(field), required?.includes(key) === true);
      return documented(field, resolve(document, field), text);
    });
    return exportedInterface(doc, alias(name), fields);
  });
}
