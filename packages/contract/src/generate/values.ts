/** Values of a contract in a file: one function for each context. No value reaches a file by other means. */

/** Characters that end a line or change the order of text, and that editors do not show. Strings escape them. */
const UNSEEN = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes characters in the text of a string literal, or of a whole file whose comments have none. */
export const visible = (code: string) =>
  code.replace(UNSEEN, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * A JSON value as TypeScript. All values of the contract become code here, or by TypeScript's printer.
 *
 * @param indent - the `space` of `JSON.stringify`
 */
export const literal = (value: unknown, indent?: number) =>
  visible(JSON.stringify(value, null, indent))
    // Without brackets, `__proto__` would set the prototype.
    .replace(/^( *)"__proto__":/gm, '$1["__proto__"]:');

/** Like `literal`, with each object and list on one line if it fits. */
export function wrapped(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return literal(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  // As in JSON, a value that is undefined is left out.
  const parts = Object.entries(value).flatMap(([name, each]) => {
    if (each === undefined) return [];
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

/** Formats a JSDoc comment. Escapes `*\/`, which would end it. */
export function comment(text: string, indent = ''): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join('\n');
}

/** A text in a JSDoc comment, in which no tag begins. Markdown shows the escaped characters as they were. */
export const prose = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n|[\r\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\t\n]/gu, '\ufffd')
    .replace(UNSEEN, '\ufffd')
    .replace(/(?<=^|[\s{])@(?=\S)/gm, '\\@');

/** A JSON value in a JSDoc comment. */
export const shown = (value: unknown) => visible(JSON.stringify(value)).replace(/(?<=[\s{])@/g, '\\u0040');

/** A text as plain text of one line in Markdown, in which it is neither markup nor HTML. */
export const markdown = (text: string) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(/[\\`*_{}[\]<>#|!&~]/g, '\\$&');

/** A word of a POSIX shell. */
export const shellWord = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
