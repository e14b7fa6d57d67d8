import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { WatchRequest } from '../http/watch/request-steps.ts';
import type { Step, Steps } from '../steps.ts';

/** The traces of a process. Whoever opens them closes them, which sends what is left, for a short time. */
export interface Tracing extends AsyncDisposable {
  readonly watch: WatchRequest;
}

/** How long a stop waits for the last spans to be taken; the exporter's own limit is for a process that goes on. */
const CLOSE_LIMIT_MS = 2_000;
/** Statements are long, and the same over and over. */
const LONGEST_STATEMENT = 2_000;
const KINDS: Readonly<Record<Step, SpanKind>> = {
  admission: SpanKind.INTERNAL,
  operation: SpanKind.INTERNAL,
  statement: SpanKind.CLIENT,
};

/** Sends a span for each request, operation and statement, as the standard variables say. No state is shared between two. */
export function startTracing({
  version,
  routeOf,
}: {
  readonly version: string;
  readonly routeOf: (url: string) => string;
}): Tracing {
  const named = resourceFromAttributes({ 'service.name': 'periscope', 'service.version': version });
  // The environment has the last word: OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES.
  const resource = defaultResource()
    .merge(named)
    .merge(detectResources({ detectors: [envDetector] }));
  const processor = new BatchSpanProcessor(new OTLPTraceExporter());
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  const tracer = provider.getTracer('periscope', version);
  const propagator = new W3CTraceContextPropagator();
  return {
    watch(request, response) {
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      return traceRequest(tracer, parent, routeOf(request.url ?? ''), request, response);
    },
    // What cannot be sent any more is lost.
    async [Symbol.asyncDispose]() {
      const sent = provider.shutdown().catch(() => undefined);
      const late = new AbortController();
      const limit = sleep(CLOSE_LIMIT_MS, undefined, { signal: late.signal }).catch(() => undefined);
      await Promise.race([sent, limit]);
      late.abort();
    },
  };
}

function traceRequest(
  tracer: Tracer,
  parent: Context,
  route: string,
  { method = '' }: IncomingMessage,
  response: ServerResponse,
): Steps {
  const attributes = { 'http.request.method': method, 'http.route': route };
  const request = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
  const inRequest = trace.setSpan(parent, request);
  let inOperation: Context | null = null;
  response.once('close', () => {
    request.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= 500) request.setStatus({ code: SpanStatusCode.ERROR });
    request.end();
  });
  return {
    begin(step, about) {
      const kind = KINDS[step];
      const span = tracer.startSpan(
        nameOf(step, about),
        { kind, attributes: attributesOf(step, about) },
        inOperation ?? inRequest,
      );
      if (step === 'operation') inOperation = trace.setSpan(inRequest, span);
      return (error) => {
        if (step === 'operation') inOperation = null;
        end(span, error);
      };
    },
  };
}

function nameOf(step: Step, about: string | undefined): string {
  return step === 'statement' ? `${/^\s*(\w+)/.exec(about ?? '')?.[1] ?? 'SQL'} postgresql` : step;
}

function attributesOf(step: Step, about: string | undefined) {
  if (step === 'statement')
    return {
      'db.system.name': 'postgresql',
      'db.query.text': (about ?? '').trim().slice(0, LONGEST_STATEMENT),
    };
  return about === undefined ? {} : { 'graphql.operation.name': about };
}

function end(span: Span, error: unknown): void {
  if (error instanceof Error) {
    span.recordException(error);
    span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  }
  span.end();
}
