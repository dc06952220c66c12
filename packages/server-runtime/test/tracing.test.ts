import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { listen } from '@petstore-platform/testkit/server';
import { expect, onTestFinished, test } from 'vitest';
import { checkedFetch } from './support/contract.ts';
import { temporaryDatabase } from './support/database.ts';
import { serverProcess } from './support/process.ts';
import { readerOn, temporaryHandle } from './support/runtime.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}

/** A fake collector: accepts OTLP over HTTP as JSON. */
async function startCollector(): Promise<{ origin: string; spans: Span[]; text(): string }> {
  const spans: Span[] = [];
  let text = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    text += body;
    for (const { scopeSpans } of JSON.parse(body).resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  onTestFinished(() => void server.close().closeAllConnections());
  return { origin: `http://127.0.0.1:${await listen(server)}`, spans, text: () => text };
}

const attribute = ({ attributes }: Span, name: string) => attributes.find(({ key }) => key === name)?.value.stringValue;

test('the start documented in the README traces requests and queries, without the key', async () => {
  const collector = await startCollector();
  const readme = await readFile(path.join(import.meta.dirname, '../README.md'), 'utf8');
  const documented = parseEnv(/^## Tracing.*?```sh\n(.*?)```/ms.exec(readme)?.[1] ?? '') as Record<string, string>;
  expect(documented.NODE_OPTIONS).toMatch(/^--import @petstore-platform\/server-runtime\/tracing$/);
  const { origin, key, stop } = await serverProcess({
    ...documented,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
  });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { Authorization: `Bearer ${key}`, traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  const response = await checkedFetch(`${origin}/v1/books?format=ebook`, { headers });
  expect(response.status).toBe(200);

  const { code, stdout } = await stop();
  expect(code).toBe(0);
  const find = (matches: (span: Span) => boolean) => collector.spans.find(matches);
  const request = find(({ name }) => name === 'listBooks');
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
  const attributes = Object.fromEntries(
    request?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [],
  );
  const ids = { values: [{ stringValue: response.headers.get('X-Request-Id') }] };
  expect(attributes).toMatchObject({
    'http.route': '/v1/books',
    'http.response.status_code': 200,
    'http.response.header.x-request-id': ids,
  });
  expect(stdout).toContain(`"trace_id":"${traceId}","span_id":"${request?.spanId}"`);
  const query = find(({ name }) => name.startsWith('listBooks_'));
  expect(query?.traceId).toBe(traceId);
  expect(query && attribute(query, 'db.query.text')).toMatch(/from "?books\b/);
  // A descendant of the request's span, possibly indirect.
  const parents = (span?: Span): string[] =>
    span?.parentSpanId ? [span.parentSpanId, ...parents(find(({ spanId }) => spanId === span.parentSpanId))] : [];
  expect(parents(query)).toContain(request?.spanId);

  expect(collector.text()).not.toContain(key);
});

test('a select that a handler awaits is a child span', async () => {
  const exporter = new InMemorySpanExporter();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  const db = readerOn<{ books: { id: number } }>(temporaryHandle(await temporaryDatabase()));
  await trace.getTracer('test').startActiveSpan('request', async (span) => {
    await db.selectFrom('books').select('id').execute();
    span.end();
  });
  const [query, request] = exporter.getFinishedSpans();
  expect(query?.attributes['db.query.text']).toBe('select "id" from "books"');
  expect(query?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
});
