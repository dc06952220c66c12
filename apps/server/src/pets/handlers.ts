import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { Handlers } from '../generated/operations.ts';
import { ApiError } from '../http/api-error.ts';
import { decodeCursor, nextPageLink } from '../http/pagination.ts';
import type { RequestContext } from '../http/routes.ts';
import { insertPetOnce } from './insert-once.ts';
import { insertPet, selectPet, selectPets } from './queries.ts';

/** The operations of the contract. One that is missing here does not compile. */
export function createHandlers(db: Kysely<Database>, now: () => number): Handlers<RequestContext> {
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

    async createPet({ headers, body }, { apiKey }) {
      const key = headers['Idempotency-Key'];
      if (key === undefined) return { status: 201, body: await insertPet(db, body) };
      const inserted = await insertPetOnce(db, body, { apiKeyId: apiKey.id, key: unquoted(key), now: now() });
      if (inserted.outcome === 'in use') throw idempotencyKeyInUse();
      if (inserted.outcome === 'reused') throw idempotencyKeyReused();
      return { status: 201, body: inserted.pet };
    },

    async getPet({ path: { petId } }) {
      const pet = await selectPet(db, petId);
      if (!pet) throw new ApiError(404, `There is no animal ${petId}`);
      return { status: 200, body: pet };
    },
  };
}

/** The draft writes the key as a quoted string; most clients do not. Both are the same key. */
function unquoted(key: string): string {
  return key.replace(/^"(.*)"$/, '$1');
}

function idempotencyKeyInUse(): ApiError {
  const message = 'A request with this Idempotency-Key is still running';
  return new ApiError(409, message, { code: 'idempotency_key_in_use', headers: { 'Retry-After': '1' } });
}

function idempotencyKeyReused(): ApiError {
  return new ApiError(422, 'This Idempotency-Key was used with another body', { code: 'idempotency_key_reused' });
}
