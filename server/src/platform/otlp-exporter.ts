import { withDeadline } from '@earshot/sdk';
import type { Attributes, AttributeValue, HrTime } from '@opentelemetry/api';
import type { ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from './log.ts';

/** The default of OpenTelemetry's own exporters. */
const TIMEOUT_MS = 10_000;
/** The enum is imported only as a type: our bundle would load a package imported for its values at every start, even without tracing. */
const SUCCESS: ExportResultCode.SUCCESS = 0;
const FAILED: ExportResultCode.FAILED = 1;

/**
 * Sends spans as OTLP/HTTP in its JSON encoding (opentelemetry-proto, "JSON Protobuf Encoding": ids in hex, 64-bit integers as strings,
 * enums as numbers). OpenTelemetry's own exporter is large, mostly for encodings that we do not use (docs/adr/0007-figures-and-traces.md).
 */
export function createOtlpExporter(options: {
  url: string;
  headers: Record<string, string>;
  log: Logger;
}): SpanExporter {
  async function send(spans: readonly ReadableSpan[]): Promise<void> {
    await withDeadline(TIMEOUT_MS, async (signal) => {
      const response = await fetch(options.url, {
        method: 'POST',
        headers: { ...options.headers, 'content-type': 'application/json' },
        body: JSON.stringify(encodeSpans(spans)),
        signal,
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`The collector answered ${response.status}`);
    });
  }
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      send(spans).then(
        () => done({ code: SUCCESS }),
        (error: Error) => {
          // Spans are not retried: losing some is better than a service that waits for its collector.
          options.log.warn({ err: error, spans: spans.length }, 'Spans were not sent');
          done({ code: FAILED, error });
        },
      );
    },
    shutdown: async () => {},
  };
}

function encodeSpans(spans: readonly ReadableSpan[]) {
  const scope = { name: 'earshot' };
  return {
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(spans[0]?.resource.attributes ?? {}) },
        scopeSpans: [{ scope, spans: spans.map(encodeSpan) }],
      },
    ],
  };
}

function encodeSpan(span: ReadableSpan) {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    flags: traceFlags,
    name: span.name,
    // In the protocol, 0 is "unspecified" and the kinds start at 1.
    kind: span.kind + 1,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: encodeAttributes(span.attributes),
    droppedAttributesCount: span.droppedAttributesCount,
    status: { code: span.status.code, message: span.status.message },
  };
}

function nanoseconds([seconds, nanos]: HrTime): string {
  return String(BigInt(seconds) * 1_000_000_000n + BigInt(nanos));
}

function encodeAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  );
}

function encodeValue(value: AttributeValue): unknown {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (typeof value === 'string') return { stringValue: value };
  // The protocol encodes a missing value as an empty one.
  const values = value.map((item) => (item === null || item === undefined ? {} : encodeValue(item)));
  return { arrayValue: { values } };
}
