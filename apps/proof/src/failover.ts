import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@petstore-platform/testkit/eventually';
import { between, createRandom, type Random } from '@petstore-platform/testkit/random';
import { startPrimary } from './failover/pair.ts';
import { type Notes, openClient } from './faults/client.ts';
import { type Fleet, type Server, startFleet } from './faults/fleet.ts';
import { underLoad } from './faults/load.ts';
import type { Part } from './report.ts';
import type { With } from './service.ts';

/** Fails over from a lost primary to its synchronous standby, under load. */

/** Ways to lose the primary, in turn. */
const WAYS = ['its process is killed', 'the proxy is early', 'its network fails first', 'its machine is gone'] as const;

const SERVERS = 2;
/** Maximum milliseconds from a promotion to the first write: 10 seconds, tripled for a busy machine. */
const RECOVERY = 30_000;

/** @param synchronous - whether commits wait for the standby */
export async function proveFailover(options: With<'failovers'>, synchronous = true): Promise<Part> {
  const { failovers, seed, run, onProgress } = options;
  onProgress('starting a primary');
  const { primary: first, addStandby } = await startPrimary(run, synchronous);
  let primary = first;
  const fleet = await startFleet(run, SERVERS, primary.url);
  const random = createRandom(seed);
  const proxies = fleet.servers.map(({ database }) => database);
  const turnTo = ({ port }: { port: number }) => {
    for (const proxy of proxies) proxy.turn(port);
  };

  const times: number[] = [];
  const failures: string[] = [];
  const rows = await underLoad(fleet, seed, async (notes) => {
    const probes = openProbes(fleet, notes, random);
    for (let count = 0; count < failovers; count++) {
      const { standby, replication } = await addStandby(primary);
      await delay(between(random, 1_000, 3_000));
      const way = WAYS[count % WAYS.length] as (typeof WAYS)[number];
      if (way === 'its machine is gone') for (const proxy of proxies) proxy.freeze();
      else {
        if (way === 'its network fails first') {
          // Commits wait for the unreachable standby.
          await replication.cut();
          await delay(between(random, 200, 1_000));
        }
        primary.kill();
      }
      await delay(between(random, 0, 2_000));
      if (way === 'the proxy is early') {
        // A standby is read-only until it is promoted.
        turnTo(standby);
        await seeReadOnly(fleet).catch(({ message }) => failures.push(message));
      }
      await standby.query('select pg_promote()');
      const promoted = performance.now();
      turnTo(standby);
      await Promise.all(proxies.map((proxy) => proxy.mend()));
      await Promise.all(probes.map((write) => eventually('a server does not write again', write)));
      times.push(performance.now() - promoted);
      onProgress(`${count + 1} of ${failovers}, ${way}: servers write ${format(times.at(-1))} after the promotion`);
      primary.kill();
      fleet.databaseUrl = standby.url;
      primary = standby;
    }
  });
  const overdue = times.filter((time) => time > RECOVERY).map((time) => `servers took ${format(time)} to write again`);
  const note = `servers write again ${format(Math.max(...times))} after a promotion at most; seed ${seed}`;
  const what = 'Losses of the primary, with a synchronous standby';
  return { name: 'Failover', rows: [{ what, tried: failovers, failures: [...failures, ...overdue], note }, ...rows] };
}

/** Creates a pet through each server; recorded in the history, too. */
function openProbes({ servers, apiKey }: Fleet, notes: Notes, random: Random): (() => Promise<void>)[] {
  return servers.map(({ clients }, index) => {
    const of = { name: `probe-${index}`, apiKey, ports: [clients.port], maxRetries: 0, random, notes };
    const { create } = openClient(of);
    return async () => {
      if (!(await create())) throw new Error('a creation failed');
    };
  });
}

/** Waits until all servers report a read-only database in `/readyz`. */
async function seeReadOnly({ servers }: Fleet): Promise<void> {
  const see = async ({ readiness }: Server) => {
    const { ok, text } = await readiness();
    if (ok || !text.includes('read-only')) throw new Error(text);
  };
  const seen = servers.map((server) => eventually('/readyz with a read-only database', () => see(server), RECOVERY));
  await Promise.all(seen);
}

const format = (milliseconds = 0) => `${(milliseconds / 1_000).toFixed(1)} s`;
