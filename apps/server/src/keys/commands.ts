import { parseArgs } from 'node:util';
import type { DatabaseHandle } from '../database/open.ts';
import { type Plan, plans } from '../generated/plans.ts';
import { UsageError } from '../usage.ts';
import { insertApiKey, limitsOf, type NewApiKey, revokeApiKey, selectApiKeys } from './keys.ts';

/** A parsed `keys` command: what to do once the database is open, and with what it answers. */
export type KeysCommand = (db: DatabaseHandle) => Promise<string>;

/**
 * Reads the arguments of `keys create`, `keys list` and `keys revoke` before anything is opened.
 *
 * @throws UsageError that says what is wrong in one line
 */
export function parseKeysCommand([action = '', ...args]: string[]): KeysCommand {
  const actions: Record<string, (args: string[]) => KeysCommand> = { create, list, revoke };
  if (!Object.hasOwn(actions, action)) throw new UsageError('keys: expected create, list or revoke');
  return (actions[action] as typeof create)(args);
}

function create(args: string[]): KeysCommand {
  const { values } = parse({
    args,
    options: {
      name: { type: 'string' },
      plan: { type: 'string' },
      'per-minute': { type: 'string' },
      'per-day': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const name = values.name?.trim();
  if (!name) throw new UsageError('keys create: --name is required');
  if (/\p{Cc}/u.test(name)) throw new UsageError('keys create: --name must be one line of text');
  const plan = planOf(values.plan);
  const newKey: NewApiKey = {
    name,
    plan,
    perMinute: limitOf('per-minute', values['per-minute'], plan, plans[plan].perMinute),
    perDay: limitOf('per-day', values['per-day'], plan, plans[plan].perDay),
  };
  return async (db) => {
    const { id, key } = await insertApiKey(db, newKey);
    if (values.json) return JSON.stringify({ id, key, ...newKey });
    return `Key ${id} (${name}, ${plan}):\n\n  ${key}\n\nIt is shown only this once.`;
  };
}

function list(args: string[]): KeysCommand {
  const { values } = parse({ args, options: { json: { type: 'boolean', default: false } } });
  return async (db) => {
    const keys = (await selectApiKeys(db)).map((row) => ({
      id: row.id,
      name: row.name,
      plan: row.plan,
      ...limitsOf(row),
      createdAt: row.created_at.toISOString(),
      revokedAt: row.revoked_at?.toISOString() ?? null,
    }));
    return values.json ? JSON.stringify(keys) : table(keys);
  };
}

function revoke(args: string[]): KeysCommand {
  const { positionals } = parse({ args, options: {}, allowPositionals: true });
  const [id = ''] = positionals;
  if (positionals.length !== 1 || !/^\d{1,15}$/.test(id)) throw new UsageError('keys revoke: expected the id of a key');
  return async (db) => {
    if (!(await revokeApiKey(db, Number(id)))) throw new UsageError(`keys revoke: there is no key ${id}`);
    return `Key ${id} is revoked; every server refuses it within 10 seconds.`;
  };
}

function planOf(value: string | undefined): Plan {
  if (value !== undefined && Object.hasOwn(plans, value)) return value as Plan;
  throw new UsageError(`keys create: --plan must be one of ${Object.keys(plans).join(', ')}`);
}

/** A plan without a number of its own requires one; the others refuse it. */
function limitOf(option: string, value: string | undefined, plan: Plan, ofPlan: number | null): number | undefined {
  if (ofPlan !== null) {
    if (value !== undefined) throw new UsageError(`keys create: --${option} is fixed at ${ofPlan} by the ${plan} plan`);
    return undefined;
  }
  if (value === undefined) throw new UsageError(`keys create: the ${plan} plan requires --${option}`);
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`keys create: --${option} must be a number from 1 to 999999999`);
  return Number(value);
}

/** `parseArgs` with its complaints as usage errors. */
const parse: typeof parseArgs = (config) => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(`keys: ${(error as Error).message.split('\n', 1)[0]}`);
  }
};

function table(rows: Record<string, string | number | null>[]): string {
  const [first] = rows;
  if (!first) return 'There are no keys.';
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map((value) => String(value ?? '-')))];
  const widths = Object.keys(first).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return padded.map((line) => line.trimEnd()).join('\n');
}
