import { connect } from 'node:net';
import { setInterval as every } from 'node:timers/promises';
import { parseResponse } from '@petstore-platform/testkit/raw';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type TestServer, temporaryServer } from '../support/server.ts';

test('every phase of a connection has a time limit', async () => {
  const { app } = await temporaryServer();
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = app.server;
  for (const limit of [headersTimeout, requestTimeout, timeout, keepAliveTimeout]) {
    expect(limit).toBeGreaterThan(0);
    expect(limit).toBeLessThanOrEqual(75_000);
  }
});

describe('with limits of a fraction of a second', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await temporaryServer();
    const limits = { headersTimeout: 200, requestTimeout: 400, keepAliveTimeout: 200, keepAliveTimeoutBuffer: 0 };
    Object.assign(server.app.server, { ...limits, timeout: 5_000 });
  });

  const post = () =>
    [
      'POST /v1/books HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${server.apiKey}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
      '\r\n{',
    ].join('\r\n');

  test.each<[string, () => string, string]>([
    ['nothing', () => '', ''],
    ['a piece of a header now and then', () => 'GET /v1/books HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'x'],
    ['a piece of a body now and then', post, ' '],
  ])('a client that sends %s is answered 408', async (_what, head, piece) => {
    const connection = await server.connect();
    connection.write(head());
    const stop = new AbortController();
    const trickle = (async () => {
      for await (const _ of every(50, undefined, { signal: stop.signal })) connection.write(piece);
    })().catch(() => {});
    const { status, body } = parseResponse(await connection.readToEnd());
    stop.abort();
    await trickle;
    expect(status).toBe(408);
    expect(JSON.parse(body)).toMatchObject({ code: 'request_timeout', status: 408 });
  });

  test('an idle connection is closed without a further response', async () => {
    // On a busy machine, the request may take longer than the usual limits.
    Object.assign(server.app.server, { headersTimeout: 60_000, requestTimeout: 60_000 });
    const connection = await server.connect();
    connection.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    const text = await connection.readToEnd();
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*{"status":"ok"}$/);
  });

  test('a client that does not read its responses is disconnected', async () => {
    const { app, origin, port } = server;
    // The script has megabytes, which is more than the system's socket buffers hold.
    const [script] = /\/docs\/scalar-\w+\.js/.exec(await (await fetch(`${origin}/docs`)).text()) ?? [];
    app.server.timeout = 300;
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(`GET ${script} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(10));
    const connections = () => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
    await expect.poll(connections).toBeGreaterThan(0);
    await expect.poll(connections).toBe(0);
  });
});
