import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '@petstore/testkit/postgres';
import { createKey, freePort, serve, spawnServer } from '@petstore/testkit/server';

/** What all parts of the proof take. */
export interface Run {
  seed: number;
  /** Variables of the servers. */
  environment?: Record<string, string>;
  onProgress(message: string): void;
}

/** One server as it is deployed, beside a Postgres of its own unless the environment names one. */
export interface Service {
  port: number;
  origin: string;
  databaseUrl: string;
  /** With limits that no run reaches. */
  apiKey: string;
  /** How the server ended, if it has. */
  end(): string | undefined;
  /** What the server holds after a collection of its garbage, by its own metrics. */
  sample(): Promise<Sample>;
}

/** Bytes and numbers, 0 where the system does not tell them; the delay is the event loop's since the sample before, the 99th percentile in seconds. */
export type Sample = Record<'rss' | 'heap' | 'handles' | 'files' | 'delay', number>;

const METRICS: Record<keyof Sample, string> = {
  rss: 'process_resident_memory_bytes',
  heap: 'nodejs_heap_size_used_bytes',
  handles: 'nodejs_active_resources_total',
  files: 'process_open_fds',
  delay: 'nodejs_eventloop_lag_p99_seconds',
};

/**
 * For runs that ask what the answer to each request is: none is refused because this machine is busy, and each may come from
 * an address of its own, of which requests without a key are counted. So many refusals are part of the runs that nobody may
 * be banned for them.
 */
export const UNDISTURBED = { MAX_REQUESTS: '0', MAX_EVENT_LOOP_DELAY: '0', TRUST_PROXY: '1', BAN_AFTER: '9999999' };

/** Collects garbage on a signal. */
const COLLECT = "--expose-gc --import=data:text/javascript,process.on('SIGUSR2',()=>gc())";

export async function startService(
  run: AsyncDisposableStack,
  environment: Record<string, string> = {},
): Promise<Service> {
  const databaseUrl = environment.DATABASE_URL ?? run.adopt(await startPostgres(), ({ close }) => close()).url;
  const [port, metricsPort] = [await freePort(), await freePort()];
  const variables = {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'warn',
    METRICS_PORT: String(metricsPort),
    ...environment,
    NODE_OPTIONS: `${COLLECT} ${environment.NODE_OPTIONS ?? ''}`,
  };
  const { child, output, kill } = await serve(port, variables);
  run.defer(async () => void (await kill()));
  const apiKey = await createKey(databaseUrl);
  const end = () => {
    const code = child.exitCode ?? child.signalCode;
    return code === null ? undefined : `it ended with ${code}: ${output().slice(-1_000)}`;
  };
  const sample = async () => {
    child.kill('SIGUSR2');
    // The signal is handled in a later turn of the event loop than the request.
    await delay(100);
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers: { Connection: 'close' } });
    const text = await response.text();
    const read = (metric: string) => Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
    return Object.fromEntries(Object.entries(METRICS).map(([name, metric]) => [name, read(metric)])) as Sample;
  };
  const origin = `http://127.0.0.1:${port}`;
  return { port, origin, databaseUrl, apiKey, end, sample };
}

/** Runs `keys` as an operator does, and gives what it prints. */
export async function manageKeys(databaseUrl: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await spawnServer(['keys', ...args], { DATABASE_URL: databaseUrl }).finished;
  if (code !== 0) throw new Error(`keys ${args[0]}: ${stderr}`);
  return stdout;
}

/** @param plan - with its limits, as in `enterprise --per-minute 5 --per-day 10` */
export async function createKeyOf(databaseUrl: string, plan: string): Promise<{ id: number; key: string }> {
  return JSON.parse(await manageKeys(databaseUrl, 'create', '--name', 'proof', '--json', '--plan', ...plan.split(' ')));
}
