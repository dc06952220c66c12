/** For tests: the functions of the runtime, bound to a service. */
import { type Overrides, openService } from '../app.ts';
import { type Config, loadConfig } from '../config.ts';
import type { ContractTypes, PlanLimits } from '../contract.ts';
import { migrateDown, migrateUp, withDatabase } from '../database/migrate.ts';
import { type DatabaseHandle, openDatabase } from '../database/open.ts';
import { createHandlers } from '../handlers.ts';
import { addKeysCommands } from '../keys/commands.ts';
import { createKey, isWellFormed } from '../keys/format.ts';
import { ApiKeys, insertApiKey, type NewApiKey, revokeApiKey, selectApiKeys } from '../keys/keys.ts';
import { Metrics } from '../ops/metrics.ts';
import type { Service } from '../service.ts';

type AfterFirst<All extends unknown[]> = All extends [unknown, ...infer Rest] ? Rest : never;
type AddKeysCommands = AfterFirst<Parameters<typeof addKeysCommands>>;
type KeysArguments = AfterFirst<ConstructorParameters<typeof ApiKeys>>;

export function bind<Types extends ContractTypes>(service: Service<Types>) {
  const { keyPrefix } = service;
  class BoundKeys extends ApiKeys {
    constructor(...args: KeysArguments) {
      super(service, ...args);
    }
  }
  return {
    migrations: service.migrations,
    openDatabase: (url: string, options?: { size?: number; timeLimit?: number }) => openDatabase(service, url, options),
    withDatabase: <T>(url: string, work: (db: DatabaseHandle) => Promise<T>, timeLimit?: number) =>
      withDatabase(service, url, work, timeLimit),
    migrateUp: (db: DatabaseHandle, every?: number) => migrateUp(service, db, every),
    migrateDown: (db: DatabaseHandle, force?: boolean) => migrateDown(service, db, force),
    createHandlers: (db: DatabaseHandle) => createHandlers(service, db),
    openService: (config: Config, overrides?: Overrides<Types>) => openService(service, config, overrides),
    createKey: () => createKey(keyPrefix),
    isWellFormed: (key: string) => isWellFormed(keyPrefix, key),
    insertApiKey: (db: DatabaseHandle, newKey: NewApiKey) => insertApiKey(service, db, newKey),
    /** Migrates the database and serves on a free port, with a key whose limits no test reaches. */
    async start(url: string) {
      await withDatabase(service, url, (db) => migrateUp(service, db));
      const running = await openService(service, loadConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }));
      const origin = await running.app.listen({ host: '127.0.0.1', port: 0 });
      const [plan, limits] = Object.entries(service.contract.plans).at(-1) as [Types['plan'], PlanLimits];
      const own = limits.perMinute === null ? { perMinute: 1_000_000, perDay: 1_000_000 } : {};
      const { key } = await insertApiKey(service, running.db, { name: 'test', plan, ...own } as NewApiKey);
      const stop = async () => {
        await running.app.close();
        await running.close();
      };
      return { origin, key, stop };
    },
    revokeApiKey,
    selectApiKeys,
    addKeysCommands: (...args: AddKeysCommands) => addKeysCommands(service, ...args),
    ApiKeys: BoundKeys as new (...args: KeysArguments) => ApiKeys,
    Metrics,
  };
}
