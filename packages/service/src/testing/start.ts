import { jobsOf, withDatabase } from '@petstore-platform/server-runtime/operate';
import {
  type Config,
  type ContractTypes,
  loadConfig,
  type Overrides,
  openService,
  type PlanLimits,
  type RunningService,
  type Service,
  type TokenConfig,
} from '@petstore-platform/server-runtime/testing';
import { insertApiKey, type NewApiKey } from '../commands/api-keys.ts';
import { runJob } from '../commands/jobs.ts';
import { servedUrl } from '../commands/server-role.ts';
import type { TestClock } from './clock.ts';
import { type Claims, TestIssuer } from './issuer.ts';

export interface StartOptions<Types extends ContractTypes = ContractTypes> extends Omit<Overrides<Types>, 'clock'> {
  config?: Partial<Config & TokenConfig>;
  /** Default: the clock of Postgres. */
  clock?: TestClock;
}

export interface StartedService extends Pick<RunningService, 'app' | 'db' | 'close'> {
  origin: string;
  port: number;
  /** A key for all tests, with limits that none reaches. Its owner is `test` where rows have owners. */
  apiKey: string;
  /** Issues a key, by default of the plan with the most requests per minute. */
  createKey(newKey?: Partial<NewApiKey>): Promise<{ id: number; key: string }>;
  /** Issues an access token, by default of the subject `test` for an hour, if the contract has tokens and no other issuer is configured. */
  tokenOf(claims?: Claims): Promise<string>;
  /** Runs a job of the service now. No job runs by itself here. */
  runJob(name: string): Promise<void>;
}

/** Serves on a free port of 127.0.0.1 from a migrated database. Trusts one proxy. */
export async function startService<Types extends ContractTypes>(
  service: Service<Types>,
  url: string,
  { config, clock, ...overrides }: StartOptions<Types> = {},
): Promise<StartedService> {
  const issuer = service.tokens && !config?.OIDC_ISSUER ? await new TestIssuer().open() : undefined;
  if (clock) await withDatabase(service, url, (db) => clock.install(db));
  const DATABASE_URL = await servedUrl(service as unknown as Service, url);
  const defaults = loadConfig({ DATABASE_URL, LOG_LEVEL: process.env.LOG_LEVEL || 'silent', TRUST_PROXY: '1' });
  const { app, db, context, close } = await openService(
    service,
    { ...defaults, ...issuer?.own, ...config } as Config,
    clock ? { ...overrides, clock: clock.beside() } : overrides,
  );
  clock?.setIn(db);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const { usual, most } = plansOf(service.contract.plans);
  const createKey = (newKey: Partial<NewApiKey> = {}) =>
    insertApiKey(service, db, { name: 'test', plan: usual, ...newKey });
  // A caller without an owner has no rows where these have owners.
  const owner = Object.keys(service.tenants).length > 0 ? { owner: 'test' } : {};
  const { key: apiKey } = await createKey({ ...most, ...owner });
  return {
    app,
    db,
    origin,
    port: Number(new URL(origin).port),
    apiKey,
    createKey,
    async tokenOf(claims) {
      if (!issuer) throw new Error('No token is issued here: the contract has none, or another issuer is configured');
      return issuer.token(claims, {}, clock?.time);
    },
    async runJob(name) {
      if (!(await runJob(jobsOf(service as unknown as Service), name, { db, context })))
        throw new Error(`The job ${name} runs already`);
    },
    async close() {
      issuer?.close();
      await app.close();
      await close();
    },
  };
}

/** The plan with the most requests per minute, and what a key needs that no test exhausts. */
function plansOf(plans: Readonly<Record<string, PlanLimits>>) {
  const all = Object.entries(plans).sort(([, one], [, other]) => (other.perMinute ?? 0) - (one.perMinute ?? 0));
  const [usual = ''] = all[0] ?? [];
  const [custom] = all.find(([, { perMinute }]) => perMinute === null) ?? [];
  const most = custom === undefined ? { plan: usual } : { plan: custom, perMinute: 1_000_000, perDay: 1_000_000 };
  return { usual, most };
}
