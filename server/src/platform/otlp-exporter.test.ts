import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import { encodeSpans } from './otlp-exporter.ts';

it('encodes times in nanoseconds, kinds counted from 1, and each type of value under its name in the protocol', () => {
  const span = {
    name: 'job',
    kind: 0,
    startTime: [1_700_000_000, 5],
    endTime: [1_700_000_001, 0],
    attributes: { text: 'a', whole: 7, part: 0.5, yes: true, list: ['x', null], left: undefined },
    status: { code: 0 },
    droppedAttributesCount: 0,
    resource: { attributes: { 'service.name': 'earshot' } },
    spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
  } as unknown as ReadableSpan;
  const [sent] = encodeSpans([span]).resourceSpans;
  expect(sent?.resource.attributes).toEqual([{ key: 'service.name', value: { stringValue: 'earshot' } }]);
  expect(sent?.scopeSpans[0]?.spans[0]).toMatchObject({
    kind: 1,
    startTimeUnixNano: '1700000000000000005',
    endTimeUnixNano: '1700000001000000000',
    attributes: [
      { key: 'text', value: { stringValue: 'a' } },
      { key: 'whole', value: { intValue: '7' } },
      { key: 'part', value: { doubleValue: 0.5 } },
      { key: 'yes', value: { boolValue: true } },
      { key: 'list', value: { arrayValue: { values: [{ stringValue: 'x' }, {}] } } },
    ],
  });
});
