/** Checks whether the calls of all clients form a linearizable history. */
import type { NewPet, Pet } from '@petstore/client';

interface Timed {
  /** Times of the call and its response, in milliseconds of one clock. */
  begin: number;
  end: number;
}

/** Each create has a unique name. */
export interface Create extends Timed {
  newPet: NewPet;
  /**
   * `done`: acknowledged. `refused`: every attempt got an error that rules out a stored pet. `unknown`: the pet may or may
   * not be stored.
   */
  outcome: 'done' | 'refused' | 'unknown';
  /** The acknowledged id. */
  id?: number;
}

/** A page of the list: pets after an id, in ascending order. */
export interface Page extends Timed {
  /** Name of the walk, whose pages are in the order in which they were read. */
  walk: string;
  after: number;
  /** The status filter. */
  status?: string;
  pets: Pet[];
  /** Whether a next page exists. If not, the page has all pets after `after`. */
  more: boolean;
}

/** A pet by its id. */
interface Get extends Timed {
  id: number;
  /** Absent: not found. */
  pet?: Pet;
}

export interface History {
  creates: Create[];
  pages: Page[];
  gets: Get[];
}

/**
 * Compares a history with the rows stored in the end. The list is a set that only grows, so it is linearizable exactly when
 * every read has all pets known before it began, and no pet requested after it ended. A pet is known once it was acknowledged
 * or read by any client.
 *
 * @returns losses: acknowledged or read pets that are not stored; failures: all other contradictions
 */
export function check({ creates, pages, gets }: History, stored: Pet[]) {
  const losses: string[] = [];
  const failures: string[] = [];
  const byName = new Map(creates.map((create) => [create.newPet.name, create]));

  // Every pet that was read matches a create, and no two share an id.
  const names = new Map<number, string>();
  const meet = ({ pet, end, where }: Sighting) => {
    const { id, name } = pet;
    const create = byName.get(name);
    const other = names.get(id) ?? name;
    if (!create) failures.push(`${where}: no create for ${name} (${id})`);
    else if (!sameContent(create.newPet, pet)) failures.push(`${where}: ${name} (${id}) differs from its create`);
    else if (create.outcome === 'refused') failures.push(`${where}: ${name} (${id}) was refused`);
    else if (create.begin > end) failures.push(`${where}: ${name} (${id}) was read before its create`);
    if (other !== name) failures.push(`${where}: ${name} has the id ${id} of ${other}`);
    names.set(id, name);
  };

  // When each id was first known to any client.
  const sighted = new Map<number, { id: number; status: string | undefined; time: number }>();
  for (const sighting of sightings({ creates, pages, gets })) {
    meet(sighting);
    const { id, status } = sighting.pet;
    sighted.set(id, { id, status, time: Math.min(sighting.end, sighted.get(id)?.time ?? sighting.end) });
  }

  const ordered = [...sighted.values()].sort((a, b) => a.id - b.id);
  const look = (what: string, page: Page) => {
    const ids = page.pets.map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      const before = ids[index - 1] ?? page.after;
      if (id <= before) failures.push(`${what} is not in order: ${id} after ${before}`);
    }
    const last = page.more ? (ids.at(-1) ?? page.after) : Number.POSITIVE_INFINITY;
    const seen = new Set(ids);
    for (const { id, status, time } of ordered) {
      if (id > last) break;
      const wanted = id > page.after && (page.status === undefined || page.status === status);
      if (wanted && time < page.begin && !seen.has(id))
        failures.push(`${what} misses ${id}, known ${(page.begin - time).toFixed(1)} ms before the request`);
    }
  };
  for (const page of pages) look('a page', page);
  for (const walk of walksOf(pages)) look('a walk', walk);
  for (const { id, pet, begin } of gets) {
    if (pet && pet.id !== id) failures.push(`a get of ${id} returns ${pet.name} (${pet.id})`);
    const time = sighted.get(id)?.time ?? Number.POSITIVE_INFINITY;
    if (!pet && time < begin)
      failures.push(`a get does not find ${id}, known ${(begin - time).toFixed(1)} ms before the request`);
  }

  for (const pet of stored) meet({ pet, end: Number.POSITIVE_INFINITY, where: 'in the end' });
  const copies = Map.groupBy(stored, ({ name }) => name);
  for (const { newPet, outcome, id } of creates) {
    const found = copies.get(newPet.name) ?? [];
    if (found.length > 1) failures.push(`${newPet.name} is stored ${found.length} times: ${found.map(({ id }) => id)}`);
    if (outcome === 'done' && !found.some((pet) => pet.id === id)) {
      losses.push(`${newPet.name} was acknowledged as ${id} but is not stored`);
    }
  }
  // The final rows are one more read: pets that were read are stored, even if their create is unacknowledged.
  const there = new Set(stored.map(({ id }) => id));
  const acknowledged = new Set(creates.map(({ id }) => id));
  for (const { id } of ordered) {
    if (!there.has(id) && !acknowledged.has(id)) losses.push(`${names.get(id)} was read as ${id} but is not stored`);
  }
  return { losses, failures };
}

/**
 * Merges each walk into one page with the times of its last: ids ascend in the order in which they become visible, so a pet
 * known by then cannot appear behind the cursor.
 */
function walksOf(pages: Page[]): Page[] {
  return [...Map.groupBy(pages, ({ walk }) => walk).values()].map((walk) => {
    const pets = new Map(walk.flatMap((page) => page.pets.map((pet) => [pet.id, pet])));
    return { ...(walk.at(-1) as Page), after: (walk[0] as Page).after, pets: [...pets.values()] };
  });
}

interface Sighting {
  pet: Pet;
  end: number;
  where: string;
}

function sightings({ creates, pages, gets }: History): Sighting[] {
  return [
    ...creates.flatMap(({ newPet, id, end }) =>
      id === undefined ? [] : [{ pet: { ...newPet, id }, end, where: 'an acknowledgement' }],
    ),
    ...pages.flatMap(({ pets, end }) => pets.map((pet) => ({ pet, end, where: 'a page' }))),
    ...gets.flatMap(({ pet, end }) => (pet ? [{ pet, end, where: 'a get' }] : [])),
  ];
}

function sameContent(a: NewPet, b: NewPet): boolean {
  return a.name === b.name && a.categoryId === b.categoryId && a.status === b.status;
}
