// The README's examples for React Query, SWR, forms and OpenTelemetry run as printed, in React and against the real service.
import { mkdirSync, writeFileSync } from 'node:fs';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { QueryClient, QueryClientProvider, type UseQueryResult } from '@tanstack/react-query';
import { Window } from 'happy-dom';
import { setupServer } from 'msw/node';
import { createOpenApiHttp } from 'openapi-msw';
import { act, createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { SWRConfig, type SWRResponse } from 'swr';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  createClient,
  type ErrorBody,
  isPetstoreError,
  type Pet,
  type Pets,
  type PetstoreClient,
  type PetstoreError,
  type paths,
} from '../../src/generated/index.ts';
import { NewPet } from '../../src/generated/schemas.ts';
import { startService } from '../conformance/service.ts';
import { snippets } from '../readme.ts';

const folder = new URL('../../test-results/ecosystem/', import.meta.url);

/** The module that a section of the README prints, with `petstore` as its client. */
async function moduleOf<T>(section: string, client: PetstoreClient, index = 0): Promise<T> {
  const code = snippets.filter((snippet) => snippet.section === section)[index]?.code;
  const file = new URL(`${section.replaceAll(' ', '-')}${index}.ts`, folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `const { petstore } = globalThis as never as { petstore: never };\n${code}`);
  vi.stubGlobal('petstore', client);
  return import(/* @vite-ignore */ file.href);
}

let service: Awaited<ReturnType<typeof startService>>;
let petstore: PetstoreClient;
/** Statuses that the service seems to answer first, and the signals of requests. */
const faults: number[] = [];
const signals: AbortSignal[] = [];
let stalled = false;

beforeAll(async () => {
  const window = new Window();
  const { document } = window;
  for (const [name, value] of Object.entries({ window, document, IS_REACT_ACT_ENVIRONMENT: true }))
    vi.stubGlobal(name, value);
  service = await startService();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { signal } = init as { signal: AbortSignal };
    signals.push(signal);
    if (stalled) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const status = faults.shift();
    return status ? new Response('', { status }) : globalThis.fetch(input, init);
  };
  petstore = createClient({ apiKey: service.apiKey, baseUrl: service.baseUrl, fetch });
  for (let i = 0; i < 25; i++) await petstore.createPet({ name: `Biscuit ${i}`, categoryId: 7, status: 'available' });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await service?.stop();
});

/** Renders a component that uses a hook. `until` waits for a value of the hook. */
async function render<T>(hook: () => T, parent: (child: ReactNode) => ReactNode) {
  let value: T;
  const Component = () => {
    // TanStack renders again only for the fields that were read.
    value = { ...hook() };
    return null;
  };
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(parent(createElement(Component))));
  const unmount = () => act(async () => root.unmount());
  onTestFinished(() => unmount());
  const until = async (ready: (value: T) => boolean): Promise<T> => {
    while (!ready(value)) await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
    return value;
  };
  return { until, unmount };
}

const inQueryClient = (child: ReactNode) => {
  const client = new QueryClient();
  onTestFinished(() => client.clear());
  return createElement(QueryClientProvider, { client }, child);
};
interface FormExample {
  usePetForm(): {
    handleSubmit(): Promise<void>;
    setFieldValue(name: 'name', value: string): void;
    getFieldMeta(name: 'name'): { errors: unknown[] } | undefined;
  };
}

const reactQuery = () => moduleOf<{ useAvailablePets(): UseQueryResult<Pets, PetstoreError> }>('React Query', petstore);

test('React Query: a query has our retries inside, and its failure is a PetstoreError', async () => {
  const { useAvailablePets } = await reactQuery();
  faults.push(503);
  const query = await (await render(useAvailablePets, inQueryClient)).until(({ isPending }) => !isPending);
  const pets: Pet[] | undefined = query.data;
  expect([pets?.length, pets?.[0]?.name, faults]).toEqual([20, 'Biscuit 0', []]);
  faults.push(404);
  const { error } = await (await render(useAvailablePets, inQueryClient)).until(({ isPending }) => !isPending);
  expect(isPetstoreError(error, 'listPets')).toBe(true);
  expect(error).toMatchObject({ status: 404, code: 'unexpected_response', attempts: 1 });
});

test('React Query: an unmounted component aborts its request', async () => {
  const { useAvailablePets } = await reactQuery();
  stalled = true;
  onTestFinished(() => {
    stalled = false;
  });
  const sent = signals.length;
  const { unmount } = await render(useAvailablePets, inQueryClient);
  await vi.waitUntil(() => signals.length > sent);
  expect(signals.at(-1)?.aborted).toBe(false);
  await unmount();
  await vi.waitUntil(() => signals.at(-1)?.aborted);
});

