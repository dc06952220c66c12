import type { RequestContext } from '../api/plugin.ts';
import { Batcher } from '../batcher.ts';
import type { DatabaseHandle } from '../database/open.ts';
import type { CreatePetResponse, Handlers } from '../generated/operations.ts';
import { ApiError } from '../http/errors.ts';
import { type Created, createPet, createPets, type PetCreation } from './create.ts';
import { decodeCursor, nextPageLink } from './cursor.ts';
import { BEGINNING, type PageQuery, pageKey, selectPages, selectPetsById } from './read.ts';

/**
 * The operations of the contract. A missing one does not compile.
 *
 * Concurrent requests share statements, one for each operation.
 */
export function createHandlers(db: DatabaseHandle): Handlers<RequestContext> {
  const pages = new Batcher((queries: PageQuery[]) => selectPages(db, queries), pageKey);
  const pets = new Batcher((ids: number[]) => selectPetsById(db, ids));
  const creations = new Batcher((requests: PetCreation[]) => createPets(db, requests));
  // Idempotency keys in progress. A batch must not contain one twice.
  const running = new Set<string>();

  return {
    listPets({ query }, { path }) {
      const { limit, status, cursor } = query;
      const after = cursor === undefined ? BEGINNING : decodeCursor(cursor);
      return pages.submit({ limit, status, after }).then((page) => {
        const { pets: body, next } = page;
        if (next === null) return { status: 200, body };
        page.link ??= nextPageLink(path, { limit, status }, next);
        return { status: 200, headers: { Link: page.link }, body };
      });
    },

    async createPet({ headers, body: newPet }, { apiKey: { id: apiKeyId } }) {
      const key = headers['Idempotency-Key']?.replace(QUOTED, '$1');
      if (key === undefined) return created(await creations.submit({ newPet, apiKeyId }));
      const creation = { newPet, apiKeyId, key };
      const request = `${apiKeyId} ${key}`;
      // Bypass the batch: Postgres answers "in use" or the stored result.
      if (running.has(request)) return created(await createPet(db, creation));
      running.add(request);
      try {
        return created(await creations.submit(creation));
      } finally {
        running.delete(request);
      }
    },

    getPet({ path: { petId } }) {
      return pets.submit(petId).then((pet) => {
        if (!pet) throw new ApiError(404, `There is no animal ${petId}`);
        return { status: 200, body: pet };
      });
    },
  };
}

/** The IETF draft quotes the key, most clients do not. Both forms are the same key. */
const QUOTED = /^"(.*)"$/;

function created(creation: Created): CreatePetResponse {
  if (creation.outcome === 'answered') return { status: 201, body: creation.pet };
  if (creation.outcome === 'reused') {
    throw new ApiError(422, 'This Idempotency-Key was already used with another body', {
      code: 'idempotency_key_reused',
    });
  }
  const message = 'A request with this Idempotency-Key is in progress';
  throw new ApiError(409, message, { code: 'idempotency_key_in_use', headers: { 'Retry-After': '1' } });
}
