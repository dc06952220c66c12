import { setTimeout as delay } from 'node:timers/promises';
import type { Link } from '@petstore/testkit/link';
import { between, type Random } from '../random.ts';
import type { Fleet } from './fleet.ts';
import type { Postgres } from './postgres.ts';

/** Something that goes wrong, and is over after a while. */
export interface Fault {
  /** As in `server 2: SIGSTOP`. */
  name: string;
  begin(): unknown;
  /** Resolves when everything works again. */
  end(): Promise<unknown>;
}

/** How long in milliseconds a fault lasts: mostly less than clients wait, now and then more than any time limit. */
function duration(random: Random): number {
  return random() < 0.1 ? between(random, 5_000, 7_000) : between(random, 100, 1_500);
}

/** What can happen to processes. */
export function processFaults({ servers }: Fleet, postgres: Postgres): Fault[] {
  const ofServers = servers.flatMap((server) => [
    ...(['SIGKILL', 'SIGTERM'] as const).map((signal) => ({
      name: `server: ${signal}, started again`,
      begin: () => server.signal(signal),
      end: server.ready,
    })),
    {
      // As from a terminal and a parent process, or from a process group and its leader.
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
    { name: 'Postgres: SIGKILL of a backend', begin: postgres.killBackend, end: postgres.ready },
  ];
  const freeze: Fault = {
    name: 'Postgres: SIGSTOP of all its processes, SIGCONT',
    begin: () => postgres.signalAll('SIGSTOP'),
    end: async () => {
      postgres.signalAll('SIGCONT');
      await postgres.ready();
    },
  };
  // Only Linux tells which processes are Postgres'.
  return [...ofServers, ...ofPostgres, ...(process.platform === 'linux' ? [freeze] : [])];
}

/** What can happen to connections. */
export function linkFaults({ servers }: Fleet): Fault[] {
  const of = (what: string, link: Link): Fault[] => {
    const fault = (name: string, begin: () => unknown) => ({ name: `${what}: ${name}`, begin, end: link.mend });
    return [
      fault('cut', link.cut),
      fault('reset', link.reset),
      fault('dropping everything', link.freeze),
      fault('half-closed', link.halfClose),
      fault('slow', () => link.slow(150)),
    ];
  };
  return servers.flatMap(({ clients, database }) => [
    ...of('server to Postgres', database),
    ...of('client to server', clients),
  ]);
}

/** Lets `count` faults of a kind happen one after the other, every one once before any comes again. */
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
