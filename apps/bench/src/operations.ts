import { withClient } from '@petstore-platform/testkit/postgres';
import { formatRatio, median } from '@petstore-platform/testkit/statistics';
import { withPostgres } from './database.ts';
import { BOOKSTORE, BY_HAND, bookstore, type Server, startServer } from './servers/start.ts';
import { measureUse, type Use } from './servers/use.ts';
import type { Request } from './servers/workloads.ts';

const STORES = 10_000;

/** The minimum ratio of requests per second, by the number of connections. */
type Goal = Record<number, number>;

interface Comparison {
  name: string;
  /** The server of each side, and its request for a store. */
  sides: [[server: string, request: (id: number) => Partial<Request>], [string, (id: number) => Partial<Request>]];
  goal: Goal;
}

const rename = (id: number) => ({ body: JSON.stringify({ name: `Store ${id}` }) });
const put = (id: number) => ({ method: 'PUT' as const, path: `/v1/stores/${id}/name`, ...rename(id) });
const patch = (id: number) => ({ method: 'PATCH' as const, path: `/v1/stores/${id}`, ...rename(id) });
const keyed = (request: (id: number) => object) => (id: number) => ({ ...request(id), isKeyed: true });
const stock = (id: number) => ({ path: `/v1/stores/${id}/stock` });

const COMPARISONS: Comparison[] = [
  {
    name: 'a write of two statements beside one of one, with keys',
    sides: [
      [BOOKSTORE, keyed(patch)],
      [BOOKSTORE, keyed(put)],
    ],
    goal: { 1: 1 / 1.7, 64: 0.55 },
  },
  {
    name: 'a write of two statements beside one of one, without keys',
    sides: [
      [BOOKSTORE, patch],
      [BOOKSTORE, put],
    ],
    goal: {},
  },
  {
    name: 'read beside pg by hand',
    sides: [
      [BOOKSTORE, stock],
      [BY_HAND, stock],
    ],
    goal: { 1: 1 / 1.3, 64: 1 / 1.3 },
  },
];

/** Compares writes of several statements with those of one, and reads with statements written by hand. */
export function benchOperations({ quick = false } = {}): Promise<string> {
  return withPostgres(async ({ url, postmaster }) => {
    await bookstore.migrate(url);
    const { key } = await bookstore.createKey(url);
    await withClient(url, async (client) => {
      await client.query(
        `insert into stores (name, city) select 'Store ' || n, 'Bern' from generate_series(1, $1) as n`,
        [STORES],
      );
      await client.query(`create index on books (store_id); insert into books (title, store_id)
        select 'Emma', 1 + n % ${STORES} from generate_series(1, ${5 * STORES}) as n`);
      await client.query('vacuum analyze stores, books');
    });
    await using run = new AsyncDisposableStack();
    const servers = new Map<string, Server>();
    for (const name of [BOOKSTORE, BY_HAND]) {
      const server = await startServer(name, url);
      run.defer(server.stop);
      servers.set(name, server);
    }
    const [rounds, seconds] = quick ? [7, 1] : [9, 3];
    const measure = (server: Server, make: (id: number) => Partial<Request>, connections: number) => {
      const requests = Array.from({ length: 2_000 }, (_, n): Request => {
        // The ids are scattered, so that simultaneous requests are for different rows.
        const id = 1 + ((n * 7919) % STORES);
        return { method: 'GET', path: '', key, ...make(id) };
      });
      return measureUse({ ...server, postmaster }, requests, { connections, seconds });
    };
    const lines: string[] = [];
    for (const { name, sides, goal } of COMPARISONS) {
      for (const connections of [1, 64]) {
        const pairs: Use[][] = [];
        for (let round = 0; round < rounds; round++) {
          const pair = [];
          for (const [server, make] of sides)
            pair.push(await measure(servers.get(server) as Server, make, connections));
          pairs.push(pair);
          console.error(
            `${name}, ${connections}: ${pair.map((side) => Math.round(side.requestsPerSecond)).join(' and ')}`,
          );
        }
        const middle = (of: (side: Use) => number, digits: number) =>
          [0, 1].map((i) => median(pairs.map((pair) => of(pair[i] as never))).toFixed(digits)).join(' and ');
        const ratios = pairs.map(([one, other]) => (one?.requestsPerSecond ?? 0) / (other?.requestsPerSecond ?? 0));
        const wanted = goal[connections];
        const isMissed = wanted !== undefined && median(ratios) < wanted;
        const ratio = isMissed ? `**${formatRatio(ratios)}**` : formatRatio(ratios);
        const figures = [
          `${ratio}${wanted === undefined ? '' : ` ≥ ${wanted.toFixed(2)}`}`,
          middle(({ requestsPerSecond }) => requestsPerSecond, 0),
          middle(({ p50 }) => p50, 2),
          middle(({ serverCpu }) => serverCpu, 0),
          middle(({ postgresCpu }) => postgresCpu, 0),
        ];
        lines.push(`| ${name} | ${connections} | ${figures.join(' | ')} |`);
      }
    }
    return [
      'Ratios of requests per second: median (range) of the rounds, and the goal; missed ones in bold.',
      '',
      '| | connections | ratio | requests/s | p50 ms | CPU µs/request: server | Postgres |',
      '|---|---|---|---|---|---|---|',
      ...lines,
    ].join('\n');
  });
}
