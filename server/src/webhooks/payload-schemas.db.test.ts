import { readFileSync } from 'node:fs';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@earshot/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, expect, test } from 'vitest';
import { keyHeaders, startAnalysisWorker } from '../test/analysis-service.ts';
import { audioForm } from '../test/client.ts';
import { createTestDatabase } from '../test/database.ts';
import { type ReceivedCall, startReceiver } from '../test/local-server.ts';
import { createTestMember } from '../test/member.ts';
import { buildTestApp } from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';

/** Validates every call, as it arrives at a receiver, against the `webhooks` section of the published OpenAPI document. */

const { db } = await createTestDatabase({ connectionsMax: 20 });
const app = await buildTestApp(db);
const worker = await startAnalysisWorker(app.ctx);
afterAll(() => worker.stop(0));

const document = JSON.parse(readFileSync('contract/openapi.json', 'utf8'));
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'earshot');

function schemaOf(type: WebhookEventType): ValidateFunction {
  const pointer = `/webhooks/${type}/post/requestBody/content/application~1json/schema`;
  const validate = ajv.getSchema(`earshot#${pointer}`);
  if (!validate) throw new Error(`The document has no webhook ${type}`);
  return validate;
}

test('every event type has a valid payload, at an endpoint and at the address of its own job', async () => {
  const receiver = await startReceiver();
  const headers = await keyHeaders(await createTestMember(app.ctx));
  const post = (url: string, body?: unknown) => app.call('POST', url, { headers, body });
  const endpoint = await post('/v1/webhook-endpoints', { url: `${receiver.url}/endpoint` });
  expect(endpoint.status).toBe(201);

  const wav = makeWav({ seconds: 1 });
  // The second is a WAV header without a single sample.
  for (const bytes of [wav, wav.subarray(0, 44)])
    expect((await post('/v1/analyze/upload', audioForm(bytes))).status).toBe(202);
  const own = { webhook_url: `${receiver.url}/own`, metadata: { album: 'one' } };
  const waiting = await post('/v1/analyses', { source_url: `${receiver.url}/song.wav`, ...own });
  await post(`/v1/analyses/${waiting.body.id}/cancel`);
  await post(`/v1/webhook-endpoints/${endpoint.body.id}/test`);

  const typeOf = ({ body }: ReceivedCall): WebhookEventType => JSON.parse(body).type;
  const hooks = () => receiver.calls.filter(({ headers }) => headers['webhook-id'] !== undefined);
  await until(
    () => new Set(hooks().map(typeOf)).size === WEBHOOK_EVENT_TYPES.length && hooks().length === 5,
    'every event has been delivered, the canceled one to both addresses',
  );
  for (const call of hooks()) {
    const validate = schemaOf(typeOf(call));
    expect([typeOf(call), validate(JSON.parse(call.body)), validate.errors]).toEqual([
      typeOf(call),
      true,
      null,
    ]);
    // As Standard Webhooks recommends.
    expect(Buffer.byteLength(call.body)).toBeLessThan(20_000);
  }
  expect(
    hooks()
      .filter(({ path }) => path === '/own')
      .map(typeOf),
  ).toEqual(['analysis.canceled']);
});

test('the schema of one event type rejects the payload of another', () => {
  const completed = document.components.schemas.AnalysisCompletedPayload.examples[0];
  expect(schemaOf('analysis.completed')(completed)).toBe(true);
  for (const type of WEBHOOK_EVENT_TYPES.filter((other) => other !== 'analysis.completed')) {
    expect(schemaOf(type)(completed), type).toBe(false);
  }
  expect(schemaOf('analysis.completed')({ ...completed, data: {} })).toBe(false);
});
