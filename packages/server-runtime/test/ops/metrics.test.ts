import { whileLocked } from '@petstore-platform/testkit/postgres';
import { plans } from '@repo/bookstore/generated/plans';
import { TestClock } from '@repo/bookstore/testing';
import type { MetricValueWithName } from 'prom-client';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { serverProcess } from '../support/process.ts';
import { Metrics, temporaryHandle } from '../support/runtime.ts';
import { someAddress, temporaryServer } from '../support/server.ts';

const REQUESTS = 'http_server_request_duration_seconds';

/** The values of a metric, or of a part of it such as its `_count`, summed by these labels. */
async function valuesOf(
  { registry }: InstanceType<typeof Metrics>,
  metric: string,
  ...labels: string[]
): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { name, values } of await registry.getMetricsAsJSON())
    for (const { value, labels: all, metricName = name } of values as MetricValueWithName<string>[]) {
      const key = labels.map((label) => all[label]).join(' ');
      if (metricName === metric) sums[key] = (sums[key] ?? 0) + value;
    }
  return sums;
}
const totalOf = async (metrics: InstanceType<typeof Metrics>, metric: string) => (await valuesOf(metrics, metric))[''];

test('requests are counted by operation, method and status; others share one label', async () => {
  const metrics = new Metrics({});
  // All requests are in one minute, which does not begin at a full second.
  const clock = new TestClock(Date.UTC(2026, 10, 20, 12, 0, 20, 294));
  const server = await temporaryServer({ clock, metrics, config: { BAN_AFTER: 2, BAN_SECONDS: 60 } });
  const { id } = await server.bookstore.createBook({ title: 'Ubik', storeId: 7 });
  await server.bookstore.getBook({ bookId: id });
  await server.request('/v1/books/0');
  await server.request(`/v1/books/${id}`, { method: 'HEAD' });
  for (let i = 0; i < 20; i++) await server.anonymous(`/v1/nowhere/${i}`);
  await server.anonymous('/livez');
  await server.anonymous('/v1/books/%');

  const { key } = await server.createKey({ plan: 'enterprise', perMinute: 1, perDay: 100 });
  const ofKey = { headers: { Authorization: `Bearer ${key}` } };
  const address = someAddress();
  for (let i = 0; i < 2; i++) await server.request('/v1/books', ofKey);
  // Early refusals do not count towards a ban.
  await clock.pass(1_000);
  for (let i = 0; i < 2; i++) await server.request('/v1/books', ofKey);
  for (let i = 0; i < plans.free.perMinute + 1; i++)
    await server.anonymous('/v1/books', { headers: { 'X-Forwarded-For': address } });

  // A response is counted after it was sent, possibly after the client has read it.
  const labels = ['operation', 'http_request_method', 'http_response_status_code'];
  await expect
    .poll(() => valuesOf(metrics, `${REQUESTS}_count`, ...labels))
    .toEqual({
      'createBook POST 201': 1,
      'getBook GET 200': 1,
      'getBook GET 404': 1,
      'getBook HEAD 200': 1,
      'listBooks GET 200': 1,
      'listBooks GET 401': plans.free.perMinute,
      'listBooks GET 429': 4,
      'other GET 404': 20,
      'other GET 200': 1,
      'other GET 400': 1,
    });
  expect(await totalOf(metrics, 'service_bans_total')).toBe(1);
  expect(await valuesOf(metrics, `${REQUESTS}_count`, 'plan')).toMatchObject({ enterprise: 8 });
  const counted = await valuesOf(metrics, 'db_client_operation_duration_seconds_count', 'db_operation_name');
  const kinds = Object.entries(counted).filter(([, count]) => count > 0);
  expect(kinds.map(([name]) => name).sort()).toEqual(['change', 'count', 'key', 'read']);
  expect(await valuesOf(metrics, 'service_rate_limit_refusals_total', 'subject', 'reason')).toEqual({
    'key limited': 2,
    'key banned': 1,
    'address limited': 1,
  });
});

test('durations are in seconds; running requests and waits for connections are counted', async () => {
  const url = await temporaryDatabase();
  const db = temporaryHandle(url, { size: 1 });
  const metrics = new Metrics({ requests: db });
  const server = await temporaryServer({ metrics, databaseUrl: url });
  await server.bookstore.listBooks();
  const pool = 'db_client_connection_pool_name';
  const connections = async () => ({
    ...(await valuesOf(metrics, 'db_client_connection_count', pool, 'db_client_connection_state')),
    ...(await valuesOf(metrics, 'db_client_connection_pending_requests', pool)),
  });
  expect(await connections()).toEqual({ 'requests used': 0, 'requests idle': 0, requests: 0 });

  await whileLocked(url, 'books', async (client) => {
    const queries = [1, 2, 3].map(() => db.pool.query('select from books'));
    await expect.poll(connections).toEqual({ 'requests used': 1, 'requests idle': 0, requests: 2 });
    const slow = server.request('/v1/books');
    const running = () => totalOf(metrics, 'http_server_active_requests');
    await expect.poll(running).toBe(1);
    // Its statement runs, so that the next one waits for its turn.
    const next = server.request('/v1/books');
    await expect.poll(running).toBe(2);
    const began = performance.now();
    await expect.poll(() => performance.now() - began).toBeGreaterThan(300);
    await client.query('commit');
    await Promise.all([slow, next, ...queries]);
    await expect.poll(running).toBe(0);
  });
  expect(await connections()).toEqual({ 'requests used': 0, 'requests idle': 1, requests: 0 });
  expect(await totalOf(metrics, `${REQUESTS}_sum`)).toBeGreaterThan(0.3);
  const waits = await valuesOf(metrics, 'service_database_wait_seconds_sum', 'db_operation_name');
  expect(waits.read).toBeGreaterThan(0);
  const buckets = await valuesOf(metrics, `${REQUESTS}_bucket`, 'le');
  expect(buckets['+Inf']).toBe(3);
  expect(buckets['0.25']).toBeLessThan(3);

  // Longer than an insertion may hold up others.
  await db.pool.query(`
    create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return new; end';
    create trigger slow before insert on books for each row execute function slow()`);
  await server.bookstore.createBook({ title: 'Emma', storeId: 1 });
  const times = await valuesOf(metrics, 'db_client_operation_duration_seconds_sum', 'db_operation_name');
  expect(times.change).toBeGreaterThan(0.2);
});

