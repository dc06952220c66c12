import { fstatSync } from 'node:fs';
import type { DatabaseHandle } from '@petstore-platform/server-runtime/operate';

/**
 * The output of a command. A text says what was done, so that it is a failure if it cannot be written. Parts are what was read, and may be
 * left unread; output that was written before has no parts.
 */
export type Output = string | AsyncIterable<string> | string[];

/** Opens the database for a command, and prints its output. */
export type Run = (work: (db: DatabaseHandle) => Promise<Output>) => Promise<void>;

/** Writes text to standard output. @param failed - begins the message of the error when it cannot be written */
export async function write(text: string, failed: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  await promise.catch(({ message }) => {
    throw new Error(`${failed}: ${message}`);
  });
}

const UNSEEN = 'The key is not issued, as it cannot be shown';

/** Writes a new key. @throws Error when nobody can read it */
export async function showKey(text: string): Promise<void> {
  // Node.js opens the null device in place of a standard output that is closed.
  if (fstatSync(1).isCharacterDevice() && !process.stdout.isTTY) throw new Error(`${UNSEEN}: nobody reads it`);
  await write(text, UNSEEN);
}

/** Objects are printed as JSON. */
export type Row = Record<string, string | number | object | null | undefined>;

/** Rows as one JSON array, or as a table, each page of which has its own widths. @param none - the text without rows */
export async function* listed<Item>(
  pages: AsyncIterable<Item[]>,
  show: (item: Item) => Row,
  json: true | undefined,
  none: string,
): AsyncIterable<string> {
  let first = true;
  for await (const page of pages) {
    const rows = page.map(show);
    if (json) yield `${first ? '[' : ','}${rows.map(line).join(',')}`;
    else yield `${table(rows, first)}\n`;
    first = false;
  }
  if (json) yield first ? '[]\n' : ']\n';
  else if (first) yield `${none}\n`;
}

/** A JSON object on one line. */
export const line = (value: object): string => visible(JSON.stringify(value));

/** ISO 8601. SQL may have stored `infinity`, which is no date in JavaScript. */
export const iso = (time: Date | null) => time && (time instanceof Date ? time.toJSON() : String(time));

/** Escapes control and format characters as in JSON. A name that was stored by SQL may have them, and would write over other text. */
export function visible(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => character.split('').map(escaped).join(''));
}

/** The rows as a table, by default under the names of their fields. */
export function table(rows: Row[], header = true): string {
  const text = (value: Row[string]) =>
    typeof value === 'object' && value ? JSON.stringify(value) : String(value ?? '-');
  const cells = rows.map((row) => Object.values(row).map((value) => visible(text(value))));
  const lines = [Object.keys(rows[0] ?? {}), ...cells];
  const widths = lines.reduce<number[]>((max, each) => each.map((cell, at) => Math.max(max[at] ?? 0, cell.length)), []);
  const pad = (each: string[]) => each.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return lines
    .map((each) => pad(each).trimEnd())
    .slice(header ? 0 : 1)
    .join('\n');
}
