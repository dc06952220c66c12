/** Preloaded by `node --import @petstore-platform/server-runtime/tracing`: exports spans as OpenTelemetry's environment variables say. */
import { FastifyOtelInstrumentation } from '@fastify/otel';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, hostDetector, processDetector } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

const { OTEL_TRACES_SAMPLER_ARG: share = '1' } = process.env;
const provider = new TracerProvider({
  resource: detectResources({ detectors: [envDetector, hostDetector, processDetector] }),
  sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(Number(share)) }),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(provider);

new FastifyOtelInstrumentation({
  registerOnInitialization: true,
  instrumentHooks: false,
  ignorePaths: ({ url }) => /^\/(livez|readyz)(\?|$)/.test(url),
  requestHook(span, { raw: { state }, routeOptions, url }) {
    span.updateName(routeOptions.config.operation?.id ?? 'other');
    // A query may have an API key.
    span.setAttribute('url.path', url.split('?', 1)[0] ?? '');
    span.setAttribute('http.response.header.x-request-id', [state.id]);
    state.trace = span.spanContext();
  },
});
