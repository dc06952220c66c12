import { setTimeout as delay } from 'node:timers/promises';
import { between, type Random } from '@petstore-platform/testkit/random';
import type { TcpProxy } from '@petstore-platform/testkit/tcp-proxy';
import type { Server } from './fleet.ts';
import type { Postgres } from './postgres.ts';

/** A fault that begins and ends. */
export interface Fault {
  /** Name in the report, for example `server: SIGSTOP, SIGCONT`. */
  name: string;
  begin(): unknown;
  /** Resolves when everything works again. */
  end(): Promise<unknown>;
}

/** Duration of a fault in milliseconds: mostly below the clients' timeouts, sometimes above all timeouts. */
function duration(random: Random): number {
  return random() < 0.1 ? between(random, 5_000, 7_000) : between(random, 100, 1_500);
}

export function serverFaults({ signal, ready }: Server): Fault[] {
  const fault = (name: string, begin: () => unknown, end = ready) => ({ name: `server: ${name}`, begin, end });
  return [
    fault('SIGKILL, started again', () => signal('SIGKILL')),
    fault('SIGTERM, started again', () => signal('SIGTERM')),
    // A terminal sends it, and so does the parent process, which forwards it.
    fault('SIGTERM twice, started again', async () => {
      signal('SIGTERM');
      await delay(20);
      signal('SIGTERM');
    }),
    fault(
      'SIGSTOP, SIGCONT',
      () => signal('SIGSTOP'),
      async () => {
        signal('SIGCONT');
        await ready();
      },
    ),
  ];
}

export function postgresFaults(postgres: Postgres): Fault[] {
  const { signal, killBackend, panic, calm, freeze, resume, ready } = postgres;
  const fault = (name: string, begin: () => unknown, end = () => ready()) => ({
    name: `Postgres: ${name}`,
    begin,
    end,
  });
  const stop = fault('SIGSTOP of all its processes, SIGCONT', freeze, async () => {
    resume();
    await ready();
  });
  const crash = fault('PANIC of a commit, started again', panic, async () => {
    calm();
    // A Postgres that started without its log can wait for itself (18.4).
    await ready(10_000).catch(() => signal('SIGQUIT'));
    await ready();
  });
  const signals = ['SIGKILL', 'SIGINT', 'SIGQUIT'] as const;
  return [
    ...signals.map((name) => fault(`${name}, started again`, () => signal(name))),
    fault('SIGKILL of a backend', killBackend),
    crash,
    // Finding the children of Postgres needs Linux's /proc.
    ...(process.platform === 'linux' ? [stop] : []),
  ];
}

/** Faults of the connections through a proxy. */
export function proxyFaults(what: string, proxy: TcpProxy): Fault[] {
  const fault = (name: string, begin: () => unknown) => ({ name: `${what}: ${name}`, begin, end: proxy.mend });
  return [
    fault('cut', proxy.cut),
    fault('reset', proxy.reset),
    fault('dropping everything', proxy.freeze),
    fault('half-closed', proxy.halfClose),
    fault('slow', () => proxy.slow(150)),
  ];
}

/** Injects `count` faults, one at a time, in random order; none repeats before all others had their turn. */
export async function inflict(
  faults: Fault[],
  { count, random, onFault }: { count: number; random: Random; onFault(name: string): void },
): Promise<void> {
  const order = faults.map((fault) => ({ fault, place: random() })).sort((a, b) => a.place - b.place);
  for (let index = 0; index < count; index++) {
    const { fault } = order[index % order.length] as (typeof order)[number];
    onFault(fault.name);
    await fault.begin();
    await delay(duration(random));
    await fault.end();
    await delay(between(random, 0, 800));
  }
}
