import { withClient } from '@petstore/testkit/postgres';
import { median } from '@petstore/testkit/statistics';
import { type Postgres, seed, withPostgres } from './database.ts';
import { describeMachine, keep, today } from './report.ts';
import { explainReads } from './scale/plans.ts';
import { OURS, type Server, startServer } from './servers/start.ts';
import type { Request } from './servers/workloads.ts';
import { wrk } from './servers/wrk.ts';

/** The time of a request on the large table, as a multiple of that on the small one, at most. */
const GOAL = 1.3;
const SMALL = 10_000;
const LARGE = 10_000_000;
const DISTRIBUTIONS = ['uniform', 'skewed'] as const;
const SECONDS = 1;

/** A server on a database with many animals, or with few. */
interface Store {
  animals: number;
  server: Server;
  key: string;
  plans: Record<string, string>;
}

interface Operation {
  name: string;
  requests(animals: number, key: string): Request[];
}

/** Everywhere in the table, the same places in each run. */
const places = (animals: number) => Array.from({ length: 1_000 }, (_, n) => 1 + ((n * 7_919 * 104_729) % animals));

const list =
  (query: string) =>
  (_animals: number, key: string): Request[] => [{ method: 'GET', path: `/v1/pets?limit=20${query}`, key }];

const deep =
  (query: string) =>
  (animals: number, key: string): Request[] =>
    places(animals * 0.8).map((id) => {
      const cursor = Buffer.from(`after:${id}.`).toString('base64url');
      return { method: 'GET', path: `/v1/pets?limit=20${query}&cursor=${cursor}`, key };
    });

const operations: Operation[] = [
  { name: 'list, first page', requests: list('') },
  { name: 'list, deep inside', requests: deep('') },
  { name: 'list of the available, first page', requests: list('&status=available') },
  { name: 'list of the sold, deep inside', requests: deep('&status=sold') },
  { name: 'list of the pending (none, when skewed)', requests: list('&status=pending') },
  {
    name: 'get',
    requests: (animals, key) => places(animals).map((id) => ({ method: 'GET', path: `/v1/pets/${id}`, key })),
  },
  {
    name: 'create',
    requests: (_animals, key) => [{ method: 'POST', path: '/v1/pets', key, body: '{"name":"Rex","categoryId":7}' }],
  },
];

/** The time of each operation with 10 million animals beside that with 10 thousand, however they are distributed. */
export function benchScale({ quick = false } = {}): Promise<void> {
  const large = quick ? LARGE / 10 : LARGE;
  return withPostgres(async (postgres) => {
    const lines = [`\`pnpm bench scale${quick ? ' --quick' : ''}\`, ${today()}, ${describeMachine()}.`, ''];
    for (const distribution of DISTRIBUTIONS) {
      const stores: Store[] = [];
      try {
        for (const animals of [SMALL, large]) stores.push(await open(postgres, animals, distribution));
        lines.push(...(await compare(stores as [Store, Store], distribution, quick ? 3 : 7)));
      } finally {
        await Promise.all(stores.map(({ server }) => server.stop()));
      }
    }
    const text = lines.join('\n');
    console.log(text);
    await keep('scale.md', `${text}\n`, { quick });
  });
}

async function open(postgres: Postgres, animals: number, distribution: (typeof DISTRIBUTIONS)[number]): Promise<Store> {
  console.error(`storing ${animals.toLocaleString('en')} animals, ${distribution}`);
  const url = new URL(postgres.url);
  url.pathname = `/bench_${animals}_${distribution}`;
  await withClient(postgres.url, async (client) => {
    await client.query(`drop database if exists ${url.pathname.slice(1)} with (force)`);
    await client.query(`create database ${url.pathname.slice(1)}`);
  });
  const [key = ''] = await seed(url.href, { animals, keys: 1, distribution });
  const server = await startServer(OURS, url.href);
  const plans = await explainReads({ url: url.href, origin: server.origin, key }, animals);
  return { animals, server, key, plans };
}

async function compare(stores: [Store, Store], distribution: string, rounds: number): Promise<string[]> {
  const times = new Map(operations.map(({ name }) => [name, stores.map(() => [] as number[])]));
  for (let round = 0; round <= rounds; round++) {
    console.error(`${distribution}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`);
    for (const { name, requests } of operations) {
      for (const [index, { server, animals, key }] of stores.entries()) {
        const { p50 } = await wrk(server.origin, requests(animals, key), { connections: 1, seconds: SECONDS });
        if (round > 0) times.get(name)?.[index]?.push(p50);
      }
    }
  }
  const [few, many] = stores.map(({ animals }) => animals.toLocaleString('en'));
  const rows = [...times].map(([name, [small = [], large = []]]) => {
    const ratio = median(large.map((time, round) => time / (small[round] ?? Number.NaN)));
    const figures = [median(small).toFixed(3), median(large).toFixed(3), ratio.toFixed(2)];
    return `| ${name} | ${figures.join(' | ')} | ${ratio <= GOAL ? 'met' : 'not met'} |`;
  });
  const plans = Object.entries(stores[1].plans).map(([name, plan]) => `${name}:\n\n\`\`\`\n${plan}\n\`\`\`\n`);
  return [
    `## ${distribution}`,
    '',
    `p50 of a request in milliseconds, one connection, median of ${rounds} rounds`,
    '',
    `| operation | ${few} animals | ${many} animals | ratio | ≤ ${GOAL} |`,
    '|---|---|---|---|---|',
    ...rows,
    '',
    `### Plans with ${many} animals`,
    '',
    ...plans,
  ];
}
