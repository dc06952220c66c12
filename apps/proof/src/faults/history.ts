/** What clients did and saw, and whether a service that keeps its word could have answered so. */

export interface Animal {
  id: number;
  name: string;
  categoryId: number;
  status?: string | undefined;
}

interface Timed {
  /** When it was asked for, and when the answer was there, in milliseconds of one clock. */
  begin: number;
  end: number;
}

/** Of an animal whose name nobody else uses. */
export interface Create extends Timed {
  asked: Omit<Animal, 'id'>;
  /**
   * `done`: acknowledged. `refused`: every attempt was answered with what says that nothing was stored. `unknown`: it may
   * or may not have been carried out.
   */
  outcome: 'done' | 'refused' | 'unknown';
  /** Of the acknowledgement. */
  id?: number;
}

/** A page of the list: what comes after an `id`, in ascending order. */
export interface Page extends Timed {
  /** Of the client that walks from page to page. Its pages are in the order in which it read them. */
  walk: string;
  after: number;
  /** Only those with this status. */
  status?: string;
  animals: Animal[];
  /** Whether there is a further page. Without one, all animals after `after` are here. */
  more: boolean;
}

/** One animal by its `id`. */
export interface Get extends Timed {
  id: number;
  /** Absent: there was none. */
  animal?: Animal;
}

export interface History {
  creates: Create[];
  pages: Page[];
  gets: Get[];
}

/**
 * Compares a history with what is stored in the end. The list is a set that only grows, so that it is linearizable exactly
 * when every read has what was known before it began, and nothing that was not asked for before it ended. Known is what was
 * acknowledged, or seen by any client: no client goes back in time, and none sees a time before that of another.
 *
 * @returns what was acknowledged and is not there, and whatever else cannot be
 */
export function check({ creates, pages, gets }: History, stored: Animal[]) {
  const losses: string[] = [];
  const failures: string[] = [];
  const byName = new Map(creates.map((create) => [create.asked.name, create]));

  // Every animal that anybody saw is one that was asked for, as it was asked for, and has its id to itself.
  const names = new Map<number, string>();
  const meet = ({ animal, end, where }: Sighting) => {
    const { id, name } = animal;
    const create = byName.get(name);
    const other = names.get(id) ?? name;
    if (!create) failures.push(`${where}: nobody asked for ${name} (${id})`);
    else if (!sameContent(create.asked, animal)) failures.push(`${where}: ${name} (${id}) is not what was asked for`);
    else if (create.outcome === 'refused') failures.push(`${where}: ${name} (${id}) was refused`);
    else if (create.begin > end) failures.push(`${where}: ${name} (${id}) was not asked for yet`);
    if (other !== name) failures.push(`${where}: ${name} has the id ${id} of ${other}`);
    names.set(id, name);
  };

  // When each id was known, to whomever.
  const known = new Map<number, { id: number; status: string | undefined; time: number }>();
  for (const sighting of sightings({ creates, pages, gets })) {
    meet(sighting);
    const { id, status } = sighting.animal;
    known.set(id, { id, status, time: Math.min(sighting.end, known.get(id)?.time ?? sighting.end) });
  }

  const ordered = [...known.values()].sort((a, b) => a.id - b.id);
  const look = (what: string, page: Page) => {
    const ids = page.animals.map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      const before = ids[index - 1] ?? page.after;
      if (id <= before) failures.push(`${what} is not in order: ${id} after ${before}`);
    }
    const last = page.more ? (ids.at(-1) ?? page.after) : Number.POSITIVE_INFINITY;
    const seen = new Set(ids);
    for (const { id, status, time } of ordered) {
      if (id > last) break;
      const wanted = id > page.after && (page.status === undefined || page.status === status);
      const expected = wanted && time < page.begin;
      if (expected && !seen.has(id))
        failures.push(`${what} misses ${id}, known ${(page.begin - time).toFixed(1)} ms before it was asked for`);
    }
  };
  for (const page of pages) look('a page', page);
  for (const walk of walksOf(pages)) look('a walk', walk);
  for (const { id, animal, begin } of gets) {
    if (animal && animal.id !== id) failures.push(`a get of ${id} brings ${animal.name} (${animal.id})`);
    const time = known.get(id)?.time ?? Number.POSITIVE_INFINITY;
    if (!animal && time < begin)
      failures.push(`a get does not find ${id}, known ${(begin - time).toFixed(1)} ms before it was asked for`);
  }

  for (const animal of stored) meet({ animal, end: Number.POSITIVE_INFINITY, where: 'in the end' });
  const copies = Map.groupBy(stored, ({ name }) => name);
  for (const { asked, outcome, id } of creates) {
    const found = copies.get(asked.name) ?? [];
    if (found.length > 1) failures.push(`${asked.name} is there ${found.length} times: ${found.map(({ id }) => id)}`);
    if (outcome === 'done' && !found.some((animal) => animal.id === id)) {
      losses.push(`${asked.name} was acknowledged as ${id} and is not there`);
    }
  }
  // The end is one more read: what anybody has seen is there, though whoever asked for it was told nothing.
  const there = new Set(stored.map(({ id }) => id));
  const acknowledged = new Set(creates.map(({ id }) => id));
  for (const { id } of ordered) {
    if (!there.has(id) && !acknowledged.has(id)) losses.push(`${names.get(id)} was seen as ${id} and is not there`);
  }
  return { losses, failures };
}

/**
 * Every walk as one page, asked for with its last one: ids ascend in the order in which they become visible, so that nothing
 * known by then can be behind its cursor.
 */
function walksOf(pages: Page[]): Page[] {
  return [...Map.groupBy(pages, ({ walk }) => walk).values()].map((walk) => {
    const animals = new Map(walk.flatMap((page) => page.animals.map((animal) => [animal.id, animal])));
    return { ...(walk.at(-1) as Page), after: (walk[0] as Page).after, animals: [...animals.values()] };
  });
}

interface Sighting {
  animal: Animal;
  end: number;
  where: string;
}

function sightings({ creates, pages, gets }: History): Sighting[] {
  return [
    ...creates.flatMap(({ asked, id, end }) =>
      id === undefined ? [] : [{ animal: { ...asked, id }, end, where: 'an acknowledgement' }],
    ),
    ...pages.flatMap(({ animals, end }) => animals.map((animal) => ({ animal, end, where: 'a page' }))),
    ...gets.flatMap(({ animal, end }) => (animal ? [{ animal, end, where: 'a get' }] : [])),
  ];
}

function sameContent(a: Omit<Animal, 'id'>, b: Omit<Animal, 'id'>): boolean {
  return a.name === b.name && a.categoryId === b.categoryId && a.status === b.status;
}
