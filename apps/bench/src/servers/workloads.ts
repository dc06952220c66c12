/** What is asked of every server. */
export interface Workload {
  name: string;
  description: string;
  /** The peer it is compared with; by default bare `node:http`. */
  against?: 'express-openapi-validator';
  /** The least ratio of requests per second, with 64 connections. */
  goal: number;
  /** The greatest ratio of the time of a request on a single connection. */
  latencyGoal?: number;
  /** The requests, in any order, again and again. */
  requests(keys: string[]): Request[];
}

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  key: string;
  body?: string;
}

/** Animals in the database. */
export const ANIMALS = 10_000;

/** Keys that requests come with, where a workload says no other number. */
export const KEYS = 500;

const VARIETY = 2_000;
const STATUSES = ['available', 'pending', 'sold'];
const LIMITS = [1, 5, 10, 20, 50, 100];

/** The same numbers in every run: each of them in [0, 1), by a full-period generator of 32 bits. */
function numbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Of many kinds of requests, each with one of the keys. */
function variety(keys: string[], make: (random: () => number) => Omit<Request, 'key'>): Request[] {
  const random = numbers();
  return Array.from({ length: VARIETY }, (_, index) => ({ ...make(random), key: keys[index % keys.length] as string }));
}

const pick = <T>(random: () => number, values: T[]) => values[Math.floor(random() * values.length)] as T;

const get = (random: () => number) => ({
  method: 'GET' as const,
  path: `/v1/pets/${1 + Math.floor(random() * ANIMALS)}`,
});

const create = (random: () => number) => ({
  method: 'POST' as const,
  path: '/v1/pets',
  body: JSON.stringify({ name: `Rex ${Math.floor(random() * 1_000)}`, categoryId: 7, status: pick(random, STATUSES) }),
});

const list = (random: () => number) => {
  const cursor = Buffer.from(`after:${Math.floor(random() * 50) * 100}.`).toString('base64url');
  const query = `limit=${pick(random, LIMITS)}&status=${pick(random, STATUSES)}`;
  return { method: 'GET' as const, path: `/v1/pets?${query}${random() < 0.5 ? '' : `&cursor=${cursor}`}` };
};

export const workloads: Workload[] = [
  {
    name: 'list, hot',
    description: 'one query: limit=20&status=available, one key',
    goal: 3,
    latencyGoal: 1.5,
    requests: ([key = '']) => [{ method: 'GET', path: '/v1/pets?limit=20&status=available', key }],
  },
  {
    name: 'list, spread',
    description: '6 limits, 3 statuses, 50 cursors, 500 keys',
    goal: 2,
    requests: (keys) => variety(keys, list),
  },
  {
    name: 'get, spread',
    description: 'any of 10,000 animals, one key',
    goal: 1.7,
    latencyGoal: 1.5,
    requests: (keys) => variety(keys.slice(0, 1), get),
  },
  {
    name: 'create',
    description: 'one key',
    goal: 2.7,
    latencyGoal: 1.8,
    requests: (keys) => variety(keys.slice(0, 1), create),
  },
  {
    name: 'mix, 90/10',
    description: '45 % lists, 45 % gets, 10 % creates, 500 keys',
    against: 'express-openapi-validator',
    goal: 4.5,
    requests: (keys) =>
      variety(keys, (random) => {
        const kind = random();
        return kind < 0.1 ? create(random) : kind < 0.55 ? list(random) : get(random);
      }),
  },
];
