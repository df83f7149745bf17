import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Logger } from './log.ts';

/**
 * Traces a request through its jobs to the webhook calls that report them. Without OTEL_EXPORTER_OTLP_ENDPOINT all of this does nothing:
 * OpenTelemetry's API falls back to no-ops and the SDK is not loaded. Spans contain ids, names and codes, never customers' addresses or
 * texts.
 */
const tracer = trace.getTracer('earshot');

export type TracingConfig = { endpoint: string | null; serviceName: string; headers: Record<string, string> };

/** Resolves to a function that sends the remaining spans, to be called on shutdown. */
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

type SpanOptions = {
  kind?: SpanKind;
  attributes?: Attributes;
  /** By default the active span. */
  parent?: Context;
};

/** Runs `work` in a span. When it throws, the span gets the error's name as its status, not its message, which may contain user data. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const { parent = context.active(), ...spanOptions } = options;
  return tracer.startActiveSpan(name, spanOptions, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const message = error instanceof Error ? error.name : 'Error';
      span.setStatus({ code: SpanStatusCode.ERROR, message });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Starts a span that the caller must end. */
export function startSpan(name: string, options: SpanOptions): Span {
  const { parent, ...spanOptions } = options;
  return tracer.startSpan(name, spanOptions, parent);
}

/** The active trace for a job's payload, so that its attempts join the trace of the request; empty without tracing. */
export function currentTrace(): { traceparent?: string } {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** The parent of an attempt's span, from what `currentTrace` put into the job's payload. */
export function continueTrace(carrier: unknown): Context {
  const traceparent = (carrier as { traceparent?: unknown } | null)?.traceparent;
  if (typeof traceparent !== 'string') return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}

/** Runs `work` with `span` as the active span. */
export function withSpan<T>(span: Span, work: () => T): T {
  return context.with(trace.setSpan(context.active(), span), work);
}

/** Log line fields that identify the trace. */
export function traceFields(): { traceId?: string; spanId?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { traceId: span.traceId, spanId: span.spanId };
}
