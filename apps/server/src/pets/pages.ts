import type { DatabaseHandle } from '../database/open.ts';
import type { Pet } from '../generated/operations.ts';
import { type PetsQuery, selectPets } from './queries.ts';

/** A page of the list. */
export interface Page {
  /** Not to be changed: all requests for this page share it. */
  pets: Pet[];
  /** Whether animals come after these. */
  more: boolean;
  /** The link to these, written by the first request that says it. */
  link?: string;
}

/** Requests with the same key ask for the same page. */
export function pageKey({ limit, ...from }: PetsQuery): string {
  return `${walkKey(from)} ${limit}`;
}

/** The pages of many queries. Those that differ in their limit only are read once, and get as much of it as they asked for. */
export async function selectPages(db: DatabaseHandle, queries: PetsQuery[]): Promise<Page[]> {
  const walks = new Map<string, PetsQuery>();
  for (const query of queries) {
    const key = walkKey(query);
    // One more than asked for tells whether there are more.
    const limit = Math.max(query.limit + 1, walks.get(key)?.limit ?? 0);
    walks.set(key, { ...query, limit });
  }
  const found = await selectPets(db, [...walks.values()]);
  return queries.map((query) => {
    const pets = found.get(walks.get(walkKey(query)) as PetsQuery) as Pet[];
    return { pets: pets.slice(0, query.limit), more: pets.length > query.limit };
  });
}

function walkKey({ status, after }: Omit<PetsQuery, 'limit'>): string {
  return `${status} ${after}`;
}
