import { setTimeout as delay } from 'node:timers/promises';
import type { Link } from '@petstore/testkit/link';
import { between, type Random } from '../random.ts';
import type { Fleet } from './fleet.ts';
import type { Postgres } from './postgres.ts';

/** A fault that begins and ends. */
export interface Fault {
  /** For example `server: SIGSTOP, SIGCONT`. */
  name: string;
  begin(): unknown;
  /** Resolves when everything works again. */
  end(): Promise<unknown>;
}

/** Duration of a fault in milliseconds: mostly below the clients' timeouts, sometimes above all timeouts. */
function duration(random: Random): number {
  return random() < 0.1 ? between(random, 5_000, 7_000) : between(random, 100, 1_500);
}

/** Faults of processes. */
export function processFaults({ servers }: Fleet, postgres: Postgres): Fault[] {
  const ofServers = servers.flatMap((server) => [
    ...(['SIGKILL', 'SIGTERM'] as const).map((signal) => ({
      name: `server: ${signal}, started again`,
      begin: () => server.signal(signal),
      end: server.ready,
    })),
    {
      // As from a terminal and the parent process, which forwards it.
      name: 'server: SIGTERM twice, started again',
      begin: async () => {
        server.signal('SIGTERM');
        await delay(20);
        server.signal('SIGTERM');
      },
      end: server.ready,
    },
    {
      name: 'server: SIGSTOP, SIGCONT',
      begin: () => server.signal('SIGSTOP'),
      end: async () => {
        server.signal('SIGCONT');
        await server.ready();
      },
    },
  ]);
  const ofPostgres: Fault[] = [
    ...(['SIGKILL', 'SIGINT', 'SIGQUIT'] as const).map((signal) => ({
      name: `Postgres: ${signal}, started again`,
      begin: () => postgres.signal(signal),
      end: postgres.ready,
    })),
  ];
  return [...ofServers, ...ofPostgres, ...nodeFaults('Postgres', postgres)];
}

/** Faults of a Postgres that nobody starts again. */
export function nodeFaults(what: string, postgres: Postgres): Fault[] {
  const crash: Fault = { name: `${what}: SIGKILL of a backend`, begin: postgres.killBackend, end: postgres.ready };
  const freeze: Fault = {
    name: `${what}: SIGSTOP of all its processes, SIGCONT`,
    begin: () => postgres.signalAll('SIGSTOP'),
    end: async () => {
      postgres.signalAll('SIGCONT');
      await postgres.ready();
    },
  };
  // Finding the children of Postgres needs Linux's /proc.
  return process.platform === 'linux' ? [crash, freeze] : [crash];
}

/** Faults of connections. */
export function linkFaults({ servers }: Fleet): Fault[] {
  return servers.flatMap(({ clients, database }) => [
    ...faultsOf('server to Postgres', database),
    ...faultsOf('client to server', clients),
  ]);
}

export function faultsOf(what: string, link: Link): Fault[] {
  const fault = (name: string, begin: () => unknown) => ({ name: `${what}: ${name}`, begin, end: link.mend });
  return [
    fault('cut', link.cut),
    fault('reset', link.reset),
    fault('dropping everything', link.freeze),
    fault('half-closed', link.halfClose),
    fault('slow', () => link.slow(150)),
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
