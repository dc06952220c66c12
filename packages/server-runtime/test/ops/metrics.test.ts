import { whileLocked } from '@petstore-platform/testkit/postgres';
import { plans } from '@repo/bookstore/generated/plans';
import { TestClock } from '@repo/bookstore/testing';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { serverProcess } from '../support/process.ts';
import { Metrics, openDatabase } from '../support/runtime.ts';
import { someAddress, temporaryServer } from '../support/server.ts';

/** Parses the Prometheus text format: values by `name{labels}`. */
function samples(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]));
}

/** The samples of one metric, summed over all other labels. */
function of(name: string, text: string, ...labels: string[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [key, value] of Object.entries(samples(text))) {
    const [, metric = '', list = ''] = /^(\w+)\{?(.*?)\}?$/.exec(key) ?? [];
    if (metric !== name) continue;
    const kept = list.split(',').filter((label) => labels.includes(label.split('=', 1)[0] ?? ''));
    const sum = labels.length > 0 ? `${name}{${kept.join(',')}}` : key;
    sums[sum] = (sums[sum] ?? 0) + value;
  }
  return sums;
}

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
  await expect
    .poll(async () =>
      of(
        'http_server_request_duration_seconds_count',
        await metrics.registry.metrics(),
        'operation',
        'http_request_method',
        'http_response_status_code',
      ),
    )
    .toEqual({
      'http_server_request_duration_seconds_count{operation="createBook",http_request_method="POST",http_response_status_code="201"}': 1,
      'http_server_request_duration_seconds_count{operation="getBook",http_request_method="GET",http_response_status_code="200"}': 1,
      'http_server_request_duration_seconds_count{operation="getBook",http_request_method="GET",http_response_status_code="404"}': 1,
      'http_server_request_duration_seconds_count{operation="getBook",http_request_method="HEAD",http_response_status_code="200"}': 1,
      'http_server_request_duration_seconds_count{operation="listBooks",http_request_method="GET",http_response_status_code="200"}': 1,
      'http_server_request_duration_seconds_count{operation="listBooks",http_request_method="GET",http_response_status_code="401"}':
        plans.free.perMinute,
      'http_server_request_duration_seconds_count{operation="listBooks",http_request_method="GET",http_response_status_code="429"}': 4,
      'http_server_request_duration_seconds_count{operation="other",http_request_method="GET",http_response_status_code="404"}': 20,
      'http_server_request_duration_seconds_count{operation="other",http_request_method="GET",http_response_status_code="200"}': 1,
      'http_server_request_duration_seconds_count{operation="other",http_request_method="GET",http_response_status_code="400"}': 1,
    });
  const text = await metrics.registry.metrics();
  expect(samples(text).service_bans_total).toBe(1);
  const plan = 'http_server_request_duration_seconds_count{plan=';
  const served = of('http_server_request_duration_seconds_count', text, 'plan');
  expect(served).toMatchObject({ [`${plan}"enterprise"}`]: 8 });
  const counted = of('db_client_operation_duration_seconds_count', text, 'db_operation_name');
  const kinds = Object.entries(counted).filter(([, count]) => count > 0);
  expect(kinds.map(([name]) => /="(.*)"/.exec(name)?.[1]).sort()).toEqual(['change', 'count', 'key', 'read']);
  expect(of('service_rate_limit_refusals_total', text)).toEqual({
    'service_rate_limit_refusals_total{subject="key",reason="limited"}': 2,
    'service_rate_limit_refusals_total{subject="key",reason="banned"}': 1,
    'service_rate_limit_refusals_total{subject="address",reason="limited"}': 1,
  });
});

test('durations are in seconds; running requests and waits for connections are counted', async () => {
  const url = await temporaryDatabase();
  const db = openDatabase(url, { size: 1 });
  onTestFinished(() => db.close());
  const metrics = new Metrics({ requests: db });
  const server = await temporaryServer({ metrics, databaseUrl: url });
  await server.bookstore.listBooks();
  const connections = async () => {
    const text = await metrics.registry.metrics();
    return { ...of('db_client_connection_count', text), ...of('db_client_connection_pending_requests', text) };
  };
  expect(Object.values(await connections())).toEqual([0, 0, 0]);

  await whileLocked(url, 'books', async (client) => {
    const queries = [1, 2, 3].map(() => db.pool.query('select from books'));
    await expect.poll(connections).toEqual({
      'db_client_connection_count{db_client_connection_pool_name="requests",db_client_connection_state="used"}': 1,
      'db_client_connection_count{db_client_connection_pool_name="requests",db_client_connection_state="idle"}': 0,
      'db_client_connection_pending_requests{db_client_connection_pool_name="requests"}': 2,
    });
    const slow = server.request('/v1/books');
    const running = async () => samples(await metrics.registry.metrics()).http_server_active_requests;
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
  expect(Object.values(await connections())).toEqual([0, 1, 0]);
  const text = await metrics.registry.metrics();
  const [seconds] = Object.values(of('http_server_request_duration_seconds_sum', text, 'operation'));
  expect(seconds).toBeGreaterThan(0.3);
  expect(samples(text)['service_database_wait_seconds_sum{db_operation_name="read"}']).toBeGreaterThan(0);
  const buckets = of('http_server_request_duration_seconds_bucket', text, 'le');
  expect(buckets['http_server_request_duration_seconds_bucket{le="+Inf"}']).toBe(3);
  expect(buckets['http_server_request_duration_seconds_bucket{le="0.25"}']).toBeLessThan(3);
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
  const counts = async (): Promise<Record<string, number>> => {
    const found = of('http_server_request_duration_seconds_count', await metrics.registry.metrics(), 'client');
    return Object.fromEntries(
      Object.entries(found).map(([name, count]) => [/client="(.*)"/.exec(name)?.[1] ?? '', count]),
    );
  };
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
  expect(samples(text)).toMatchObject({ service_ready: 1, service_degraded: 0, service_bans_total: 0 });
  const ofNode = ['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total', 'process_resident_memory_bytes'];
  for (const name of ofNode) expect(samples(text)).toHaveProperty(name);
  for (const path of ['/', '/v1/books', '/livez', '/metrics/x'])
    expect((await fetch(new URL(path, url))).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${server.origin}/metrics`)).status).toBe(404);

  const stopped = server.stop();
  await expect.poll(async () => (await fetch(`${server.origin}/readyz`)).status).toBe(503);
  expect((await fetch(`${server.origin}/v1/books`)).status).toBe(401);
  expect((await fetch(url)).status).toBe(200);
  expect(await stopped).toMatchObject({ code: 0, stderr: '' });
  await expect(fetch(url)).rejects.toThrow();
});

test('a database that does not answer holds no scrape up', async () => {
  const metrics = new Metrics({});
  const { databaseUrl, db } = await temporaryServer({ metrics, config: { STATEMENT_TIMEOUT: 0 } });
  const ready = async () => samples(await metrics.registry.metrics()).service_ready;
  expect(await ready()).toBe(1);
  await whileLocked(databaseUrl, 'kysely_migration', async (client) => {
    expect(await ready()).toBe(0);
    await client.query('commit');
  });
  await db.pool.query('select');
  await expect.poll(ready).toBe(1);
});
