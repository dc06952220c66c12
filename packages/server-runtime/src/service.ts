import { MAX_LIMIT } from '@petstore-platform/quota';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Implementation, Implementations } from './api/handler.ts';
import { hasNumbers, type TokenOptions, type TokensOf } from './api-keys/tokens.ts';
import {
  type Config,
  issuerVariables,
  variables as runtimeVariables,
  tokenVariables,
  type ValuesOf,
  type Variables,
} from './config.ts';
import {
  type Contract,
  type ContractTypes,
  credentialsOf,
  type ErrorBody,
  type Failure,
  type PlanLimits,
  SAFE,
} from './contract.ts';
import { migrations as runtimeMigrations } from './database/runtime-migrations.ts';
import type { Tenants } from './database/tenants.ts';
import { jobsOf } from './housekeeping.ts';
import { checkErrorBody, type MakeBody } from './http/failures.ts';
import { type Job, LONGEST_TIMER } from './jobs.ts';
import type { Checked } from './ops/database-problem.ts';
import type { Guards } from './steps/guards.ts';

/** The context of a service's code outside its operations. */
export interface ServiceContext<Values = Record<string, unknown>> {
  config: Config & Values;
  // biome-ignore lint/suspicious/noExplicitAny: the service knows its tables
  db: Kysely<any>;
  log: FastifyBaseLogger;
}

interface ServiceOptions<Types extends ContractTypes, Added extends Variables = Variables> {
  /** Lower-case letters, digits and `_`. It is the realm of its keys; the names of its command and of its SDK's header follow from it. */
  name: string;
  contract: Contract<Types>;
  /** The handlers of all operations. A missing one does not compile. */
  handlers: Implementations<Types>;
  /** Migrations of the application's own tables. Those of the runtime are added; all run in the order of their names. */
  migrations: Record<string, Migration>;
  /** The plan of requests without a key, which are limited by their address. It must set a number per minute. */
  addressPlan: Types['plan'];
  /** How the claims of a token become a caller, if the contract has tokens. Default: owned by its subject, with the plan of addresses. */
  tokens?: TokenOptions<Types['plan']>;
  /**
   * The subjects of limits and bans: each key and each subject of tokens, or each owner over all its keys and subjects. Default: `caller`.
   */
  limitsBy?: 'caller' | 'owner';
  /** The prefix of the keys. Default: the name and `_`. It must not change once keys are issued. */
  keyPrefix?: string;
  /** Environment variables of the service, checked and listed with those of the runtime. Default: none. */
  variables?: Added;
  /**
   * Adds routes outside the API, plugins, and hooks for all routes: those of operations run `onRequest` before their authentication and
   * limits, and `preHandler` after them. Its own routes are public and not limited, unless they have the hooks
   * `authenticate` and `limit` of the context. Called before the server listens, again on a new `app` if the database did not answer.
   */
  extend?(app: FastifyInstance, context: ServiceContext<ValuesOf<Added>> & Guards): void | Promise<void>;
  /** Resolves to the reason why the service cannot serve, for `/readyz`, or to undefined if it can. Concurrent probes share a call. */
  ready?(context: ServiceContext<ValuesOf<Added>>): Promise<string | undefined>;
  /** Periodic work, by name, on one server of the fleet at a time. Default: none. */
  jobs?: Readonly<Record<string, Job<ServiceContext<ValuesOf<Added>>>>>;
}

/**
 * How failures look in a contract that describes a body of its own for them. It is required where the platform's Error does not fit. All
 * failures are given to it, also those outside of the operations. If it throws, the client gets the platform's Error.
 */
type ErrorBodies<Types extends ContractTypes> = Types extends { failure: infer Body }
  ? [ErrorBody] extends [Body]
    ? { errorBody?: (failure: Failure) => Body }
    : { errorBody: (failure: Failure) => Body }
  : { errorBody?: never };

/** A service, ready to be opened, served, migrated and administrated. */
export interface Service<Types extends ContractTypes = ContractTypes>
  extends Required<Omit<ServiceOptions<Types>, 'handlers' | 'migrations' | 'tokens'>> {
  command: string;
  handlers: Record<string, Implementation>;
  migrations: Record<string, Migration>;
  /** The privileges that it needs on its own tables. */
  privileges: Checked['privileges'];
  columns: NonNullable<Implementation['columns']>;
  /** The tables whose rows have owners, with the columns of these. */
  tenants: Tenants;
  /** Requests per minute of an address. */
  perAddress: number;
  /** Makes the bodies of failures. Undefined: they are the platform's Error. */
  errorBody?: MakeBody | undefined;
  /** Undefined if no operation of the contract takes tokens. */
  tokens: TokensOf['tokens'] | undefined;
  clientHeader: string;
}

/**
 * Defines a service, as a value that is served, migrated and tested.
 *
 * @throws Error for a name that cannot begin an identifier, for a migration, variable or job with the name of one of the runtime, for
 *   an open plan of addresses or of tokens, for options of tokens without an operation that takes them, for a number that the counts cannot
 *   hold, for an interval that no timer has, for a body of a failure that the contract does not admit, and for operations with different
 *   tenants
 */
