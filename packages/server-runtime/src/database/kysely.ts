import {
  type FairSemaphore,
  isControl,
  type Pipeline,
  PipelineConnection,
  PipelineDriver,
  type ReadOptions,
} from '@petstore-platform/kysely-pipeline';
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type Driver,
  DummyDriver,
  Kysely,
  type KyselyProps,
  PostgresDialect,
  type QueryExecutor,
  type QueryResult,
  SingleConnectionProvider,
  Transaction,
} from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type pg from 'pg';
import { withCaller } from '../stacks.ts';
import { type Scope, type TenantScope, unscopedPlugin } from './tenants.ts';

const offline = new PostgresDialect({ pool: () => Promise.reject(new Error('It only builds statements')) });

/** Builds statements, and runs none. */
export const builder = new Kysely<never>({ dialect: offline });

/** Kysely would wrap a driver of a dialect for each connection, to log and to initialize it. */
const running = (executor: QueryExecutor, driver: Driver = new DummyDriver()): KyselyProps => ({
  config: { dialect: offline },
  dialect: offline,
  driver,
  executor,
});
const executorOn = (provider: ConnectionProvider, scope: Scope | undefined): QueryExecutor => {
  const executor = builder.getExecutor().withConnectionProvider(provider);
  return scope ? executor.withPlugin(scope.plugin) : executor;
};

/** A Kysely of a request that only reads. */
class Reader extends Kysely<never> {
  // The pool would lose the connection of a transaction that its handler does not end, for example after an exception.
  override startTransaction(): never {
    throw new Error('A read may not use startTransaction(), but transaction(), which always ends');
  }
}

/** A connection whose statements are those of one owner, where rows have owners. */
class ReadConnection extends PipelineConnection {
  readonly #tenant: TenantScope | undefined;
  readonly #options: ReaderOptions;
  readonly #place: Place;
  #entered: Promise<unknown> | undefined;

  constructor(
    driver: PipelineDriver,
    read: ReadOptions,
    tenant: TenantScope | undefined,
    options: ReaderOptions,
    place: Place,
  ) {
    super(driver, read);
    this.#tenant = tenant;
    this.#options = options;
    this.#place = place;
  }

  /** A transaction keeps its session for as long as the handler takes. */
  override async open(): Promise<pg.PoolClient> {
    this.#entered ??= this.#place.enter();
    await this.#entered;
    return super.open();
  }

  override async close(): Promise<void> {
    await super.close();
    if (this.#entered !== undefined) await this.#place.leave();
    this.#entered = undefined;
  }

  protected override optionsFor(query: CompiledQuery): ReadOptions {
    // Settings before such a statement would fail in a transaction whose statement has failed.
    if (!this.#tenant || isControl(query.sql)) return { hasSql: this.#tenant !== undefined && !this.isInTransaction };
    return this.#tenant.scope.reading(query, this.#tenant.caller, this.#options.service);
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { scope, caller } = this.#tenant ?? {};
    try {
      const bound = scope && caller ? scope.bind(query, caller) : query;
      return await this.#options.traced(bound, () => super.executeQuery<Row>(bound));
    } catch (error) {
      throw this.#options.failure(withCaller(error));
    }
  }
}

/** The place of a request, which all its transactions share: an inner one would wait for an outer one. */
class Place {
  #holders = 0;
  #taken: Promise<() => void> | undefined;
  readonly #take: () => Promise<() => void>;

  constructor(take: () => Promise<() => void>) {
    this.#take = take;
  }

  enter(): Promise<unknown> {
    this.#holders += 1;
    this.#taken ??= this.#take();
    return this.#taken;
  }

  async leave(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    const taken = this.#taken;
    this.#taken = undefined;
    (await taken?.catch(() => {}))?.();
  }
}

interface ReaderOptions {
  service: string;
  /** Those of transactions, which callers share. */
  sessions: FairSemaphore;
  /** Runs a statement in a span. */
  traced<Output>(query: CompiledQuery, send: () => Promise<Output>): Promise<Output>;
  /** Converts an error of a statement. */
  failure(error: unknown): unknown;
}

/** Makes a Kysely for each request, which only reads: its statements share round trips with those of others. */
export function readers(pool: pg.Pool, pipeline: Pipeline, options: ReaderOptions) {
  const driver = new PipelineDriver({ pool, pipeline, readOnly: true });
  return <Tables>(tenant: TenantScope | undefined, read: ReadOptions): ReadonlyKysely<Tables> => {
    const place = new Place(() => options.sessions.take(tenant?.caller.owner || read.caller));
    const provider: ConnectionProvider = {
      async provideConnection(consumer) {
        if (tenant?.isOver) throw new Error('The handler is done: a statement was not awaited, or its query was kept');
        const connection = new ReadConnection(driver, read, tenant, options, place);
        try {
          return await consumer(connection);
        } finally {
          await connection.release();
        }
      },
    };
    // Its type keeps the methods of changes, so that the compiler says why they cannot be used.
    return new Reader(running(executorOn(provider, tenant?.scope), driver)) as unknown as ReadonlyKysely<Tables>;
  };
}

/** The same Kysely, on the same connection, for the rows of all owners. */
export function unscoped(db: Kysely<never>): Kysely<never> {
  const props = running(db.getExecutor().withoutPlugins().withPlugin(unscopedPlugin), driverOfReads);
  return db.isTransaction ? new Transaction<never>(props) : new Reader(props);
}
const driverOfReads = new PipelineDriver({ pool: undefined as never, pipeline: {} as never, readOnly: true });

/** Kysely in the transaction of a `write`, whose statements follow each other. */
export class HandlerDb {
  readonly db: Transaction<never>;
  /** Whether the handler may still run statements. */
  isOpen = true;
  #pending = 0;

  /** @param run - called for each statement, in turn */
  constructor(run: (query: CompiledQuery) => Promise<QueryResult<unknown>>, tenant: TenantScope | undefined) {
    const connection: DatabaseConnection = {
      executeQuery: async <Row>(query: CompiledQuery) => {
        if (!this.isOpen) throw new Error('The transaction has ended: a statement was not awaited');
        try {
          return (await run(tenant ? tenant.scope.bind(query, tenant.caller) : query)) as QueryResult<Row>;
        } catch (error) {
          throw withCaller(error);
        }
      },
      // biome-ignore lint/correctness/useYield: never called
      async *streamQuery() {
        throw new Error('Rows are not streamed');
      },
    };
    const single = new SingleConnectionProvider(connection);
    const provider: ConnectionProvider = {
      provideConnection: (consumer) => {
        this.#pending += 1;
        return single.provideConnection(consumer).finally(() => {
          this.#pending -= 1;
        });
      },
    };
    this.db = new Transaction<never>(running(executorOn(provider, tenant?.scope)));
  }

  /** Runs nothing from now on. @returns whether all statements are done */
  end(): boolean {
    this.isOpen = false;
    return this.#pending === 0;
  }
}
