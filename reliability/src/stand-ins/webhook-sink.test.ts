import { afterAll, beforeEach, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { startWebhookSink } from './webhook-sink.ts';

const sink = await startWebhookSink(createRandom('webhooks'));
afterAll(() => sink.close());
beforeEach(() => sink.calls.splice(0));

const post = (id: string) =>
  fetch(`${sink.url}/own/one`, { method: 'POST', headers: { 'webhook-id': id }, body: 'event' });
const statusOf = async (id: string) => (await post(id)).status;

it('accepts and records every call at first', async () => {
  expect(await statusOf('a')).toBe(200);
  expect(sink.calls).toMatchObject([{ path: '/own/one', id: 'a', body: 'event', behaviour: 'accept' }]);
});

it('misbehaves by the given weights until it is calm again', async () => {
  sink.misbehave({ refuse: 1 });
  expect([await statusOf('a'), await statusOf('a')]).toEqual([500, 500]);
  sink.calm();
  expect(await statusOf('a')).toBe(200);
});

it("misbehaves 'at first' for the first call of each delivery only", async () => {
  sink.misbehave({ refuse: 1 }, 'at first');
  expect([await statusOf('a'), await statusOf('a'), await statusOf('b')]).toEqual([500, 200, 500]);
});

it('redirects, and accepts with 204 when it is slow', async () => {
  const init = { method: 'POST', headers: { 'webhook-id': 'a' }, redirect: 'manual' } as const;
  sink.misbehave({ redirect: 1 });
  const moved = await fetch(`${sink.url}/own/one`, init);
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/moved']);
  sink.misbehave({ slow: 1 });
  expect(await statusOf('a')).toBe(204);
  expect(sink.calls.map(({ behaviour }) => behaviour)).toEqual(['redirect', 'slow']);
});

it('records a call whose connection it resets', async () => {
  sink.misbehave({ 'accept-and-reset': 1 });
  await expect(post('a')).rejects.toThrow();
  expect(sink.calls).toMatchObject([{ id: 'a', body: 'event', behaviour: 'accept-and-reset' }]);
});
