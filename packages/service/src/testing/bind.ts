/** The functions of the runtime for tests, bound to a service. */
import { withDatabase } from '@petstore-platform/server-runtime/operate';
import {
  type Config,
  type ContractTypes,
  createHandlers,
  type DatabaseHandle,
  type Overrides,
  openDatabase,
  openService,
  type Service,
  type ServiceContext,
} from '@petstore-platform/server-runtime/testing';
import { insertApiKey, type NewApiKey, revokeApiKey, selectApiKeys } from '../commands/api-keys.ts';
import { migrateDown, migrateUp, type Target } from '../commands/migrations.ts';

export function bind<Types extends ContractTypes>(service: Service<Types>) {
  return {
    migrations: service.migrations,
    openDatabase: (url: string, options?: { size?: number; timeLimit?: number | undefined }) =>
      openDatabase(service, url, options),
    withDatabase: <T>(url: string, work: (db: DatabaseHandle) => Promise<T>, timeLimit?: number) =>
      withDatabase(service, url, work, timeLimit),
    migrateUp: (db: DatabaseHandle, options?: Parameters<typeof migrateUp>[2]) => migrateUp(service, db, options),
    migrateDown: (db: DatabaseHandle, target: Target = { steps: 1 }) => migrateDown(service, db, target),
    createHandlers: (db: DatabaseHandle, log?: ServiceContext['log']) => createHandlers(service, db, log),
    openService: (config: Config, overrides?: Overrides<Types>) => openService(service, config, overrides),
    insertApiKey: (db: DatabaseHandle, newKey: NewApiKey) => insertApiKey(service, db, newKey),
    revokeApiKey,
    selectApiKeys,
  };
}
