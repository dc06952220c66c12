import { createClient, type NewPet, PetstoreError } from '@petstore/client';
import { pick, type Random } from '@petstore-platform/testkit/random';
import type { Create, History } from './history.ts';

/** Shared by all clients of a run. */
export interface Notes extends History {
  /** Number of failed calls by error code. */
  codes: Map<string, number>;
  /** Errors that no fault explains, one line each. */
  unexpected: string[];
}

export interface ClientOptions {
  name: string;
  apiKey: string;
  /** Each attempt picks one at random. */
  ports: number[];
  /** The SDK's option of this name. */
  maxRetries: number;
  random: Random;
  notes: Notes;
}

/** Opens an SDK client that records each call. */
export function openClient({ name, apiKey, ports, maxRetries, random, notes }: ClientOptions) {
  const attempts: PetstoreError[] = [];
  const petstore = createClient({
    apiKey,
    baseUrl: `http://127.0.0.1:${ports[0]}/v1`,
    // These limits are shorter than the defaults.
    timeout: 3_000,
    totalTimeout: 20_000,
    maxRetries,
    onRetry: ({ error }) => attempts.push(error),
    fetch(url, init) {
      const target = new URL(url);
      target.port = String(pick(random, ports));
      return fetch(target, init);
    },
  });
  /** Times a call; resolves to its result or its error. */
  const call = async <T>(work: () => Promise<T>) => {
    attempts.length = 0;
    const begin = performance.now();
    try {
      const result = await work();
      return { begin, end: performance.now(), result };
    } catch (error) {
      if (error instanceof PetstoreError) {
        attempts.push(error);
        notes.codes.set(error.code, (notes.codes.get(error.code) ?? 0) + 1);
        if (!isExpected(error)) notes.unexpected.push(`${error.status} ${error.code}: ${error.message}`);
      } else notes.unexpected.push(`not a PetstoreError: ${error}`);
      return { begin, end: performance.now(), error };
    }
  };

  let created = 0;
  let walked = 0;
  const start = () => ({
    walk: `${name}-${walked++}`,
    after: Number.NEGATIVE_INFINITY,
    cursor: undefined as string | undefined,
  });
  const walks = [undefined, 'available' as const].map((status) => ({ status, ...start() }));

  return {
    /** Resolves to whether the create was acknowledged. */
    async create() {
      const newPet: NewPet = { name: `${name}-${created++}`, categoryId: created };
      const status = pick(random, ['available', 'pending', 'sold', undefined] as const);
      if (status) newPet.status = status;
      const { begin, end, result } = await call(() => petstore.createPet(newPet));
      if (result) notes.creates.push({ begin, end, newPet, outcome: 'done', id: result.id });
      else notes.creates.push({ begin, end, newPet, outcome: outcomeOf(attempts) });
      return result !== undefined;
    },
    /** Reads the next page of a walk. */
    async readPage() {
      const current = pick(random, walks);
      const { status, cursor, after, walk } = current;
      const query = { limit: 100, ...(status && { status }), ...(cursor && { cursor }) };
      const { begin, end, result } = await call(() => petstore.listPets(query).withResponse());
      if (!result) return;
      const { data: pets, nextCursor } = result;
      const seen = { begin, end, walk, after, pets, more: nextCursor !== undefined };
      notes.pages.push({ ...seen, ...(status && { status }) });
      const last = pets.at(-1);
      if (nextCursor && last) Object.assign(current, { cursor: nextCursor, after: last.id });
      // New pets appear at the end of the list: mostly read it again instead of starting a new walk.
      else if (random() < 0.2) Object.assign(current, start());
    },
    async get() {
      const last = notes.creates.findLast(({ id }) => id !== undefined)?.id;
      if (last === undefined) return;
      const id = random() < 0.5 ? last : (pick(random, notes.creates).id ?? last);
      const { begin, end, result, error } = await call(() => petstore.getPet({ petId: id }));
      if (result) notes.gets.push({ begin, end, id, pet: result });
      else if (error instanceof PetstoreError && error.code === 'not_found') notes.gets.push({ begin, end, id });
    },
  };
}

/**
 * Faults show as 503 or broken connections. The history check judges a missing pet, and a retried create may meet its first
 * attempt.
 */
function isExpected({ status, code }: PetstoreError): boolean {
  return status === 0 || status === 503 || code === 'not_found' || code === 'idempotency_key_in_use';
}

/** Refused only if the service itself answered every attempt with an error that rules out a stored pet. */
function outcomeOf(attempts: PetstoreError[]): Create['outcome'] {
  const refused = attempts.every(
    ({ body, status }) => body && (status < 500 || (status === 503 && body.code === 'service_unavailable')),
  );
  return refused && attempts.length > 0 ? 'refused' : 'unknown';
}
