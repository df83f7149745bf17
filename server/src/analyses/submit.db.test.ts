import type * as contract from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { keyHeaders } from '../test/analysis-service.ts';
import { createTestClient } from '../test/client.ts';
import { makeWav } from '../test/wav.ts';
import { createWorkspaceBench, type Job, SONG_URL } from './test-workspace-bench.ts';

type Slot = z.infer<typeof contract.StorageObject>;

const { db, service, newCustomer, submit } = await createWorkspaceBench();

describe('POST /v1/analyses', () => {
  it('answers 202 with the job and its options', async () => {
    const { client } = await newCustomer();
    const answer = await submit(client, {
      source_url: SONG_URL,
      features: ['rhythm', 'tonal'],
      hints: { bpm: 120, key: 'Am' },
      metadata: { album: 'one' },
      webhook_url: 'http://127.0.0.1:9/hook',
    });
    expect(answer).toMatchObject({
      status: 202,
      body: {
        status: 'queued',
        source_url: SONG_URL,
        idempotent_replay: false,
        features: ['rhythm', 'tonal'],
        metadata: { album: 'one' },
        webhook_url: 'http://127.0.0.1:9/hook',
        progress: 0,
        error: null,
      },
    });
    const stored = await db.one<{ hints: object }>('select hints from analyses where id = $1', [
      answer.body.id,
    ]);
    expect(stored.hints).toEqual({ bpm: 120, key: 'Am' });
  });

  it('accepts every group of the result as a feature, and omits the two that every result has', async () => {
    const { client } = await newCustomer();
    const body = { source_url: SONG_URL, features: ['provenance', 'tonal', 'file', 'rhythm'] };
    expect((await submit(client, body)).body.features).toEqual(['rhythm', 'tonal']);
    const alwaysPresent = await submit(client, { source_url: SONG_URL, features: ['file'] });
    expect(alwaysPresent).toMatchObject({ status: 202, body: { features: [] } });
  });

  it.each([
    ['neither source', {}, 'value_error'],
    ['both sources', { source_url: SONG_URL, storage_object_id: 'obj_1' }, 'value_error'],
    ['an unknown field', { source_url: SONG_URL, colour: 'red' }, 'extra_forbidden'],
    ['a wrong type', { source_url: 7 }, 'url_type'],
    ['an unknown feature', { source_url: SONG_URL, features: ['smell'] }, 'enum'],
  ])('answers 422 to %s', async (_, body, type) => {
    const { client } = await newCustomer();
    expect(await submit(client, body)).toMatchObject({ status: 422, body: { detail: [{ type }] } });
  });

  it.each([
    'http://169.254.169.254/x.mp3',
    'http://10.0.0.1/x.mp3',
    'http://[::1]/x.mp3',
    'http://user:pw@example.com/x.mp3',
  ])('answers 422 url_not_allowed to %s and charges nothing', async (source_url) => {
    const { client } = await newCustomer();
    expect(await submit(client, { source_url })).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'url_not_allowed', msg: expect.stringContaining('on port 80 or 443,') }] },
    });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 0 });
  });

  it('refuses a provider that is not configured, and names its place', async () => {
    const { client } = await newCustomer();
    const answer = await submit(client, { source_url: SONG_URL, enrich: ['acoustid'] });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'provider_not_configured', loc: ['body', 'enrich', '0'] }] },
    });
  });

  it('refuses a read-only key', async () => {
    const { member } = await newCustomer();
    const reader = createTestClient(service.url, await keyHeaders(member, ['analyses:read']));
    expect(await submit(reader)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });
});

describe('Idempotency-Key', () => {
  it('replays the first response and marks it as a replay', async () => {
    const { client } = await newCustomer();
    const headers = { 'idempotency-key': '"submit-0001"' };
    const first = await submit(client, { source_url: SONG_URL }, headers);
    const again = await submit(client, { source_url: SONG_URL }, { 'idempotency-key': 'submit-0001' });
    expect(first.body.idempotent_replay).toBe(false);
    expect(again).toMatchObject({ status: 202, body: { ...first.body, idempotent_replay: true } });
    const other = await submit(client, { source_url: `${SONG_URL}?other` }, headers);
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 1 });
  });

  it('creates one job from a hundred parallel requests', async () => {
    const { client } = await newCustomer();
    const headers = { 'idempotency-key': 'submit-0002' };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => submit(client, { source_url: SONG_URL }, headers)),
    );
    const accepted = answers.filter((answer) => answer.status === 202);
    expect(new Set(accepted.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.every((answer) => answer.status === 202 || answer.status === 409)).toBe(true);
    expect((await client.get<Job[]>('/v1/analyses')).body).toHaveLength(1);
    expect((await submit(client, { source_url: SONG_URL }, headers)).status).toBe(202);
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 1 });
  });

  it('is also a field of POST /v1/account/analyses', async () => {
    const { client } = await newCustomer();
    const slot = await client.post<Slot>('/v1/storage-objects', {
      content_type: 'audio/wav',
      purpose: 'upload',
    });
    const bytes = new Uint8Array(makeWav({ seconds: 1 }));
    await fetch(slot.body.signed_url, {
      method: 'PUT',
      headers: { 'content-type': 'audio/wav' },
      body: bytes,
    });
    const body = { storage_object_id: slot.body.id, idempotency_key: 'account-0001' };
    const first = await client.post<Job>('/v1/account/analyses', body);
    const again = await client.post<Job>('/v1/account/analyses', body);
    expect([first.status, first.body.idempotent_replay]).toEqual([202, false]);
    expect([again.status, again.body.idempotent_replay, again.body.id]).toEqual([202, true, first.body.id]);
    expect((await client.get(`/v1/account/analyses/${first.body.id}`)).body).toMatchObject({
      status: 'queued',
    });
  });
});

describe('batch', () => {
  const urls = (count: number) => Array.from({ length: count }, (_, index) => `${SONG_URL}?${index}`);

  it.each(['/v1/batch', '/v1/analyze/batch'])('%s accepts ten items and not eleven', async (path) => {
    const { client } = await newCustomer();
    const ten = await client.post<{ jobs: { job_id: string; url: string }[] }>(path, { urls: urls(10) });
    expect(ten.status).toBe(202);
    expect(ten.body.jobs.map((job) => job.url)).toEqual(urls(10));
    const eleven = await client.post(path, { items: urls(11).map((url) => ({ url })) });
    expect(eleven).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'too_long', loc: ['body', 'items'] }] },
    });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 10 });
  });

  it('accepts all or none', async () => {
    const { client } = await newCustomer();
    const bad = await client.post('/v1/batch', { urls: [...urls(2), 'http://10.0.0.1/x.mp3'] });
    expect(bad).toMatchObject({ status: 422, body: { detail: [{ type: 'url_not_allowed' }] } });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 0 });
    for (let count = 0; count < 9; count++) await client.post('/v1/batch', { urls: urls(10) });
    await client.post('/v1/batch', { urls: urls(5) });
    const tooMany = await client.post('/v1/batch', { urls: urls(6) });
    expect(tooMany).toMatchObject({ status: 402, body: { code: 'quota_exceeded', limit: 100, count: 95 } });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 95, remaining: 5 });
  });
});
