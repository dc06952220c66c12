import { cpuTime } from './cpu.ts';
import type { Server } from './start.ts';
import type { Request } from './workloads.ts';
import { type Measured, wrk } from './wrk.ts';

/** Microseconds of CPU time per request; NaN without /proc. */
export interface Use extends Measured {
  serverCpu: number;
  postgresCpu: number;
}

/** Measures requests after a warm-up of one second, in which the server looks up keys and compiles code. */
export async function measureUse(
  { origin, pid }: Server,
  requests: Request[],
  { connections, seconds, postmaster }: { connections: number; seconds: number; postmaster: number },
): Promise<Use> {
  await wrk(origin, requests, { connections, seconds: 1 });
  const [server, postgres] = [cpuTime(pid), cpuTime(postmaster)];
  const measured = await wrk(origin, requests, { connections, seconds });
  const perRequest = (time: number) => (time * 1_000) / (measured.requestsPerSecond * seconds);
  const [serverCpu, postgresCpu] = [cpuTime(pid) - server, cpuTime(postmaster) - postgres].map(perRequest);
  return { ...measured, serverCpu: serverCpu as number, postgresCpu: postgresCpu as number };
}
