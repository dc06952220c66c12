import { expect, test } from 'vitest';
import { goalsOf, goalsTable, type Sample } from '../src/servers/results.ts';

/** The list, hot, with 64 connections: at least 3 times the requests/s of node-http, and 0.6 of pgbench. */
const sample = (server: string, round: number, requestsPerSecond: number, p99 = 1): Sample => ({
  workload: 'list, hot',
  connections: 64,
  server,
  round,
  requestsPerSecond,
  p50: 1,
  p99,
  serverCpu: 1,
  postgresCpu: 1,
  nodesCpu: [],
});

const verdicts = (samples: Sample[], pgbench: (number | undefined)[] = []) =>
  goalsOf(samples, pgbench).map(({ figure, wanted, ratios, met }) => [figure, wanted, ratios, met]);

test('a ratio is that of servers in the same round, and its median decides', () => {
  const peers = [sample('node-http', 1, 100), sample('node-http', 2, 200), sample('node-http', 3, 100)];
  const own = (...rates: number[]) => rates.map((rate, index) => sample('petstore', index + 1, rate));
  const p99 = ['p99 of node-http', '≤ 1', [1, 1, 1], true];
  expect(verdicts([...own(300, 300, 900), ...peers])).toEqual([
    ['requests/s of node-http', '≥ 3', [3, 1.5, 9], true],
    p99,
  ]);
  expect(verdicts([...own(299, 300, 900), ...peers])[0]).toEqual([
    'requests/s of node-http',
    '≥ 3',
    [2.99, 1.5, 9],
    false,
  ]);
});

test('a latency must not be above its goal', () => {
  const p99 = (own: number) => verdicts([sample('petstore', 1, 300, own), sample('node-http', 1, 100, 2)])[1];
  expect(p99(2)).toEqual(['p99 of node-http', '≤ 1', [1], true]);
  expect(p99(2.2)).toEqual(['p99 of node-http', '≤ 1', [1.1], false]);
});

test('pgbench is compared where it ran in every round, and a peer only where it has a goal', () => {
  const samples = [sample('petstore', 1, 60), sample('petstore', 2, 50), sample('fastify', 1, 1_000)];
  expect(verdicts(samples, [undefined, 100, 100])).toEqual([['requests/s of pgbench', '≥ 0.6', [0.6, 0.5], false]]);
  expect(verdicts(samples, [undefined, 100, undefined])).toEqual([]);
  expect(verdicts([sample('node-http', 1, 1)])).toEqual([]);
});

test('the table shows missed goals in bold', () => {
  const samples = [sample('petstore', 1, 300, 3), sample('node-http', 1, 100, 2)];
  expect(goalsTable(goalsOf(samples, []))).toEqual([
    '| workload | our figure, divided by | 64 connections |',
    '|---|---|---|',
    '| list, hot | requests/s of node-http | 3.00 (3.00–3.00) ≥ 3 |',
    '| list, hot | p99 of node-http | **1.50 (1.50–1.50)** ≤ 1 |',
  ]);
});
