import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Logger } from './log.ts';

/**
 * Tracing, from a request over the jobs it causes to the webhook calls that report them. Without OTEL_EXPORTER_OTLP_ENDPOINT all of this
 * does nothing: OpenTelemetry's API has no-op implementations, and the SDK is not loaded. Spans contain ids, names and codes, never
 * addresses or texts of customers.
 */
const tracer = trace.getTracer('earshot');

export type TracingConfig = { endpoint: string | null; serviceName: string; headers: Record<string, string> };

/** Resolves with a function that sends the last spans; call it at the end. */
export async function startTracing(
  config: TracingConfig,
  log: Logger,
  resource: { version: string; role: string },
): Promise<() => Promise<void>> {
  if (config.endpoint === null) return async () => {};
  const [sdk, { AsyncLocalStorageContextManager }, core, { resourceFromAttributes }, otlp] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('./otlp-exporter.ts'),
    ]);
  const url = `${config.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.serviceName,
      'service.version': resource.version,
      'service.instance.role': resource.role,
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(otlp.createOtlpExporter({ url, headers: config.headers, log })),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    await provider.shutdown().catch((error: unknown) => log.warn({ err: error }, 'The last spans are lost'));
    trace.disable();
    propagation.disable();
    context.disable();
  };
}

export type SpanOptions = {
  kind?: SpanKind;
  attributes?: Attributes;
  /** Default: the span this code runs in. */
  parent?: Context;
};

/** Runs `work` in a span that ends with it. When it throws, the span is marked with the name of the error, without its message. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const { kind = SpanKind.INTERNAL, attributes = {}, parent = context.active() } = options;
  return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Starts a span that the caller must end. */
export function startSpan(name: string, options: SpanOptions = {}): Span {
  const { kind = SpanKind.INTERNAL, attributes = {}, parent = context.active() } = options;
  return tracer.startSpan(name, { kind, attributes }, parent);
}

export function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'Error' });
}

/** The present trace, for the payload of a job, so that its attempts join the trace of its request; empty without tracing. */
export function currentTrace(): { traceparent?: string } {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** The reverse of `currentTrace`: the parent of an attempt's span, from the payload of its job. */
export function continueTrace(carrier: unknown): Context {
  const traceparent = (carrier as { traceparent?: unknown } | null)?.traceparent;
  if (typeof traceparent !== 'string') return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}

/** Runs `work` with `span` as the parent of new spans and jobs. */
export function withSpan<T>(span: Span, work: () => T): T {
  return context.with(trace.setSpan(context.active(), span), work);
}

/** The fields of a log line that name its trace. */
export function traceFields(): { traceId?: string; spanId?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { traceId: span.traceId, spanId: span.spanId };
}
