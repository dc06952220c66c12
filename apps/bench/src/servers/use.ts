import { cpuTime, cpuTimeOfAll } from './cpu.ts';
import type { Request } from './workloads.ts';
import { type Measured, wrk } from './wrk.ts';

/** A server and the processes of its Postgres. */
export interface Measurable {
  origin: string;
  pid: number;
  pids: number[];
  /** Milliseconds of CPU time that each of these processes takes per second without requests. Default: 0 */
  idle?: number[];
}

/** Microseconds of CPU time per request; NaN without /proc. */
export interface Use extends Measured {
  serverCpu: number;
  postgresCpu: number;
  /** Microseconds of CPU time per request on each node. */
  nodesCpu: number[];
}

/** Measures requests after a warm-up of one second, in which the server looks up keys and compiles code. */
export async function measureUse(
  { origin, pid, pids, idle = [] }: Measurable,
  requests: Request[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Use> {
  await wrk(origin, requests, { connections, seconds: 1 });
  const cpu = () => [cpuTime(pid), ...pids.map(cpuTimeOfAll)];
  const before = cpu().map((time, i) => time + (idle[i - 1] ?? 0) * seconds);
  const measured = await wrk(origin, requests, { connections, seconds });
  const count = measured.requestsPerSecond * seconds;
  const [serverCpu = 0, ...nodesCpu] = cpu().map((time, i) => ((time - (before[i] ?? 0)) * 1_000) / count);
  return { ...measured, serverCpu, postgresCpu: nodesCpu.reduce((sum, each) => sum + each, 0), nodesCpu };
}
