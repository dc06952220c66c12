import { withClient } from '@petstore-platform/testkit/postgres';
import { median } from '@petstore-platform/testkit/statistics';
import { type Postgres, seed, withPostgres } from './database.ts';
import { OURS, type Server, startServer } from './servers/start.ts';
import type { Request } from './servers/workloads.ts';
import { wrk } from './servers/wrk.ts';

/** Maximum ratio of the time of a request on the large table to that on the small one. */
const GOAL = 1.3;
const SMALL = 10_000;
const LARGE = 10_000_000;
const DISTRIBUTIONS = ['uniform', 'skewed'] as const;
const SECONDS = 1;
const STATUSES =
  'With `uniform`, a third of the animals has each status. With `skewed`, the newest tenth is available, the others are sold.';

/** A server with its own database. */
interface Store {
  pets: number;
  server: Server;
  key: string;
}

type Requests = (pets: number) => Omit<Request, 'key'>[];

/** Ids that are spread over the table, and the same in each run. */
const spreadIds = (pets: number) => Array.from({ length: 1_000 }, (_, n) => 1 + ((n * 7_919 * 104_729) % pets));

const firstPage =
  (query: string): Requests =>
  () => [{ method: 'GET', path: `/v1/pets?limit=20${query}` }];

const deepPage =
  (query: string): Requests =>
  (pets) =>
    spreadIds(pets * 0.8).map((id) => {
      const cursor = Buffer.from(`listPets:${id}.`).toString('base64url');
      return { method: 'GET', path: `/v1/pets?limit=20${query}&cursor=${cursor}` };
    });

const operations: Record<string, Requests> = {
  'list, first page': firstPage(''),
  'list, deep inside': deepPage(''),
  'list of the available, first page': firstPage('&status=available'),
  'list of the sold, deep inside': deepPage('&status=sold'),
  'list of the pending (none, when skewed)': firstPage('&status=pending'),
  get: (pets) => spreadIds(pets).map((id) => ({ method: 'GET', path: `/v1/pets/${id}` })),
  create: () => [{ method: 'POST', path: '/v1/pets', body: '{"name":"Rex","categoryId":7}' }],
};

/** Compares each operation with 10 million and with 10 thousand pets, for both distributions of statuses. */
export function benchScale({ quick = false } = {}): Promise<string> {
  const large = quick ? LARGE / 10 : LARGE;
  return withPostgres(async (postgres) => {
    const lines = [`${STATUSES}\n`];
    for (const distribution of DISTRIBUTIONS) {
      await using run = new AsyncDisposableStack();
      const openWith = async (pets: number) =>
        run.adopt(await open(postgres, pets, distribution), (store) => store.server.stop());
      lines.push(...(await compare([await openWith(SMALL), await openWith(large)], distribution, quick ? 3 : 7)));
    }
    return lines.join('\n');
  });
}

async function open(postgres: Postgres, pets: number, distribution: (typeof DISTRIBUTIONS)[number]): Promise<Store> {
  console.error(`storing ${pets.toLocaleString('en')} pets, ${distribution}`);
  const url = new URL(postgres.url);
  url.pathname = `/bench_${pets}_${distribution}`;
  await withClient(postgres.url, async (client) => {
    await client.query(`drop database if exists ${url.pathname.slice(1)} with (force)`);
    await client.query(`create database ${url.pathname.slice(1)}`);
  });
  const {
    enterprise: [key = ''],
  } = await seed(url.href, { pets, distribution });
  const server = await startServer(OURS, url.href);
  return { pets, server, key };
}

async function compare(stores: [Store, Store], distribution: string, rounds: number): Promise<string[]> {
  const times = new Map(Object.keys(operations).map((name) => [name, stores.map(() => [] as number[])]));
  for (let round = 0; round <= rounds; round++) {
    console.error(`${distribution}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
    for (const [name, make] of Object.entries(operations)) {
      for (const [index, { server, pets, key }] of stores.entries()) {
        const requests = make(pets).map((request) => ({ ...request, key }));
        const { p50 } = await wrk(server.origin, requests, { connections: 1, seconds: SECONDS });
        if (round > 0) times.get(name)?.[index]?.push(p50);
      }
    }
  }
  const [few, many] = stores.map(({ pets }) => pets.toLocaleString('en'));
  const rows = [...times].map(([name, [small = [], large = []]]) => {
    const ratio = median(large.map((time, round) => time / (small[round] ?? Number.NaN)));
    const figures = [median(small).toFixed(3), median(large).toFixed(3), ratio.toFixed(2)];
    return `| ${name} | ${figures.join(' | ')} | ${ratio <= GOAL ? 'met' : 'not met'} |`;
  });
  return [
    `## ${distribution}`,
    '',
    `p50 of a request in milliseconds, one connection, median of ${rounds} rounds`,
    '',
    `| operation | ${few} animals | ${many} animals | ratio | ≤ ${GOAL} |`,
    '|---|---|---|---|---|',
    ...rows,
  ];
}
