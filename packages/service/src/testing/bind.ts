/** The functions of the runtime for tests, bound to a service. */
import { withDatabase } from '@petstore-platform/server-runtime/operate';
import {
  type ApiKeys,
  apiKeysOf,
  type Config,
  type ContractTypes,
  createHandlers,
  createKey,
  type DatabaseHandle,
  hashKey,
  type Implementation,
  isWellFormed,
  Metrics,
  type Overrides,
  openDatabase,
  openService,
  RequestDb,
  type Service,
  type ServiceContext,
} from '@petstore-platform/server-runtime/testing';
import { insertApiKey, type NewApiKey, revokeApiKey, selectApiKeys } from '../commands/api-keys.ts';
import { migrateDown, migrateUp, type Target } from '../commands/migrations.ts';

// biome-ignore lint/suspicious/noExplicitAny: the handler of any operation
type AnyHandler = (request: any, context: any) => Promise<any>;

export function bind<Types extends ContractTypes>(service: Service<Types>) {
  const { keyPrefix } = service;
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
    /** The functions of a read, on a database. */
    readerOn: <Tables>(db: DatabaseHandle) => new RequestDb(db).reader<Tables>(undefined, { caller: undefined }),
    /** The handler of one operation on a database. */
    handlerOf: (
      implementation: Implementation,
      db: DatabaseHandle,
      log?: Pick<ServiceContext['log'], 'warn'>,
    ): AnyHandler => {
      const handler = implementation(new RequestDb(db, { log, service: service.name })) as AnyHandler;
      return (request, context) => handler(request, { caller: { id: 'key:0' }, ...context });
    },
    createKey: () => createKey(keyPrefix),
    hashKey,
    isWellFormed: (key: string) => isWellFormed(keyPrefix, key),
    insertApiKey: (db: DatabaseHandle, newKey: NewApiKey) => insertApiKey(service, db, newKey),
    revokeApiKey,
    selectApiKeys,
    apiKeysOf: (db: DatabaseHandle, now?: () => number): ApiKeys => apiKeysOf(service, db, now),
    Metrics,
  };
}
