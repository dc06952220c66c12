import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Request } from './workloads.ts';

const run = promisify(execFile);

export interface Measured {
  requestsPerSecond: number;
  /** Median and 99th percentile of the latency, in milliseconds. */
  p50: number;
  p99: number;
}

/**
 * Generates load with wrk, which takes less CPU from the servers than a generator in JavaScript.
 *
 * @throws Error when wrk is missing or a request failed
 */
export async function wrk(
  origin: string,
  requests: Request[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Measured> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'petstore-wrk-'));
  const script = path.join(folder.path, 'requests.lua');
  await writeFile(script, lua(requests));
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, origin];
  const { stdout } = await run('wrk', args).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('wrk is missing (Debian: apt-get install wrk)') : error;
  });
  const { errors, ...measured } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured & { errors: number };
  if (errors > 0) throw new Error(`${errors} requests to ${origin} failed`);
  return measured;
}

/** Replaced in each request. */
const KEY = 'IDEMPOTENCY_KEY';

function lua(requests: Request[]): string {
  const lines = requests.map(({ method, path, key, body, isKeyed }) => {
    const headers = [
      `Authorization="Bearer ${key}"`,
      ...(body ? ['["Content-Type"]="application/json"'] : []),
      ...(isKeyed ? [`["Idempotency-Key"]="${KEY}"`] : []),
    ];
    return `wrk.format(${JSON.stringify(method)}, ${JSON.stringify(path)}, {Host="localhost", ${headers}}${body ? `, ${JSON.stringify(body)}` : ''})`;
  });
  const isKeyed = requests.some((request) => request.isKeyed);
  return `
local requests
function init() requests = { ${lines.join(',\n')} } end
local next = 0
local sent = 0
function request()
  next = next % #requests + 1
${isKeyed ? `  sent = sent + 1\n  return (requests[next]:gsub('${KEY}', '${randomUUID()}' .. sent, 1))` : '  return requests[next]'}
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requestsPerSecond":%f,"p50":%f,"p99":%f,"errors":%d}\\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}
