import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The values of a template by name. */
export interface Values {
  readonly [name: string]: string | boolean | undefined;
}

const FOLDER = path.join(import.meta.dirname, '../../templates');

/** A file of `templates/` with its values. A line that begins with `{{?name}}` needs the value, and one with `{{!name}}` its absence. */
export const filled = (name: string, values: Values): string =>
  readFileSync(path.join(FOLDER, `${name}.tpl`), 'utf8')
    .replace(/^\{\{([?!])(\w+)\}\}(.*\n)/gm, (_, sign, key, line) => ((sign === '?') === !!values[key] ? line : ''))
    .replace(/\{\{(\w+)\}\}/g, (_, key) => `${values[key]}`);
