import { createRandom, pick, type Random } from '@petstore-platform/testkit/random';
import type { Keys } from '../keys.ts';
import type { Peer } from './start.ts';

/** Ratios by the number of connections. */
type Goals = Partial<Record<number, number>>;

/** A set of requests that every server gets. */
export interface Workload {
  name: string;
  description: string;
  /** Minimum ratios of requests per second to a peer's. */
  goals: Partial<Record<Peer, Goals>>;
  /** The requests of one cycle. */
  requests(keys: Keys): Request[];
}

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  key: string;
  body?: string;
}

/** Rows in the database. */
export const PETS = 10_000;

const VARIETY = 2_000;
const STATUSES = ['available', 'pending', 'sold'];
const LIMITS = [1, 5, 10, 20, 50, 100];

type Make = (random: Random) => Omit<Request, 'key'>;

/** Random requests, one for each of these keys. */
function variety(keys: string[], make: Make): Request[] {
  const random = createRandom(1);
  return keys.map((key) => ({ ...make(random), key }));
}

const inTurn = (keys: string[]) => Array.from({ length: VARIETY }, (_, index) => keys[index % keys.length] as string);

const get: Make = (random) => ({ method: 'GET', path: `/v1/pets/${1 + Math.floor(random() * PETS)}` });

const create: Make = (random) => ({
  method: 'POST',
  path: '/v1/pets',
  body: JSON.stringify({ name: `Rex ${Math.floor(random() * 1_000)}`, categoryId: 7, status: pick(random, STATUSES) }),
});

const list: Make = (random) => {
  const cursor = Buffer.from(`listPets:${Math.floor(random() * 50) * (PETS / 100)}.`).toString('base64url');
  const query = `limit=${pick(random, LIMITS)}&status=${pick(random, STATUSES)}`;
  return { method: 'GET', path: `/v1/pets?${query}${random() < 0.5 ? '' : `&cursor=${cursor}`}` };
};

/** Makes 45 % lists, 45 % gets and 10 % creations. */
const mix: Make = (random) => {
  const kind = random();
  return kind < 0.1 ? create(random) : kind < 0.55 ? list(random) : get(random);
};

/** Express promises less and is no faster; with our promises, it is much slower. Bare `node:http` is faster with one connection only. */
const goals = (ofBare: Goals): Workload['goals'] => ({
  'node-http': ofBare,
  'express-openapi-validator': { 1: 1, 16: 1, 64: 1 },
  'express-same-promises': { 1: 1.5, 16: 2, 64: 4 },
});

export const workloads: Workload[] = [
  {
    name: 'list, hot',
    description: 'one query: limit=20&status=available, one enterprise key',
    goals: goals({ 1: 0.9, 16: 1.1, 64: 3 }),
    requests: ({ enterprise: [key = ''] }) => [{ method: 'GET', path: '/v1/pets?limit=20&status=available', key }],
  },
  {
    name: 'list, spread',
    description: '6 limits, 3 statuses, 50 cursors, 500 business keys',
    goals: goals({ 1: 0.9, 16: 1.1, 64: 1.5 }),
    requests: ({ business }) => variety(inTurn(business), list),
  },
  {
    name: 'get, spread',
    description: 'any pet, one enterprise key',
    goals: goals({ 1: 0.9, 16: 1.1, 64: 2 }),
    requests: ({ enterprise }) => variety(inTurn(enterprise), get),
  },
  {
    name: 'create',
    description: 'one enterprise key',
    goals: goals({ 1: 0.9, 16: 1.1, 64: 1.8 }),
    requests: ({ enterprise }) => variety(inTurn(enterprise), create),
  },
  {
    name: 'mix, 90/10',
    description: '45 % lists, 45 % gets, 10 % creates, 500 business keys',
    goals: goals({ 1: 0.9, 16: 1.1, 64: 1.8 }),
    requests: ({ business }) => variety(inTurn(business), mix),
  },
  {
    name: 'crowd',
    description: 'the mix, of 2,100 free, 750 pro and 150 business keys, each in proportion to its limit',
    goals: goals({ 1: 0.6, 16: 1, 64: 1.3 }),
    requests: ({ crowd }) => variety(crowd, mix),
  },
];
