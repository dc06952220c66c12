import { type Command, Option } from 'commander';
import { checked, integer } from '../config.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { insertApiKey, type KeysOf, limitsOf, type NewApiKey, revokeApiKey, selectApiKeys } from './keys.ts';

/** The text of a command; in parts if it may be long, or was written before. */
export type Output = string | AsyncIterable<string> | string[];

/** Opens the database for a command, and prints its output. */
export type Run = (work: (db: DatabaseHandle) => Promise<Output>) => Promise<void>;

/** `keys create`, `keys list` and `keys revoke`. */
export function addKeysCommands(service: KeysOf, keys: Command, run: Run): void {
  const { plans } = service.contract;
  keys
    .command('create')
    .description('issue an API key, which is shown this once only')
    .requiredOption('--name <text>', 'name of its owner, at most 100 characters', parseName)
    .addOption(new Option('--plan <plan>').choices(Object.keys(plans)).makeOptionMandatory())
    .option('--per-minute <n>', 'requests per minute: required by enterprise, refused by other plans', parseLimit)
    .option('--per-day <n>', 'requests per day, likewise', parseLimit)
    .option('--json', 'print one JSON object')
    .action(({ json, ...newKey }: NewApiKey & { json?: true }) => {
      const { name, plan, perMinute, perDay } = newKey;
      const open = plans[plan]?.perMinute === null;
      if ((perMinute !== undefined) !== open || (perDay !== undefined) !== open)
        throw new Error(`The ${plan} plan ${open ? 'requires' : 'refuses'} --per-minute and --per-day`);
      return run(async ({ kysely }) => {
        // Committed after it is shown: nobody would have a key that was not.
        await kysely.transaction().execute(async (transaction) => {
          const { id, key } = await insertApiKey(service, { kysely: transaction }, newKey);
          const text = `Key ${id} (${name}, ${plan}):\n\n  ${key}\n\nIt is shown only this once.`;
          await show(json ? JSON.stringify({ id, key, ...newKey }) : text);
        });
        return [];
      });
    });

  keys
    .command('list')
    .description('show all keys')
    .option('--json', 'print a JSON array')
    .action(({ json }: { json?: true }) => run(async (db) => list(service, db, json)));

  keys
    .command('revoke')
    .description('refuse a key from now on')
    .argument('<id>', 'of the key, as in the list', parseId)
    .action((id: number) =>
      run(async (db) => {
        if (!(await revokeApiKey(db, id))) throw new Error(`There is no key ${id}`);
        return `Key ${id} is revoked; every server refuses it within 10 seconds.`;
      }),
    );
}

/** @throws Error when the line cannot be written */
async function show(line: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  await promise.catch(({ message }) => {
    throw new Error(`The key is not issued, as it cannot be shown: ${message}`);
  });
}

const parseName = checked(
  'one line of at most 100 printable characters',
  (value) => /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,100}$/u.test(value.trim()),
  (value) => value.trim(),
);
const parseLimit = integer(1, 999_999_999);
const parseId = checked('the id of a key', (value) => /^\d{1,15}$/.test(value), Number);

/** All keys: a JSON array, or a table, each page of which has its own widths. */
async function* list(service: KeysOf, db: DatabaseHandle, json = false): AsyncIterable<string> {
  let first = true;
  for await (const page of selectApiKeys(db)) {
    const rows = page.map((row) => ({
      id: row.id,
      name: row.name,
      plan: row.plan,
      ...(limitsOf(service, row) ?? { perMinute: null, perDay: null }),
      createdAt: iso(row.created_at),
      revokedAt: row.revoked_at && iso(row.revoked_at),
    }));
    if (json) yield `${first ? '[' : ','}${rows.map((row) => visible(JSON.stringify(row))).join(',')}`;
    else yield `${table(rows, first)}\n`;
    first = false;
  }
  if (json) yield first ? '[]\n' : ']\n';
  else if (first) yield 'There are no keys.\n';
}

/** ISO 8601. SQL may have stored `infinity`, which is no date in JavaScript. */
const iso = (time: Date) => (time instanceof Date ? time.toJSON() : String(time));

/** Escaped as in JSON: control and format characters, as of a name that was stored by SQL, would write over other text. */
function visible(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => character.split('').map(escaped).join(''));
}

/** The rows, by default under the names of their fields. */
export function table(rows: Record<string, string | number | null>[], header = true): string {
  const cells = rows.map((row) => Object.values(row).map((value) => visible(String(value ?? '-'))));
  const lines = [Object.keys(rows[0] ?? {}), ...cells];
  const widths = lines.reduce<number[]>((max, line) => line.map((cell, at) => Math.max(max[at] ?? 0, cell.length)), []);
  const pad = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  const text = lines.map((line) => pad(line).trimEnd());
  return text.slice(header ? 0 : 1).join('\n');
}
