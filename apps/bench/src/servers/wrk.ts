import { execFile } from 'node:child_process';
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
  const file = path.join(folder.path, 'requests.tsv');
  await writeFile(
    file,
    requests.map(({ method, path, key, body = '' }) => `${[method, path, key, body].join('\t')}\n`).join(''),
  );
  await writeFile(script, lua(requests, file));
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, origin];
  const { stdout } = await run('wrk', args).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('wrk is missing (Debian: apt-get install wrk)') : error;
  });
  const { errors, ...measured } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured & { errors: number };
  if (errors > 0) throw new Error(`${errors} requests to ${origin} failed`);
  return measured;
}

/** The script of wrk. A run starts at a random request of the cycle, because a run with few connections does not complete it. */
function lua(requests: Request[], file: string): string {
  return `
local requests = {}
function init()
  for line in io.lines('${file}') do
    local method, path, key, body = line:match('(.*)\t(.*)\t(.*)\t(.*)')
    local headers = {Host="localhost", Authorization="Bearer " .. key}
    if body ~= '' then headers["Content-Type"] = "application/json" else body = nil end
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
end
local next = ${Math.floor(Math.random() * requests.length)}
function request()
  next = next % #requests + 1
  return requests[next]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requestsPerSecond":%f,"p50":%f,"p99":%f,"errors":%d}\\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}
