import { expect, it } from 'vitest';
import type { OperationKind } from './driver.ts';
import type { Answer } from './http-call.ts';
import type { Random } from './random.ts';
import { submissionOf } from './submissions.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

/** Every chance comes true, and every number drawn is 2. */
const random = { chance: () => true, integer: () => 2 } as unknown as Random;
const world = { seed: 's', origin: { url: 'http://origin' } } as World;
const tenant = { marker: 'mark', jobWebhookUrl: 'http://own' } as Tenant;

const answer = (status: number, body: object = {}): Answer => ({
  kind: 'answer',
  status,
  text: '',
  body,
  code: null,
});
const ACCEPTED = answer(202);
const SLOT = answer(201, {
  id: 'obj_1',
  signed_url: 'http://service/v1/storage-objects/obj_1/content?sig=1',
});

/** The requests of operation 7 when they receive these answers in turn. */
async function send(kind: OperationKind, answers: Answer[] = [ACCEPTED]) {
  const submission = submissionOf(kind, 7, tenant, world, random);
  const requests: { path: string; init: RequestInit }[] = [];
  const result = await submission.send(async (path, init) => {
    requests.push({ path, init });
    return answers[requests.length - 1]!;
  });
  return { submission, requests, result };
}

const bodyOf = (init: RequestInit | undefined) => JSON.parse(String(init?.body)) as Record<string, unknown>;
const keyOf = ({ headers }: RequestInit) => (headers as Record<string, string>)['idempotency-key'];

it.each([
  ['url', 'http://origin/mark-op7-0.wav'],
  ['broken', 'http://origin/mark-op7-0.wav?as=not-audio'],
  ['slow', 'http://origin/mark-op7-0.wav?as=slow'],
] as const)('%s submits %s with its key and webhook', async (kind, url) => {
  const { submission, requests } = await send(kind);
  expect(submission).toMatchObject({ key: 's-op-7-2', requestedJobCount: 1, auth: 'key' });
  expect(requests.map(({ path }) => path)).toEqual(['/v1/analyze/url']);
  expect(bodyOf(requests[0]!.init)).toEqual({ url, webhook_url: 'http://own' });
  expect(keyOf(requests[0]!.init)).toBe('s-op-7-2');
});

it('requests as many jobs as a batch has items', async () => {
  const { submission, requests } = await send('batch');
  expect(submission.requestedJobCount).toBe(2);
  expect(bodyOf(requests[0]!.init).items).toEqual([
    { url: 'http://origin/mark-op7-0.wav', webhook_url: 'http://own' },
    { url: 'http://origin/mark-op7-1.wav', webhook_url: 'http://own' },
  ]);
});

it('sends the same file again with the same key', async () => {
  const { submission, requests } = await send('upload');
  await submission.send(async (path, init) => {
    requests.push({ path, init });
    return ACCEPTED;
  });
  const files = requests.map(({ init }) => (init.body as FormData).get('file') as File);
  expect(files.map(({ name }) => name)).toEqual(['mark-op7-0.wav', 'mark-op7-0.wav']);
  // As arrays: vitest takes any two ArrayBuffers for equal.
  const [first, second] = await Promise.all(
    files.map(async (file) => new Uint8Array(await file.arrayBuffer())),
  );
  expect(second).toEqual(first);
  expect(requests.map(({ init }) => keyOf(init))).toEqual(['s-op-7-2', 's-op-7-2']);
});

it('uploads into a slot, through any process, and submits the object with a separate key', async () => {
  const { requests, result } = await send('object', [SLOT, answer(200), ACCEPTED]);
  expect(requests.map(({ path }) => path)).toEqual([
    '/v1/storage-objects',
    '/v1/storage-objects/obj_1/content?sig=1',
    '/v1/analyses',
  ]);
  expect([keyOf(requests[0]!.init), keyOf(requests[2]!.init)]).toEqual([
    's-op-7-2-slot',
    's-op-7-2-analysis',
  ]);
  expect(bodyOf(requests[2]!.init)).toMatchObject({
    storage_object_id: 'obj_1',
    metadata: { marker: 'mark' },
  });
  expect(result).toBe(ACCEPTED);
});

it('submits an object whose bytes were refused, but not one whose upload is undecided', async () => {
  expect((await send('object', [SLOT, answer(409), ACCEPTED])).result).toBe(ACCEPTED);
  const busy = answer(503);
  expect((await send('object', [SLOT, busy])).result).toBe(busy);
});

it('is undecided when no slot was created', async () => {
  const { result } = await send('object', [answer(404)]);
  expect(result).toMatchObject({ kind: 'unknown' });
});
