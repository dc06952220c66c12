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

export interface Verdict {
  /** What was acknowledged and is not there. */
  losses: string[];
  /** Whatever else cannot be. */
  failures: string[];
}

/**
 * Compares a history with what is stored in the end. The list is a set that only grows, so that it is linearizable exactly
 * when every read has what was known before it began, and nothing that was not asked for before it ended. Known is what was
 * acknowledged, or seen by any client: no client goes back in time, and none sees a time before that of another.
 */
export function check({ creates, pages, gets }: History, stored: Animal[]): Verdict {
  const losses: string[] = [];
  const failures: string[] = [];
  const byName = new Map(creates.map((create) => [create.asked.name, create]));

  // Every animal that anybody saw is one that was asked for, as it was asked for, and has its id to itself.
  const names = new Map<number, string>();
  const meet = (animal: Animal, end: number, where: string) => {
    const { id, name } = animal;
    const create = byName.get(name);
    if (!create) failures.push(`${where}: nobody asked for ${describe(animal)}`);
    else if (!sameContent(create.asked, animal))
      failures.push(`${where}: ${describe(animal)} is not what was asked for`);
    else if (create.outcome === 'refused') failures.push(`${where}: ${describe(animal)} was refused`);
    else if (create.begin > end) failures.push(`${where}: ${describe(animal)} was not asked for yet`);
    const other = names.get(id) ?? name;
    if (other !== name) failures.push(`${where}: ${name} has the id ${id} of ${other}`);
    names.set(id, name);
  };

  // When each id was known, to whomever.
  const known = new Map<number, Known>();
  const learn = ({ id, status }: { id: number; status?: string | undefined }, time: number) => {
    const entry = known.get(id);
    if (!entry || time < entry.time) known.set(id, { id, status, time });
  };
  for (const { asked, outcome, id, end } of creates) {
    if (outcome !== 'done' || id === undefined) continue;
    meet({ ...asked, id }, end, 'an acknowledgement');
    learn({ id, status: asked.status }, end);
  }
  for (const { animals, end } of pages) {
    for (const animal of animals) {
      meet(animal, end, 'a page');
      learn(animal, end);
    }
  }
  for (const { id, animal, end } of gets) {
    if (!animal) continue;
    if (animal.id !== id) failures.push(`a get of ${id} brings ${describe(animal)}`);
    meet(animal, end, 'a get');
    learn(animal, end);
  }

  const ordered = [...known.values()].sort((a, b) => a.id - b.id);
  for (const page of pages) {
    const ids = page.animals.map(({ id }) => id);
    if (ids.some((id, index) => id <= (ids[index - 1] ?? page.after))) failures.push(`a page is not in order: ${ids}`);
    const last = page.more ? (ids.at(-1) ?? page.after) : Number.POSITIVE_INFINITY;
    const seen = new Set(ids);
    for (let index = firstAfter(ordered, page.after); index < ordered.length; index++) {
      const { id, status, time } = ordered[index] as Known;
      if (id > last) break;
      const expected = time < page.begin && (page.status === undefined || page.status === status);
      if (expected && !seen.has(id))
        failures.push(`a page misses ${id}, known ${ms(page.begin - time)} before it began`);
    }
  }
  for (const { id, animal, begin } of gets) {
    const time = known.get(id)?.time ?? Number.POSITIVE_INFINITY;
    if (!animal && time < begin) failures.push(`a get does not find ${id}, known ${ms(begin - time)} before it began`);
  }

  const copies = new Map<string, Animal[]>();
  for (const animal of stored) {
    meet(animal, Number.POSITIVE_INFINITY, 'in the end');
    copies.set(animal.name, [...(copies.get(animal.name) ?? []), animal]);
  }
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

interface Known {
  id: number;
  status: string | undefined;
  time: number;
}

/** The index of the first id after `after`. */
function firstAfter(ordered: Known[], after: number): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle] as Known).id > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

function sameContent(a: Omit<Animal, 'id'>, b: Omit<Animal, 'id'>): boolean {
  return a.name === b.name && a.categoryId === b.categoryId && a.status === b.status;
}

const describe = ({ id, name }: Animal) => `${name} (${id})`;
const ms = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
