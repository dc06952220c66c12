import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type NewPet, type PetstoreClient, PetstoreError } from '@petstore/client';
import { pick, type Random } from '../random.ts';
import type { Create, History } from './history.ts';

/** Everything that the clients of a run share. */
export interface Notes extends History {
  /** How often calls failed, by the code of the error. */
  codes: Map<string, number>;
  /** Errors that no caller should see, each in one line. */
  unexpected: string[];
  /** Ids that anybody knows, to ask for. */
  ids: number[];
}

export interface ClientOptions {
  name: string;
  apiKey: string;
  /** Each attempt goes to one of them, a repeated one perhaps to another. */
  ports: number[];
  /** As the SDK's option. */
  maxRetries: number;
  random: Random;
  notes: Notes;
}

/** Milliseconds between two calls. */
const PAUSE = 15;

/** Adds animals, walks the list and asks for single ones, one call after the other. */
export async function keepCalling(
  client: ReturnType<typeof openClient>,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const { create, readPage, get } = client;
  while (!signal.aborted) {
    await pick(random, [create, create, readPage, get])();
    await delay(PAUSE);
  }
}

/** A user of the SDK, who notes each call. */
export function openClient(options: ClientOptions) {
  const { name, random, notes } = options;
  const attempts: PetstoreError[] = [];
  const petstore = createPetstore(options, attempts);
  /** Runs a call, and gives its times and what it brought, or how it failed. */
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
    /** Resolves to whether it was acknowledged. */
    async create() {
      const asked: NewPet = { name: `${name}-${created++}`, categoryId: created };
      const status = pick(random, ['available', 'pending', 'sold', undefined] as const);
      if (status) asked.status = status;
      const { begin, end, result } = await call(() => petstore.createPet(asked));
      if (result) {
        notes.creates.push({ begin, end, asked, outcome: 'done', id: result.id });
        notes.ids.push(result.id);
      } else notes.creates.push({ begin, end, asked, outcome: outcomeOf(attempts) });
      return result !== undefined;
    },
    /** The next page of a walk through the list. */
    async readPage() {
      const current = pick(random, walks);
      const { status, cursor, after, walk } = current;
      const query = { limit: 100, ...(status && { status }), ...(cursor && { cursor }) };
      const { begin, end, result } = await call(() => petstore.listPets(query).withResponse());
      if (!result) return;
      const { data: animals, nextCursor } = result;
      const seen = { begin, end, walk, after, animals, more: nextCursor !== undefined };
      notes.pages.push({ ...seen, ...(status && { status }) });
      const last = animals.at(-1);
      if (nextCursor && last) Object.assign(current, { cursor: nextCursor, after: last.id });
      // At its end the list grows: there it is read again, most of the times.
      else if (random() < 0.2) Object.assign(current, start());
    },
    async get() {
      if (notes.ids.length === 0) return;
      const id = random() < 0.5 ? (notes.ids.at(-1) as number) : pick(random, notes.ids);
      const { begin, end, result, error } = await call(() => petstore.getPet({ petId: id }));
      if (result) notes.gets.push({ begin, end, id, animal: result });
      else if (error instanceof PetstoreError && error.code === 'not_found') notes.gets.push({ begin, end, id });
    },
  };
}

function createPetstore(
  { apiKey, ports, maxRetries, random }: ClientOptions,
  attempts: PetstoreError[],
): PetstoreClient {
  return createClient({
    apiKey,
    baseUrl: `http://127.0.0.1:${ports[0]}/v1`,
    // As in production, only in less time.
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
}

/**
 * A fault shows as 503 or as a broken connection. The history tells whether an animal may be missing, and a repeated creation
 * may meet itself.
 */
function isExpected({ status, code }: PetstoreError): boolean {
  return status === 0 || status === 503 || code === 'not_found' || code === 'idempotency_key_in_use';
}

/** Nothing was stored only if every attempt was answered, by the service itself, with what says so. */
function outcomeOf(attempts: PetstoreError[]): Create['outcome'] {
  const refused = attempts.every(
    ({ body, status }) => body && (status < 500 || (status === 503 && body.code === 'service_unavailable')),
  );
  return refused && attempts.length > 0 ? 'refused' : 'unknown';
}