export function defineService<Types extends ContractTypes, const Added extends Variables = Record<never, never>>(
  options: ServiceOptions<Types, Added> & ErrorBodies<Types>,
): Service<Types> {
  const { name, contract, handlers, migrations, addressPlan, jobs = {} } = options;
  const tokens = tokenOptionsOf(options);
  const variables = { ...options.variables, ...(tokens && (tokens.issue ? issuerVariables(name) : tokenVariables)) };
  const { extend = () => {}, ready = async () => undefined, keyPrefix = `${name}_`, limitsBy = 'caller' } = options;
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(name)) throw new Error(`The service needs a name like book_store, not ${name}`);
  refuseCommon('migration', migrations, runtimeMigrations);
  refuseCommon('variable', options.variables ?? {}, { ...runtimeVariables, ...tokenVariables });
  const { errorBody }: { errorBody?: MakeBody } = options;
  if (errorBody) checkErrorBody(contract, errorBody);
  refuseCommon('job', jobs, jobsOf({ jobs: {} }));
  refuseIntervals(jobs);
  refuseOverflow(contract.plans);
  const { perMinute } = contract.plans[addressPlan];
  if (perMinute === null) throw new Error(`The plan ${addressPlan} leaves open how many requests an address may send`);
  const all = { ...runtimeMigrations, ...migrations };
  const columns = Object.assign({}, ...Object.values<Implementation>(handlers).map(({ columns }) => columns));
  const tenants = commonTenants(handlers);
  const dashed = name.replaceAll('_', '-');
  return {
    name,
    command: `${dashed}-server`,
    contract,
    handlers,
    privileges: privilegesOf(columns, handlers, contract),
    columns,
    tenants,
    migrations: Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1))),
    perAddress: perMinute,
    errorBody,
    addressPlan,
    tokens,
    limitsBy,
    keyPrefix,
    clientHeader: `x-${dashed}-client`,
    variables,
    jobs,
    // Their context has the values of the service's own variables.
    extend: extend as Service['extend'],
    ready: ready as Service['ready'],
  };
}

/** The options of tokens with their default. Undefined if no operation takes tokens. */
function tokenOptionsOf<Types extends ContractTypes>({
  contract,
  tokens,
  addressPlan,
}: ServiceOptions<Types>): Service['tokens'] {
  if (!credentialsOf(contract.operations).some(({ kind }) => kind === 'token')) {
    if (tokens) throw new Error('No scheme of the contract takes tokens, as by `x-token: true`');
    return undefined;
  }
  const plan = tokens?.plan ?? addressPlan;
  if (!hasNumbers(contract.plans[plan]))
    throw new Error(`The plan ${plan} leaves open how many requests a token may send`);
  return { ...tokens, plan };
}

/** Refuses numbers of plans that the counts cannot hold: the statement that counts would fail for the keys of all plans. */
function refuseOverflow(plans: Contract['plans']): void {
  for (const [plan, limits] of Object.entries<PlanLimits>(plans))
    for (const limit of [limits.perMinute, limits.perDay])
      if (limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT))
        throw new Error(`The plan ${plan} needs whole numbers from 1 to ${MAX_LIMIT}, not ${limit}`);
}

/** Refuses intervals that Node.js would take for a millisecond. */
function refuseIntervals(jobs: Readonly<Record<string, { every: number }>>): void {
  for (const [job, { every }] of Object.entries(jobs))
    if (!(every >= 1 && every <= LONGEST_TIMER))
      throw new Error(
        `The job ${job} needs an interval from 1 to ${LONGEST_TIMER} milliseconds (24 days), not ${every}`,
      );
}

function refuseCommon(kind: string, added: object, runtime: object): void {
  const twice = Object.keys(added).find((each) => Object.hasOwn(runtime, each));
  if (twice) throw new Error(`The ${kind} ${twice} has the name of one of the runtime`);
}

/** A service without unsafe operations only selects. */
function privilegesOf(
  columns: object,
  handlers: Service['handlers'],
  { operations }: Pick<Contract, 'operations'>,
): Service['privileges'] {
  const named = Object.assign({}, ...Object.values(handlers).map(({ privileges }) => privileges));
  const onlyReads = Object.values(operations).every(({ method }) => SAFE.includes(method));
  const all = onlyReads ? (['select'] as const) : (['select', 'insert', 'update', 'delete'] as const);
  return Object.keys(columns).flatMap((table) =>
    ((named[table] ?? all) as typeof all).map((privilege) => [table, privilege] as const),
  );
}

/** Refuses operations that leave out tenants of others. */
function commonTenants(handlers: Record<string, Implementation>): Tenants {
  const [[first, { tenants = {} }] = ['', {}], ...others] = Object.entries(handlers);
  const jsonText = (tenants: Tenants = {}) => JSON.stringify(Object.entries(tenants).sort());
  const other = others.find(([, each]) => jsonText(each.tenants) !== jsonText(tenants));
  if (other)
    throw new Error(`${first} and ${other[0]} have different tenants: make all operations by one operationsOf`);
  return tenants;
}
