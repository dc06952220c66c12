import { type Notes, useService } from './faults/client.ts';
import { inflict, linkFaults, processFaults } from './faults/faults.ts';
import { startFleet } from './faults/fleet.ts';
import { check } from './faults/history.ts';
import { createRandom } from './random.ts';
import type { Part } from './report.ts';

/** Two servers and their Postgres are killed, frozen and cut off under load. What was promised then has to be there. */

export interface FaultsOptions {
  /** How many. */
  faults: number;
  seed: number;
  /** Default: the server itself. */
  script?: string | undefined;
  environment?: Record<string, string>;
  onProgress(message: string): void;
}

const SERVERS = 2;
const CLIENTS = 8;

export async function proveFaults({ faults, seed, script, environment, onProgress }: FaultsOptions): Promise<Part> {
  const fleet = await startFleet(SERVERS, script, environment);
  try {
    const notes: Notes = { creates: [], pages: [], gets: [], codes: new Map(), unexpected: [], ids: [] };
    const ports = fleet.servers.map(({ clients }) => clients.port);
    const { apiKey } = fleet;
    const over = new AbortController();
    const clients = Array.from({ length: CLIENTS }, (_, index) => {
      const random = createRandom(seed * 1_000 + index);
      // Every other one does without the SDK's patience: then most faults reach the caller.
      const maxRetries = index % 2 === 0 ? 4 : 0;
      return useService({ name: `animal-${index}`, apiKey, ports, maxRetries, random, notes }, over.signal);
    });

    const tally = new Map<string, number>();
    let done = 0;
    const onFault = (name: string) => {
      tally.set(name, (tally.get(name) ?? 0) + 1);
      done += 1;
      onProgress(
        `faults: ${done} of ${faults}, ${name} (${notes.creates.length} creates, ${notes.pages.length + notes.gets.length} reads)`,
      );
    };
    const half = Math.floor(faults / 2);
    // At the same time, so that processes fail while connections do.
    await Promise.all([
      inflict(processFaults(fleet), { count: faults - half, random: createRandom(seed), onFault }),
      inflict(linkFaults(fleet), { count: half, random: createRandom(seed + 1), onFault }),
    ]);
    await Promise.all([...fleet.servers, fleet.postgres].map((each) => each.ready()));
    over.abort();
    await Promise.all(clients);

    const { losses, failures } = check(notes, await fleet.stored());
    const count = (outcome: string) => notes.creates.filter((create) => create.outcome === outcome).length;
    // A service that is always away breaks no promise either.
    if (count('done') < notes.creates.length / 10) failures.push('not even a tenth of the creates was acknowledged');
    const creates = `creates: ${count('done')} acknowledged, ${count('refused')} refused, ${count('unknown')} unknown`;
    const reads = notes.pages.length + notes.gets.length;
    const codes = [...notes.codes].map(([code, number]) => `${code} ${number}`).join(', ');
    return {
      name: 'Faults',
      rows: [
        { what: 'Faults', tried: done, failures: [], note: `${tally.size} kinds, ${SERVERS} servers; seed ${seed}` },
        {
          what: 'Creates and reads meanwhile',
          tried: notes.creates.length + reads,
          failures,
          losses,
          note: `${creates}; reads: ${reads}`,
        },
        {
          what: 'Errors that the SDK threw',
          tried: [...notes.codes.values()].reduce((sum, number) => sum + number, 0),
          failures: notes.unexpected,
          note: codes,
        },
      ],
      appendix: `## Faults\n\n| Fault | How often |\n|---|--:|\n${[...tally]
        .sort()
        .map(([name, number]) => `| ${name} | ${number} |`)
        .join('\n')}`,
    };
  } finally {
    await fleet.stop();
  }
}
