import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ExportResult } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createLogger } from './log.ts';
import { createOtlpExporter } from './otlp-exporter.ts';

/** A collector that keeps the last request and answers with `status`. */
let status = 200;
let received: { headers: IncomingHttpHeaders; body: unknown } | null = null;
const collector = createServer(async (request, response) => {
  received = { headers: request.headers, body: await json(request) };
  response.writeHead(status).end('{}');
});
collector.listen(0, '127.0.0.1');
await once(collector, 'listening');
afterAll(() => void collector.close());

const lines: string[] = [];
const log = createLogger({ level: 'warn', destination: { write: (line) => lines.push(line) } });
const exporter = createOtlpExporter({
  url: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
  headers: { 'x-token': 'secret' },
  log,
});
const send = (spans: ReadableSpan[]) =>
  new Promise<ExportResult>((resolve) => exporter.export(spans, resolve));

beforeEach(() => {
  status = 200;
  lines.length = 0;
});

const span = {
  name: 'job',
  kind: 0,
  startTime: [1_700_000_000, 5],
  endTime: [1_700_000_001, 0],
  attributes: { text: 'a', whole: 7, part: 0.5, yes: true, list: ['x', null], left: undefined },
  status: { code: 2, message: 'TypeError' },
  droppedAttributesCount: 3,
  resource: { attributes: { 'service.name': 'earshot' } },
  spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
  parentSpanContext: { spanId: 'c'.repeat(16) },
} as unknown as ReadableSpan;

it('sends times in nanoseconds, kinds counted from 1, and each type of value under its name in the protocol', async () => {
  expect(await send([span])).toEqual({ code: 0 });
  expect(received?.headers).toMatchObject({ 'content-type': 'application/json', 'x-token': 'secret' });
  expect(received?.body).toEqual({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'earshot' } }] },
        scopeSpans: [
          {
            scope: { name: 'earshot' },
            spans: [
              {
                traceId: 'a'.repeat(32),
                spanId: 'b'.repeat(16),
                parentSpanId: 'c'.repeat(16),
                flags: 1,
                name: 'job',
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
                droppedAttributesCount: 3,
                status: { code: 2, message: 'TypeError' },
              },
            ],
          },
        ],
      },
    ],
  });
});

it('reports and logs the failure when the collector refuses the spans', async () => {
  status = 400;
  expect(await send([span])).toMatchObject({ code: 1, error: { message: 'The collector answered 400' } });
  expect(JSON.parse(lines[0]!)).toMatchObject({ spans: 1, msg: 'Spans were not sent' });
});
