import { withClient } from '@petstore-platform/testkit/postgres';
import { expect, test } from 'vitest';
import { seed, withPostgres } from '../../src/database.ts';
import { explainReads } from '../../src/scale/plans.ts';
import { OURS, startServer } from '../../src/servers/start.ts';

test('the statements of the server are found and explained', () =>
  withPostgres(async (postgres) => {
    const url = Object.assign(new URL(postgres.url), { pathname: 'plans' }).href;
    await withClient(postgres.url, (client) => client.query('create database plans'));
    const {
      enterprise: [key = ''],
    } = await seed(url, { pets: 1_000 });
    const server = await startServer(OURS, url);
    const plans = await explainReads({ url, origin: server.origin, key }, 1_000).finally(() => server.stop());
    const rows = Object.values(plans).map((plan) => {
      const [, each, loops] = /pets.* \(actual .*rows=([\d.]+) loops=(\d+)/.exec(plan) ?? [];
      return Math.round(Number(each) * Number(loops));
    });
    expect(rows).toEqual([21, 21, 21, 21, 1, 21]);
    return '';
  }));
