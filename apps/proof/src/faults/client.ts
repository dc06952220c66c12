import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type NewPet, type PetstoreClient, PetstoreError } from '@petstore/client';
import { pick, type Random } from '../random.ts';
import type { Animal, Create, History } from './history.ts';

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

/** A user of the SDK who adds animals, walks the list and asks for single ones, one call after the other. */
export async function useService(options: ClientOptions, signal: AbortSignal): Promise<void> {
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
  const create = async () => {
    const asked: NewPet = { name: `${name}-${created++}`, categoryId: created };
    const status = pick(random, ['available', 'pending', 'sold', undefined] as const);
    if (status) asked.status = status;
    const { begin, end, result } = await call(() => petstore.createPet(asked));
    if (result) {
      notes.creates.push({ begin, end, asked, outcome: 'done', id: result.id });
      notes.ids.push(result.id);
    } else notes.creates.push({ begin, end, asked, outcome: outcomeOf(attempts) });
  };

  const start = { after: Number.NEGATIVE_INFINITY, cursor: undefined as string | undefined };
  const walks = [undefined, 'available' as const].map((status) => ({ status, ...start }));
  const readPage = async () => {
    const walk = pick(random, walks);
    const { status, cursor, after } = walk;
    const query = { limit: 100, ...(status && { status }), ...(cursor && { cursor }) };
    const { begin, end, result } = await call(() => petstore.listPets(query).withResponse());
    if (!result) return;
    const next = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(result.response.headers.get('Link') ?? '')?.[1];
    const animals = result.data.map(intern);
    notes.pages.push({ begin, end, after, ...(status && { status }), animals, more: next !== undefined });
    const last = animals.at(-1);
    if (next && last) Object.assign(walk, { cursor: decodeURIComponent(next), after: last.id });
    // At its end the list grows: there it is read again, most of the times.
    else if (random() < 0.2) Object.assign(walk, start);
  };

  const get = async () => {
    if (notes.ids.length === 0) return;
    const id = random() < 0.5 ? (notes.ids.at(-1) as number) : pick(random, notes.ids);
    const { begin, end, result, error } = await call(() => petstore.getPet({ petId: id }));
    if (result) notes.gets.push({ begin, end, id, animal: intern(result) });
    else if (error instanceof PetstoreError && error.code === 'not_found') notes.gets.push({ begin, end, id });
  };

  while (!signal.aborted) {
    await pick(random, [create, create, readPage, get])();
    await delay(PAUSE);
  }
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
    async fetch(request) {
      const { method, headers, signal, redirect } = request;
      const target = new URL(request.url);
      target.port = String(pick(random, ports));
      return fetch(target, { method, headers, signal, redirect, ...(request.body && { body: await request.text() }) });
    },
  });
}

/**
 * What a fault does is told as 503 or as a broken connection. Whether an animal may be missing is for the history to say, and
 * a creation that is repeated may meet itself.
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

const interned = new Map<string, Animal>();

/** The same object for the same animal: there are many pages, and the same animals on them. */
function intern(animal: Animal): Animal {
  const key = JSON.stringify(animal);
  const known = interned.get(key);
  if (known) return known;
  interned.set(key, animal);
  return animal;
}
