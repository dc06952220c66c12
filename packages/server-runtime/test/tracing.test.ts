import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { listen } from '@repo/testkit/server';
import { expect, onTestFinished, test } from 'vitest';
import { serverProcess } from './support/process.ts';

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
  expect(documented.NODE_OPTIONS).toMatch(/^--import @opentelemetry/);
  const { bookstore, key, stop } = await serverProcess({
    ...documented,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  expect(await bookstore.listBooks({ format: 'ebook' })).toEqual([]);

  const find = (matches: (span: Span) => boolean) => collector.spans.find(matches);
  await expect.poll(() => find((span) => attribute(span, 'url.path') === '/v1/books')).toBeDefined();
  const request = find((span) => attribute(span, 'url.path') === '/v1/books');
  const query = find((span) => /from "?books\b/.test(attribute(span, 'db.query.text') ?? ''));
  expect(query).toMatchObject({
    traceId: request?.traceId,
    name: expect.stringMatching(/^pg.query:listBooks_format /),
  });
  // A descendant of the request's span, possibly indirect.
  const parents = (span?: Span): string[] =>
    span?.parentSpanId ? [span.parentSpanId, ...parents(find(({ spanId }) => spanId === span.parentSpanId))] : [];
  expect(parents(query)).toContain(request?.spanId);

  expect((await stop()).code).toBe(0);
  expect(collector.text()).not.toContain(key);
});