test('requests are counted by SDK version: valid ones, of which a key adds four, and ten keys all', async () => {
  const metrics = new Metrics({});
  const server = await temporaryServer({ metrics });
  const issued = await Promise.all(Array.from({ length: 11 }, () => server.createKey()));
  const [first, ...others] = issued.map(({ key }) => `Bearer ${key}`);
  const send = (client: string, Authorization = first ?? '', path = '/v1/books') =>
    server.request(path, { headers: { 'X-Bookstore-Client': client, Authorization } });
  // Requests without a key or an operation add no label.
  await send('js/0.0.1', '');
  await send('js/0.0.2', first, '/v1/nowhere');
  for (let patch = 0; patch < 30; patch++) await send(`js/1.2.${patch}`);
  for (const client of ['js', 'js/', 'js/1', 'curl/8.1.0', 'js/1.2.3\x9b', `js/1.2.3-${'x'.repeat(20)}`])
    await send(client);
  const counts = () => valuesOf(metrics, `${REQUESTS}_count`, 'client');
  const labels = { 'js/1.2.0': 1, 'js/1.2.1': 1, 'js/1.2.2': 1, 'js/1.2.3': 1 };
  await expect.poll(counts).toEqual({ ...labels, other: 2 + 26 + 6 });

  // Another key is the first to send the next version, which then has a label for all keys.
  await send('js/2.0.0', others[0]);
  await send('js/2.0.0');
  await send('js/1.2.0', others[0]);
  await send('js/2.0.0', first, '/v1/nowhere');
  await expect.poll(counts).toEqual({ ...labels, 'js/1.2.0': 2, 'js/2.0.0': 2, other: 34 + 1 });

  for (const [major, key] of others.entries())
    for (let minor = 0; minor < 5; minor++) await send(`js/${3 + major}.${minor}.0`, key);
  await expect.poll(async () => Object.values(await counts()).reduce((sum, count) => sum + count)).toBe(42 + 50);
  expect(Object.keys(await counts())).toHaveLength(40 + 1);
});

test('METRICS_PORT serves metrics only, until the end of the shutdown', async () => {
  const server = await serverProcess({ METRICS_PORT: '0', HOST: '0.0.0.0', DRAIN_SECONDS: '2' });
  const [, url = ''] = await server.waitFor(/Metrics at (http:[^"]+)/);
  // The address of the metrics does not depend on that of the API.
  expect(new URL(url).hostname).toBe('127.0.0.1');
  expect((await fetch(`${server.origin}/livez`)).status).toBe(200);
  const response = await fetch(url);
  expect(response.headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  expect(text).toContain(
    'http_server_request_duration_seconds_count{operation="other",http_route="",http_request_method="GET",http_response_status_code="200",client="none",plan=""} 1\n',
  );
  expect(text).toMatch(/^service_build_info\{version="0\.0\.0",commit="",node="\d+\.\d+\.\d+"\} 1$/m);
  for (const line of ['service_ready 1', 'service_degraded 0', 'service_bans_total 0'])
    expect(text).toContain(`\n${line}\n`);
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total', 'process_resident_memory_bytes'])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  for (const path of ['/', '/v1/books', '/livez', '/metrics/x'])
    expect((await fetch(new URL(path, url))).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${server.origin}/metrics`)).status).toBe(404);

  const stopped = server.stop();
  const shuttingDown = { status: 'unavailable', cause: 'shutting_down', reason: 'shutting down' };
  await expect.poll(async () => (await fetch(`${server.origin}/readyz`)).json()).toEqual(shuttingDown);
  expect((await fetch(`${server.origin}/v1/books`)).status).toBe(401);
  expect((await fetch(url)).status).toBe(200);
  expect(await stopped).toMatchObject({ code: 0, stderr: '' });
  await expect(fetch(url)).rejects.toThrow();
});

test('a database that does not answer holds no scrape up', async () => {
  const metrics = new Metrics({});
  const { databaseUrl, db } = await temporaryServer({ metrics, config: { STATEMENT_TIMEOUT: 0 } });
  const ready = () => totalOf(metrics, 'service_ready');
  expect(await ready()).toBe(1);
  await whileLocked(databaseUrl, 'kysely_migration', async (client) => {
    expect(await ready()).toBe(0);
    await client.query('commit');
  });
  await db.pool.query('select');
  await expect.poll(ready).toBe(1);
});
