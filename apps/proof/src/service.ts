import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '@petstore-platform/testkit/postgres';
import { freePort } from '@petstore-platform/testkit/server';
import { petstore } from './petstore.ts';

/** Options of all parts. */
export interface Run {
  seed: number;
  /** The processes and databases that the part starts. It is disposed after the part, because processes would outlive this one. */
  run: AsyncDisposableStack;
  /** Environment variables of the servers. */
  environment?: Record<string, string>;
  onProgress(message: string): void;
}

/** Options of a part with its own amounts, for example `With<'faults'>`. */
export type With<Amount extends string> = Run & Record<Amount, number>;

export type Service = Awaited<ReturnType<typeof startService>>;

/** `rss` and `heap` in bytes; `handles` and `files` without those of connections to Postgres; `delay`: p99 of the event-loop delay since the previous sample, in seconds. 0 where unavailable. */
export type Sample = Record<'rss' | 'heap' | 'handles' | 'files' | 'delay', number>;

const METRICS: Record<keyof Sample, string> = {
  rss: 'process_resident_memory_bytes',
  heap: 'nodejs_heap_size_used_bytes',
  handles: 'nodejs_active_resources_total',
  files: 'process_open_fds',
  delay: 'nodejs_eventloop_lag_p99_seconds',
};

/**
 * Settings for parts that check each response: no overload protection and no bans, and requests may name their client address, so
 * that those without a key stay within the limits.
 */
export const UNDISTURBED = { MAX_REQUESTS: '0', TRUST_PROXY: '1', BAN_AFTER: '9999999' };

/** Preload that collects garbage on SIGWINCH. */
const COLLECT = "--expose-gc --import=data:text/javascript,process.on('SIGWINCH',()=>gc())";

/** Starts a server with its own Postgres, unless the environment has DATABASE_URL. */
export async function startService(run: AsyncDisposableStack, environment: Record<string, string> = {}) {
  const databaseUrl = environment.DATABASE_URL ?? run.adopt(await startPostgres(), ({ close }) => close()).url;
  const metricsPort = await freePort();
  const variables = {
    DATABASE_URL: databaseUrl,
    PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
    METRICS_PORT: String(metricsPort),
    ...environment,
    NODE_OPTIONS: `${COLLECT} ${environment.NODE_OPTIONS ?? ''}`,
  };
  const { child, output, kill, origin, port } = await petstore.serve(variables, '--migrate');
  run.defer(async () => void (await kill()));
  const apiKey = await petstore.createKey(databaseUrl);
  /** Describes the server's exit; undefined while it runs. */
  const end = () => {
    const code = child.exitCode ?? child.signalCode;
    return code === null ? undefined : `it ended with ${code}: ${output().slice(-1_000)}`;
  };
  /** Runs a function while the server's process is stopped. What it sends reaches the server at once, afterwards. */
  const whileStopped = async <Result>(run: () => Promise<Result>) => {
    child.kill('SIGSTOP');
    try {
      return await run();
    } finally {
      child.kill('SIGCONT');
    }
  };
  const metrics = async (): Promise<Record<string, string>> => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers: { Connection: 'close' } });
    return Object.fromEntries((await response.text()).split('\n').map((line) => line.split(' ')));
  };
  /** The number of requests that the server has not answered. */
  const active = async () => Number((await metrics()).http_server_active_requests);
  /** Reads the server's metrics after a garbage collection. */
  const sample = async (): Promise<Sample> => {
    child.kill('SIGWINCH');
    // The signal is handled in a later turn of the event loop than the request.
    await delay(100);
    const values = await metrics();
    const sample = Object.fromEntries(
      Object.entries(METRICS).map(([name, metric]) => [name, Number(values[metric] ?? 0)]),
    ) as Sample;
    // Postgres' connections come and go with the load: each idle one has a socket and a timer.
    const pools = Object.entries(values).filter(([name]) => name.startsWith('db_client_connection_count'));
    const connections = pools.reduce((sum, [, count]) => sum + Number(count), 0);
    return { ...sample, handles: sample.handles - 2 * connections, files: sample.files - connections };
  };
  return { port, origin, apiKey, end, whileStopped, active, sample };
}
