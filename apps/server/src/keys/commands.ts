import { type Command, Option } from 'commander';
import { checked, integer } from '../config.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { plans } from '../generated/plans.ts';
import { insertApiKey, limitsOf, type NewApiKey, revokeApiKey, selectApiKeys } from './keys.ts';

/** Opens the database for a command, and prints the result. */
type Run = (work: (db: DatabaseHandle) => Promise<string>) => Promise<void>;

/** `keys create`, `keys list` and `keys revoke`. */
export function addKeysCommands(keys: Command, run: Run): void {
  keys
    .command('create')
    .description('issue an API key, which is shown this once only')
    .requiredOption('--name <text>', 'name of its owner', parseName)
    .addOption(new Option('--plan <plan>').choices(Object.keys(plans)).makeOptionMandatory())
    .option('--per-minute <n>', 'requests per minute: required by enterprise, refused by other plans', parseLimit)
    .option('--per-day <n>', 'requests per day, likewise', parseLimit)
    .option('--json', 'print one JSON object')
    .action(({ json, ...newKey }: NewApiKey & { json?: true }) => {
      const { name, plan, perMinute, perDay } = newKey;
      const open = plans[plan].perMinute === null;
      if ((perMinute !== undefined) !== open || (perDay !== undefined) !== open)
        throw new Error(`The ${plan} plan ${open ? 'requires' : 'refuses'} --per-minute and --per-day`);
      return run(async (db) => {
        const { id, key } = await insertApiKey(db, newKey);
        if (json) return JSON.stringify({ id, key, ...newKey });
        return `Key ${id} (${name}, ${plan}):\n\n  ${key}\n\nIt is shown only this once.`;
      });
    });

  keys
    .command('list')
    .description('show all keys')
    .option('--json', 'print a JSON array')
    .action(({ json }: { json?: true }) =>
      run(async (db) => {
        const rows = (await selectApiKeys(db)).map((row) => ({
          id: row.id,
          name: row.name,
          plan: row.plan,
          ...limitsOf(row),
          createdAt: row.created_at.toISOString(),
          revokedAt: row.revoked_at?.toISOString() ?? null,
        }));
        return json ? JSON.stringify(rows) : table(rows);
      }),
    );

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

const parseName = checked(
  'one line of text',
  (value) => /^\P{Cc}+$/u.test(value.trim()),
  (value) => value.trim(),
);
const parseLimit = integer(1, 999_999_999);
const parseId = checked('the id of a key', (value) => /^\d{1,15}$/.test(value), Number);

/** The rows under the names of their fields. */
export function table(rows: Record<string, string | number | null>[]): string {
  const [first] = rows;
  if (!first) return 'There are no keys.';
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map((value) => String(value ?? '-')))];
  const widths = Object.keys(first).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return lines.map((line) => pad(line).trimEnd()).join('\n');
}
