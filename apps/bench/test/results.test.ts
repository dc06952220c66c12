import { expect, test } from 'vitest';
import { goalsOf, goalsTable, type Sample } from '../src/servers/results.ts';

/** The list, hot, with 64 connections: at least 3 times the requests/s of node-http, with no more CPU time. */
const sample = (server: string, round: number, requestsPerSecond: number, p99 = 1, serverCpu = 1): Sample => ({
  workload: 'list, hot',
  connections: 64,
  server,
  round,
  requestsPerSecond,
  p50: 1,
  p99,
  serverCpu,
  postgresCpu: 1,
});

const verdicts = (samples: Sample[]) =>
  goalsOf(samples).map(({ figure, wanted, ratios, met }) => [figure, wanted, ratios, met]);

test('a ratio is that of servers in the same round, and its median decides', () => {
  const peers = [sample('node-http', 1, 100), sample('node-http', 2, 200), sample('node-http', 3, 100)];
  const own = (...rates: number[]) => rates.map((rate, index) => sample('petstore', index + 1, rate));
  const others = [
    ['CPU per request of node-http', '≤ 1', [1, 1, 1], true],
    ['p99 of node-http', '≤ 1', [1, 1, 1], true],
  ];
  expect(verdicts([...own(300, 300, 900), ...peers])).toEqual([
    ['requests/s of node-http', '≥ 3', [3, 1.5, 9], true],
    ...others,
  ]);
  expect(verdicts([...own(299, 300, 900), ...peers])[0]).toEqual([
    'requests/s of node-http',
    '≥ 3',
    [2.99, 1.5, 9],
    false,
  ]);
});

test('a latency must not be above its goal', () => {
  const p99 = (own: number) => verdicts([sample('petstore', 1, 300, own), sample('node-http', 1, 100, 2)])[2];
  expect(p99(2)).toEqual(['p99 of node-http', '≤ 1', [1], true]);
  expect(p99(2.2)).toEqual(['p99 of node-http', '≤ 1', [1.1], false]);
});

test('the CPU time of server and Postgres is compared per request, and only with the peers that were measured', () => {
  const samples = [sample('petstore', 1, 300, 1, 1), sample('node-http', 1, 100, 1, 4)];
  expect(verdicts(samples)[1]).toEqual(['CPU per request of node-http', '≤ 1', [0.4], true]);
  expect(verdicts([sample('node-http', 1, 1)])).toEqual([]);
});

test('the table shows missed goals in bold', () => {
  const samples = [sample('petstore', 1, 300, 3), sample('node-http', 1, 100, 2)];
  expect(goalsTable(goalsOf(samples))).toEqual([
    '| workload | our figure, divided by | 64 connections |',
    '|---|---|---|',
    '| list, hot | requests/s of node-http | 3.00 (3.00–3.00) ≥ 3 |',
    '| list, hot | CPU per request of node-http | 1.00 (1.00–1.00) ≤ 1 |',
    '| list, hot | p99 of node-http | **1.50 (1.50–1.50)** ≤ 1 |',
  ]);
});
