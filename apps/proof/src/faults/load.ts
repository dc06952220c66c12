import { setTimeout as delay } from 'node:timers/promises';
import type { Pet } from '@petstore/client';
import { withClient } from '@petstore-platform/testkit/postgres';
import { createRandom, pick } from '@petstore-platform/testkit/random';
import type { Row } from '../report.ts';
import { type Notes, openClient } from './client.ts';
import type { Fleet } from './fleet.ts';
import { check } from './history.ts';
import { openRepetitions } from './repetitions.ts';

const CLIENTS = 8;
/** Milliseconds between two calls of a client. */
const CALL_PAUSE = 15;

/** Runs clients against a fleet during `work`, then checks their history against the stored rows. */
export async function underLoad(fleet: Fleet, seed: number, work: (notes: Notes) => Promise<unknown>): Promise<Row[]> {
  const notes: Notes = { creates: [], pages: [], gets: [], codes: new Map(), unexpected: [] };
  // These animals count as acknowledged.
  const end = performance.now();
  for (const { id, ...newPet } of await stored(fleet.databaseUrl))
    notes.creates.push({ begin: 0, end, newPet, outcome: 'done', id });
  const ports = fleet.servers.map(({ clients }) => clients.port);
  const repetitions = openRepetitions(fleet);
  const over = new AbortController();
  const clients = Array.from({ length: CLIENTS }, (_, index) => {
    const random = createRandom(seed * 1_000 + index);
    // Every other client disables retries, so that most faults reach the caller.
    const maxRetries = index % 2 === 0 ? 4 : 0;
    const of = { name: `pet-${index}`, apiKey: fleet.apiKey, ports, maxRetries, random, notes };
    const { create, readPage, get } = openClient(of);
    const keepCalling = async () => {
      for (; !over.signal.aborted; await delay(CALL_PAUSE)) await pick(random, [create, create, readPage, get])();
    };
    return Promise.all([keepCalling(), repetitions.keepRepeating(random, over.signal)]);
  });
  try {
    await work(notes);
    await Promise.all(fleet.servers.map((server) => server.ready()));
  } finally {
    over.abort();
    await Promise.all(clients);
  }

  // The history is of the clients' pets.
  const others = new Set(repetitions.added.get('/v1/pets'));
  const withoutOthers = (pets: Pet[]) => pets.filter(({ id }) => !others.has(id));
  const pages = notes.pages.map((page) => ({ ...page, pets: withoutOthers(page.pets) }));
  const { losses, failures } = check({ ...notes, pages }, withoutOthers(await stored(fleet.databaseUrl)));
  const count = (outcome: string) => notes.creates.filter((create) => create.outcome === outcome).length;
  // An unavailable service would have a clean history, too.
  if (count('done') < notes.creates.length / 10) failures.push('not even a tenth of the creates was acknowledged');
  const creates = `creates: ${count('done')} acknowledged, ${count('refused')} refused, ${count('unknown')} unknown`;
  const walks = new Set(notes.pages.map(({ walk }) => walk)).size;
  const reads = notes.pages.length + notes.gets.length;
  return [
    {
      what: 'Creates and reads during the faults',
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
    repetitions.row(),
  ];
}

async function stored(databaseUrl: string): Promise<Pet[]> {
  return withClient(databaseUrl, async (client) => {
    const pets = 'select id::float8, name, category_id::float8 as "categoryId", status from pets order by id';
    const { rows } = await client.query(pets);
    return rows.map(({ status, ...pet }) => (status ? { ...pet, status } : pet));
  });
}
