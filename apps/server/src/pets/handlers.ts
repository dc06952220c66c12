import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { Handlers } from '../generated/operations.ts';
import { ApiError } from '../http/api-error.ts';
import { decodeCursor, nextPageLink } from '../http/pagination.ts';
import type { RequestContext } from '../http/routes.ts';
import { insertPet, selectPet, selectPets } from './queries.ts';

/** The operations of the contract. One that is missing here does not compile. */
export function createHandlers(db: Kysely<Database>): Handlers<RequestContext> {
  return {
    async listPets({ query }, { path }) {
      const { limit, status, cursor } = query;
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      // One more than asked for tells whether there is a next page.
      const pets = await selectPets(db, { limit: limit + 1, status, after });
      const body = pets.slice(0, limit);
      const last = body.at(-1);
      if (pets.length <= limit || !last) return { status: 200, body };
      return { status: 200, headers: { Link: nextPageLink(path, { limit, status }, last.id) }, body };
    },

    async createPet({ body }) {
      return { status: 201, body: await insertPet(db, body) };
    },

    async getPet({ path: { petId } }) {
      const pet = await selectPet(db, petId);
      if (!pet) throw new ApiError(404, `There is no animal ${petId}`);
      return { status: 200, body: pet };
    },
  };
}
