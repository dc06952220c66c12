import { withClient } from '@petstore-platform/testkit/postgres';
import { withPostgres } from './database.ts';
import { fill, JWKS, tokenOf, USES } from './servers/app.ts';
import { CONDUIT, conduit, PLAIN, startServer } from './servers/start.ts';
import { measureUse, type Use } from './servers/use.ts';
import type { Request } from './servers/workloads.ts';
import { formatRatio, median } from './statistics.ts';

const CONNECTIONS = 16;

/** Compares an app with a plain server of Fastify and Kysely. */
export function benchApp({ quick = false } = {}): Promise<string> {
  return withPostgres(async ({ url, postmaster }) => {
    await conduit.migrate(url);
    await withClient(url, fill);
    await using run = new AsyncDisposableStack();
    const servers = [CONDUIT, PLAIN].map((name) => startServer(run, name, url, { OIDC_JWKS: JWKS }));
    const sides = await Promise.all(servers);
    const [rounds, seconds] = quick ? [7, 1] : [9, 3];
    const lines: string[] = [];
    for (const [name, make] of Object.entries(USES)) {
      const pairs: Use[][] = [];
      for (let round = 0; round < rounds; round++) {
        const pair: Use[] = [];
        for (const server of sides) {
          const requests = Array.from({ length: 2_000 }, (_, n): Request => {
            // The ids are scattered, so that simultaneous requests are for different rows.
            const id = 1 + ((n * 7919) % 10_000);
            return { method: 'GET', path: '', key: tokenOf(server.name, id), ...make(id) };
          });
          pair.push(await measureUse(server, requests, { connections: CONNECTIONS, seconds, postmaster }));
        }
        pairs.push(pair);
        console.error(`${name}: ${pair.map((side) => Math.round(side.requestsPerSecond)).join(' and ')}`);
      }
      const middle = (of: (side: Use) => number, digits: number) =>
        [0, 1].map((i) => median(pairs.map((pair) => of(pair[i] as never))).toFixed(digits)).join(' and ');
      const ratios = pairs.map(([one, other]) => (one?.requestsPerSecond ?? 0) / (other?.requestsPerSecond ?? 0));
      const figures = [
        formatRatio(ratios),
        middle(({ requestsPerSecond }) => requestsPerSecond, 0),
        middle(({ p50 }) => p50, 2),
        middle(({ serverCpu }) => serverCpu, 0),
        middle(({ postgresCpu }) => postgresCpu, 0),
      ];
      lines.push(`| ${name} | ${figures.join(' | ')} |`);
    }
    return [
      `With ${CONNECTIONS} connections, the app and the plain server. Ratios of requests per second: median (range) of the rounds.`,
      '',
      '| | ratio | requests/s | p50 ms | CPU µs/request: server | Postgres |',
      '|---|---|---|---|---|---|',
      ...lines,
    ].join('\n');
  });
}
