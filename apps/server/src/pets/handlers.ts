import type { RequestContext } from '../api/plugin.ts';
import { Batcher } from '../batcher.ts';
import type { DatabaseHandle } from '../database/open.ts';
import type { Handlers } from '../generated/operations.ts';
import { ApiError } from '../http/errors.ts';
import { createPets, fingerprintOf, MAX_CREATIONS, type PetCreation } from './create.ts';
import { decodeCursor, nextPageLink } from './cursor.ts';
import { BEGINNING, MAX_ROWS, type PageQuery, selectPages, selectPetsById } from './read.ts';

/**
 * The operations of the contract. A missing one does not compile.
 *
 * Concurrent requests share statements, one for each operation.
 */
export function createHandlers(db: DatabaseHandle): Handlers<RequestContext> {
  const pages = new Batcher(
    (queries: PageQuery[]) => selectPages(db, queries),
    MAX_ROWS,
    ({ limit }) => limit,
  );
  const pets = new Batcher((ids: number[]) => selectPetsById(db, ids));
  const creations = new Batcher((requests: PetCreation[]) => createPets(db, requests), MAX_CREATIONS);

  return {
    listPets({ query }, { path }) {
      const { limit, status, cursor } = query;
      const after = cursor === undefined ? BEGINNING : decodeCursor(cursor);
      return pages.submit({ limit, status, after }, `${status} ${after} ${limit}`).then((page) => {
        const { pets: body, next } = page;
        if (next === null) return { status: 200, body };
        page.link ??= nextPageLink(path, { limit, status }, next);
        return { status: 200, headers: { Link: page.link }, body };
      });
    },

    async createPet({ headers, body: newPet }, { apiKey: { id: apiKeyId } }) {
      const key = headers['idempotency-key']?.replace(QUOTED, '$1');
      const fingerprint = key && fingerprintOf(newPet);
      const same = key === undefined ? undefined : `${apiKeyId} ${key}`;
      const first = await creations.submit({ newPet, apiKeyId, key, fingerprint }, same);
      if (!first) throw new ApiError(409, IN_USE, { code: 'idempotency_key_in_use', headers: { 'Retry-After': '1' } });
      if (first.fingerprint !== fingerprint) throw new ApiError(422, REUSED, { code: 'idempotency_key_reused' });
      return { status: 201, body: first.pet };
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

const IN_USE = 'A request with this Idempotency-Key is in progress';

const REUSED = 'This Idempotency-Key was already used with another body';
