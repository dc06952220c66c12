import { cpuTime, cpuTimeOfAll } from './cpu.ts';
import type { Request } from './workloads.ts';
import { type Measured, wrk } from './wrk.ts';

/** A server, and the postmaster of its Postgres. */
export interface Measurable {
  origin: string;
  pid: number;
  postmaster: number;
}

/** Microseconds of CPU time per request; NaN without /proc. */
export interface Use extends Measured {
  serverCpu: number;
  postgresCpu: number;
}

/** Measures requests after a warm-up of one second, in which the server looks up keys and compiles code. */
export async function measureUse(
  { origin, pid, postmaster }: Measurable,
  requests: Request[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Use> {
  await wrk(origin, requests, { connections, seconds: 1 });
  const [server, postgres] = [cpuTime(pid), cpuTimeOfAll(postmaster)];
  const measured = await wrk(origin, requests, { connections, seconds });
  const perRequest = (time: number) => (time * 1_000) / (measured.requestsPerSecond * seconds);
  const [serverCpu, postgresCpu] = [cpuTime(pid) - server, cpuTimeOfAll(postmaster) - postgres].map(perRequest);
  return { ...measured, serverCpu: serverCpu as number, postgresCpu: postgresCpu as number };
}
