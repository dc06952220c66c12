import { withClient } from '@petstore/testkit/postgres';
import { createRandom } from '../random.ts';
import type { Row } from '../report.ts';
import { keepCalling, type Notes, openClient } from './client.ts';
import type { Fleet } from './fleet.ts';
import { type Animal, check } from './history.ts';

const CLIENTS = 8;

/** Lets clients call a fleet while `work` goes on, and compares what they saw with what is stored in the end. */
export async function underLoad(fleet: Fleet, seed: number, work: (notes: Notes) => Promise<unknown>): Promise<Row[]> {
  const notes: Notes = { creates: [], pages: [], gets: [], codes: new Map(), unexpected: [], ids: [] };
  const ports = fleet.servers.map(({ clients }) => clients.port);
  const over = new AbortController();
  const clients = Array.from({ length: CLIENTS }, (_, index) => {
    const random = createRandom(seed * 1_000 + index);
    // Every other one does without the SDK's patience: then most faults reach the caller.
    const maxRetries = index % 2 === 0 ? 4 : 0;
    const client = openClient({ name: `animal-${index}`, apiKey: fleet.apiKey, ports, maxRetries, random, notes });
    return keepCalling(client, random, over.signal);
  });
  try {
    await work(notes);
    await Promise.all(fleet.servers.map((server) => server.ready()));
  } finally {
    over.abort();
    await Promise.all(clients);
  }

  const { losses, failures } = check(notes, await stored(fleet.databaseUrl));
  const count = (outcome: string) => notes.creates.filter((create) => create.outcome === outcome).length;
  // A service that is always away breaks no promise either.
  if (count('done') < notes.creates.length / 10) failures.push('not even a tenth of the creates was acknowledged');
  const creates = `creates: ${count('done')} acknowledged, ${count('refused')} refused, ${count('unknown')} unknown`;
  const walks = new Set(notes.pages.map(({ walk }) => walk)).size;
  const reads = notes.pages.length + notes.gets.length;
  return [
    {
      what: 'Creates and reads meanwhile',
      tried: notes.creates.length + reads,
      failures,
      losses,
      note: `${creates}; reads: ${reads}, ${walks} walks`,
    },
    {
      what: 'Errors that the SDK threw',
      tried: [...notes.codes.values()].reduce((sum, number) => sum + number, 0),
      failures: notes.unexpected,
      note: [...notes.codes].map(([code, number]) => `${code} ${number}`).join(', '),
    },
  ];
}

async function stored(databaseUrl: string): Promise<Animal[]> {
  const statement = 'select id::float8, name, category_id::float8 as "categoryId", status from pets order by id';
  const { rows } = await withClient(databaseUrl, (client) => client.query(statement));
  return rows.map(({ status, ...animal }) => (status ? { ...animal, status } : animal));
}
