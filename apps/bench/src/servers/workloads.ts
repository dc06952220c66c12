import { createRandom, pick, type Random } from '@repo/testkit/random';
import type { Peer } from './start.ts';

/** Ratios by number of connections. With one connection, 0.67 means a request that takes 1.5 times as long. */
type Goals = Partial<Record<number, number>>;

/** Requests for every server. */
export interface Workload {
  name: string;
  description: string;
  /** Minimum ratio of requests per second to a peer's, or to pgbench's statements per second. */
  goals: Partial<Record<Peer | 'pgbench', Goals>>;
  /** The requests of one cycle. @param pets - default: {@link PETS} */
  requests(keys: string[], pets?: number): Request[];
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  key: string;
  /** With a new `Idempotency-Key` each time. */
  isKeyed?: boolean;
  body?: string;
}

/** Rows in the database. */
export const PETS = 10_000;
export const KEYS = 500;

const VARIETY = 2_000;
const STATUSES = ['available', 'pending', 'sold'];
const LIMITS = [1, 5, 10, 20, 50, 100];

/** Random requests, each with the next key. */
function variety(keys: string[], pets = PETS, make: (random: Random, pets: number) => Omit<Request, 'key'>): Request[] {
  const random = createRandom(1);
  const next = (index: number) => ({ ...make(random, pets), key: keys[index % keys.length] as string });
  return Array.from({ length: VARIETY }, (_, index) => next(index));
}

const get = (random: Random, pets: number) => ({
  method: 'GET' as const,
  path: `/v1/pets/${1 + Math.floor(random() * pets)}`,
});

const create = (random: Random) => ({
  method: 'POST' as const,
  path: '/v1/pets',
  body: JSON.stringify({ name: `Rex ${Math.floor(random() * 1_000)}`, categoryId: 7, status: pick(random, STATUSES) }),
});

const list = (random: Random, pets: number) => {
  const cursor = Buffer.from(`listPets:${Math.floor(random() * 50) * (pets / 100)}.`).toString('base64url');
  const query = `limit=${pick(random, LIMITS)}&status=${pick(random, STATUSES)}`;
  return { method: 'GET' as const, path: `/v1/pets?${query}${random() < 0.5 ? '' : `&cursor=${cursor}`}` };
};

const SAME_PROMISES: Goals = { 1: 1.5, 64: 4 };

export const workloads: Workload[] = [
  {
    name: 'list, hot',
    description: 'one query: limit=20&status=available, one key',
    goals: {
      'node-http': { 1: 1 / 1.5, 16: 1.5, 64: 3, 256: 3 },
      'express-same-promises': SAME_PROMISES,
      pgbench: { 64: 0.6 },
    },
    requests: ([key = '']) => [{ method: 'GET', path: '/v1/pets?limit=20&status=available', key }],
  },
  {
    name: 'list, spread',
    description: '6 limits, 3 statuses, 50 cursors, 500 keys',
    goals: { 'node-http': { 1: 1 / 1.5, 16: 1.1, 64: 2, 256: 2 }, 'express-same-promises': SAME_PROMISES },
    requests: (keys, pets) => variety(keys, pets, list),
  },
  {
    name: 'get, spread',
    description: 'any pet, one key',
    goals: { 'node-http': { 1: 1 / 1.5, 16: 1.3, 64: 1.7, 256: 1.7 }, 'express-same-promises': SAME_PROMISES },
    requests: (keys, pets) => variety(keys.slice(0, 1), pets, get),
  },
  {
    name: 'create',
    description: 'one key',
    goals: { 'node-http': { 1: 1 / 1.6, 16: 1.5, 64: 2.7, 256: 2.7 }, 'express-same-promises': SAME_PROMISES },
    requests: (keys, pets) => variety(keys.slice(0, 1), pets, create),
  },
  {
    name: 'mix, 90/10',
    description: '45 % lists, 45 % gets, 10 % creates, 500 keys',
    goals: {
      'node-http': { 1: 1 / 1.5, 16: 1.2, 64: 1.8, 256: 2 },
      'express-openapi-validator': { 1: 1, 16: 2.5, 64: 4.5, 256: 4.5 },
      'express-same-promises': SAME_PROMISES,
    },
    requests: (keys, pets) =>
      variety(keys, pets, (random, pets) => {
        const kind = random();
        return kind < 0.1 ? create(random) : kind < 0.55 ? list(random, pets) : get(random, pets);
      }),
  },
];
