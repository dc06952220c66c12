import { withClient } from '@petstore-platform/testkit/postgres';
import { withPostgres } from './database.ts';
import { fill, JWKS, tokenOf, USES } from './servers/app.ts';
import { BOOKSTORE, bookstore, CONDUIT, conduit, PLAIN, type Server, startServer } from './servers/start.ts';
import { measureUse, type Use } from './servers/use.ts';
import type { Request } from './servers/workloads.ts';
import { formatRatio, median } from './statistics.ts';

const STORES = 10_000;

interface Comparison {
  name: string;
  /** The server of each side, and its request for a store. */
  sides: [[server: string, request: (id: number) => Partial<Request>], [string, (id: number) => Partial<Request>]];
  /** The minimum ratio of requests per second, by the number of connections. */
  goal: Record<number, number>;
}

const rename = (id: number) => ({ body: JSON.stringify({ name: `Store ${id}` }) });
const put = (id: number) => ({ method: 'PUT' as const, path: `/v1/stores/${id}/name`, ...rename(id) });
const patch = (id: number) => ({ method: 'PATCH' as const, path: `/v1/stores/${id}`, ...rename(id) });
const keyed = (request: (id: number) => object) => (id: number) => ({ ...request(id), isKeyed: true });

const COMPARISONS: Comparison[] = [
  {
    name: 'a write of two statements beside one of one, with keys',
    sides: [
      [BOOKSTORE, keyed(patch)],
      [BOOKSTORE, keyed(put)],
    ],
    goal: { 1: 1 / 1.7, 64: 0.55 },
  },
  ...Object.entries(USES).map(
    ([name, request]): Comparison => ({
      name: `${name}, beside Fastify and Kysely`,
      sides: [
        [CONDUIT, (id) => ({ ...request(id), key: tokenOf(CONDUIT, id) })],
        [PLAIN, (id) => ({ ...request(id), key: tokenOf(PLAIN, id) })],
      ],
      goal: { 16: 1 },
    }),
  ),
];

/** Compares writes of several statements with those of one, and an app with a plain server of Fastify and Kysely. */
export function benchOperations({ quick = false } = {}): Promise<string> {
  return withPostgres(async ({ url, postmaster }) => {
    await bookstore.migrate(url);
    const key = await bookstore.createKey(url);
    await withClient(url, async (client) => {
      await client.query(
        `insert into stores (name, city) select 'Store ' || n, 'Bern' from generate_series(1, $1) as n`,
        [STORES],
      );
      await client.query('vacuum analyze stores');
    });
    await using run = new AsyncDisposableStack();
    const servers = new Map<string, Server>();
    const [rounds, seconds] = quick ? [7, 1] : [9, 3];
    const measure = (server: Server, make: (id: number) => Partial<Request>, connections: number) => {
      const requests = Array.from({ length: 2_000 }, (_, n): Request => {
        // The ids are scattered, so that simultaneous requests are for different rows.
        const id = 1 + ((n * 7919) % STORES);
        return { method: 'GET', path: '', key, ...make(id) };
      });
      return measureUse(server, requests, { connections, seconds, postmaster });
    };
    const app = new URL(url);
    app.pathname = 'conduit';
    await withClient(url, (client) => client.query('create database conduit'));
    await conduit.migrate(app.href);
    await withClient(app.href, fill);
    for (const name of [BOOKSTORE, CONDUIT, PLAIN]) {
      servers.set(name, await startServer(run, name, name === BOOKSTORE ? url : app.href, { OIDC_JWKS: JWKS }));
    }
    const lines: string[] = [];
    for (const { name, sides, goal } of COMPARISONS) {
      for (const [connections, wanted] of Object.entries(goal)) {
        const pairs: Use[][] = [];
        for (let round = 0; round < rounds; round++) {
          const pair = [];
          for (const [server, make] of sides)
            pair.push(await measure(servers.get(server) as Server, make, Number(connections)));
          pairs.push(pair);
          console.error(
            `${name}, ${connections}: ${pair.map((side) => Math.round(side.requestsPerSecond)).join(' and ')}`,
          );
        }
        const middle = (of: (side: Use) => number, digits: number) =>
          [0, 1].map((i) => median(pairs.map((pair) => of(pair[i] as never))).toFixed(digits)).join(' and ');
        const ratios = pairs.map(([one, other]) => (one?.requestsPerSecond ?? 0) / (other?.requestsPerSecond ?? 0));
        const ratio = median(ratios) < wanted ? `**${formatRatio(ratios)}**` : formatRatio(ratios);
        const figures = [
          `${ratio} ≥ ${wanted.toFixed(2)}`,
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