test('SWR: a query', async () => {
  const { useAvailablePets } = await moduleOf<{ useAvailablePets(): SWRResponse<Pets> }>('openapi-fetch', petstore, 1);
  const value = { provider: () => new Map(), shouldRetryOnError: false };
  const inSwr = (child: ReactNode) => createElement(SWRConfig, { value }, child);
  const { data } = await (await render(useAvailablePets, inSwr)).until(({ isLoading, data }) => !isLoading && !!data);
  expect(data?.[0]?.name).toBe('Biscuit 0');
  faults.push(404);
  const failed = await (await render(useAvailablePets, inSwr)).until(({ error }) => error !== undefined);
  expect(isPetstoreError(failed.error, 'listPets')).toBe(true);
});

test('TanStack Form: a form says what the service would, and sends what it allows', async () => {
  const { usePetForm } = await moduleOf<FormExample>('Forms', petstore);
  const { until } = await render(usePetForm, (child) => child);
  const form = await until(() => true);
  const sent = signals.length;
  await act(() => form.handleSubmit());
  expect(form.getFieldMeta('name')?.errors).toEqual([{ path: ['name'], message: 'must not be empty' }]);
  expect(signals).toHaveLength(sent);
  form.setFieldValue('name', 'Olive');
  await act(() => form.handleSubmit());
  expect(signals).toHaveLength(sent + 1);
});

test.each<unknown>([
  { name: '', categoryId: 7 },
  { categoryId: 'seven', status: 'lost' },
  { name: 'a'.repeat(256), categoryId: 1.5 },
  { name: '\0', categoryId: 2 ** 60 },
  { name: 'Olive', categoryId: 2, age: 3, 'a/b~': 1 },
  [],
  null,
])('the schema of a body says what the service says of %j', async (body) => {
  const headers = { Authorization: `Bearer ${service.apiKey}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${service.baseUrl}/pets`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { errors } = (await response.json()) as ErrorBody;
  const { issues = [] } = NewPet['~standard'].validate(body);
  const part = (name: PropertyKey) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const own = issues.map(({ path, message }) => ({ pointer: `/body${path.map(part).join('')}`, message }));
  expect(own).toEqual(expect.arrayContaining(errors ?? []));
  expect(errors).toEqual(expect.arrayContaining(own));
});

test('OpenTelemetry: the span of a call is the parent of its attempts, and has its failure', async () => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    trace.getTracer('fetch').startActiveSpan('GET', async (span) => {
      const status = faults.shift();
      const headers = { ...init.headers, authorization: `Bearer ${service.apiKey}` };
      const response = await send(url.replace(/^.*\/v1/, service.baseUrl), { ...init, headers });
      span.end();
      return status ? new Response('', { status }) : response;
    }),
  );
  onTestFinished(() => {
    vi.stubGlobal('fetch', send);
    trace.disable();
    context.disable();
  });
  const client = createClient({ apiKey: 'YOUR_API_KEY' });
  const { traced } = await moduleOf<{ traced: PetstoreClient }>('Middleware', client, 1);
  faults.push(500);
  expect(await traced.listPets({ limit: 1 })).toHaveLength(1);
  await expect(traced.getPet({ petId: Number.MAX_SAFE_INTEGER })).rejects.toMatchObject({ status: 404 });
  const spans = exporter.getFinishedSpans();
  const shown = spans.map(({ name, attributes, status, events, parentSpanContext }) => {
    const parent = spans.find((span) => span.spanContext().spanId === parentSpanContext?.spanId)?.name;
    return [name, parent, attributes['petstore.attempts'], status.code, events.length];
  });
  expect(shown).toEqual([
    ...Array(2).fill(['GET', 'listPets', undefined, SpanStatusCode.UNSET, 0]),
    ['listPets', undefined, 2, SpanStatusCode.UNSET, 0],
    ['GET', 'getPet', undefined, SpanStatusCode.UNSET, 0],
    ['getPet', undefined, 1, SpanStatusCode.ERROR, 1],
  ]);
});

test('MSW: handlers typed by paths', async () => {
  const http = createOpenApiHttp<paths>({ baseUrl: 'https://api.petstore.example/v1' });
  const biscuit = { id: 1, name: 'Biscuit', categoryId: 7 };
  const server = setupServer(http.get('/pets', ({ response }) => response(200).json([biscuit])));
  server.listen();
  onTestFinished(() => server.close());
  expect(await createClient({ apiKey: 'YOUR_API_KEY' }).listPets()).toEqual([biscuit]);
});
