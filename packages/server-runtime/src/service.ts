import type { Migration } from 'kysely/migration';
import type { Handler, Implementation, Implementations } from './api/resources.ts';
import type { Storage } from './api/storage.ts';
import type { Contract, ContractTypes } from './contract.ts';
import { migrations as runtimeMigrations } from './database/migrations.ts';
import type { ChangeHandle } from './database/statement.ts';

/** What an application gives to the runtime. */
export interface ServiceOptions<Types extends ContractTypes> {
  /** Begins the names of metrics, keys and the command: lower-case letters, digits and `_`. */
  name: string;
  contract: Contract<Types>;
  /** A missing one does not compile. */
  handlers: Implementations<Types>;
  /** Of the application's own tables. Those of the runtime are added, and all run in the order of their names. */
  migrations: Record<string, Migration>;
  /** Limits requests without a key by their address. Must not leave its number per minute open. */
  addressPlan: Types['plan'];
  /** Default: the name and `_`. Not to be changed once keys are issued. */
  keyPrefix?: string;
  /** The header by which SDKs tell their version. Default: `x-<name>-client`. */
  clientHeader?: string;
  /** The tables that may be distributed over several nodes. Default: none. */
  distributed?: readonly Storage[];
}

/** A service, ready to be opened, served, migrated and administrated. */
export interface Service<Types extends ContractTypes = ContractTypes> {
  name: string;
  /** Of the command line; also tells its sessions in Postgres. */
  command: string;
  contract: Contract<Types>;
  handlers: Record<string, (db: ChangeHandle) => Handler>;
  migrations: Record<string, Migration>;
  /** Requests per minute of an address. */
  perAddress: number;
  keyPrefix: string;
  clientHeader: string;
  distributed: readonly Storage[];
}

/**
 * @throws Error for a name that cannot begin an identifier, for migrations of the same name, for an open plan of addresses, and for an
 *   operation that a storage could not serve
 */
export function defineService<Types extends ContractTypes>(options: ServiceOptions<Types>): Service<Types> {
  const { name, contract, handlers, migrations, addressPlan, distributed = [] } = options;
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(name)) throw new Error(`The service needs a name like book_store, not ${name}`);
  const twice = Object.keys(migrations).find((each) => Object.hasOwn(runtimeMigrations, each));
  if (twice) throw new Error(`The migration ${twice} has the name of one of the runtime`);
  const { perMinute } = contract.plans[addressPlan];
  if (perMinute === null) throw new Error(`The plan ${addressPlan} leaves open how many requests an address may send`);
  const all = { ...runtimeMigrations, ...migrations };
  const dashed = name.replaceAll('_', '-');
  return {
    name,
    command: `${dashed}-server`,
    contract,
    handlers: bind(handlers, distributed),
    migrations: Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1))),
    perAddress: perMinute,
    keyPrefix: options.keyPrefix ?? `${name}_`,
    clientHeader: options.clientHeader ?? `x-${dashed}-client`,
    distributed,
  };
}

/** Composes the operations. The error of one names it. */
function bind(handlers: Record<string, Implementation>, distributed: readonly Storage[]): Service['handlers'] {
  const bound = Object.entries(handlers).map(([id, implementation]) => {
    try {
      return [id, implementation(distributed)];
    } catch (error) {
      throw new Error(`${id}: ${(error as Error).message}`, { cause: error });
    }
  });
  return Object.fromEntries(bound);
}
