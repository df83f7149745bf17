import { describe, expect, it } from 'vitest';
import { audioForm } from '../test/client.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail, register, signIn } from '../test/test-app.ts';
import { makeWav } from '../test/wav.ts';

/** Promises about input, tested with the whole app: one shape of 422, forms as strict as JSON, cursors, idempotency keys. */

const { db } = await createTestDatabase({ connectionsMax: 20 });
const test = await buildTestApp(db);
const SONG = 'http://127.0.0.1:9/song.wav';
const HIDDEN = 'http://10.0.0.1/song.wav';
const key = await register(test);
const person = await signIn(test);

const sendForm = (form: FormData) =>
  test.call('POST', '/v1/analyze/upload', { headers: key.headers, body: form });

/** The path of the next page; null on the last. */
const nextOf = ({ link }: Record<string, string>): string | null =>
  /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1] ?? null;
const issue = (type: string, ...loc: string[]) => ({ status: 422, body: { detail: [{ type, loc }] } });

describe('every 422 is a list of issues with their locations', () => {
  it.each([
    ['/v1/analyses', { source_url: HIDDEN }, ['body', 'source_url']],
    ['/v1/analyses', { source_url: SONG, webhook_url: HIDDEN }, ['body', 'webhook_url']],
    ['/v1/analyze/url', { url: HIDDEN }, ['body', 'url']],
    ['/v1/batch', { urls: [SONG, HIDDEN] }, ['body', 'urls', '1']],
    [
      '/v1/analyze/batch',
      { items: [{ url: SONG }, { url: SONG, webhook_url: HIDDEN }] },
      ['body', 'items', '1', 'webhook_url'],
    ],
    ['/v1/demo/analyze/url', { url: HIDDEN }, ['body', 'url']],
    ['/v1/webhook-endpoints', { url: HIDDEN }, ['body', 'url']],
  ])('a URL that is not allowed: %s', async (path, body, loc) => {
    const answer = await test.call('POST', path, { headers: key.headers, body });
    expect(answer).toMatchObject(issue('url_not_allowed', ...loc));
    expect(answer.body.detail[0].input).toBe(HIDDEN);
  });

  it('a batch reports every invalid item', async () => {
    const body = { urls: [HIDDEN, SONG, 'http://10.0.0.2/'] };
    const { body: problem } = await test.call('POST', '/v1/batch', { headers: key.headers, body });
    expect(problem.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'body.urls.0',
      'body.urls.2',
    ]);
  });

  it('a provider that is not configured', async () => {
    const body = { source_url: SONG, enrich: ['acoustid'] };
    const answer = await test.call('POST', '/v1/analyses', { headers: key.headers, body });
    expect(answer).toMatchObject(issue('provider_not_configured', 'body', 'enrich', '0'));
  });
});

describe('hints', () => {
  it.each([
    [{ bpm_min: 130, bpm_max: 90 }, ['body', 'hints', 'bpm_min']],
    [{ bpm: 200, bpm_min: 90, bpm_max: 130 }, ['body', 'hints', 'bpm']],
    [{ bpm: 60, bpm_min: 90 }, ['body', 'hints', 'bpm']],
    [{ bpm: 150, bpm_max: 130 }, ['body', 'hints', 'bpm']],
  ])('that contradict each other are rejected: %o', async (hints, loc) => {
    const answer = await test.call('POST', '/v1/analyses', {
      headers: key.headers,
      body: { source_url: SONG, hints },
    });
    expect(answer).toMatchObject(issue('value_error', ...loc));
  });
});

describe('a form is validated by the same schema', () => {
  const wav = makeWav({ seconds: 1 });

  it.each([
    ['an unknown field', { colour: 'red' }, 'extra_forbidden', ['body', 'colour']],
    ['an empty webhook_url', { webhook_url: '' }, 'url_parsing', ['body', 'webhook_url']],
    ['an unknown feature', { features: '["smell"]' }, 'enum', ['body', 'features', '0']],
    ['hints that are no JSON', { hints: '{bpm' }, 'json_invalid', ['body', 'hints']],
    [
      'hints that contradict',
      { hints: '{"bpm_min":130,"bpm_max":90}' },
      'value_error',
      ['body', 'hints', 'bpm_min'],
    ],
    ['metadata that is no text', { metadata: '{"a":1}' }, 'string_type', ['body', 'metadata', 'a']],
  ])('%s', async (_, fields, type, loc) => {
    const answer = await sendForm(audioForm(wav, { fields: fields as Record<string, string> }));
    expect(answer).toMatchObject(issue(type, ...loc));
  });

  it('a second file', async () => {
    const form = audioForm(wav);
    form.append('file', new Blob([wav as Uint8Array<ArrayBuffer>]), 'other.wav');
    expect(await sendForm(form)).toMatchObject(issue('too_long', 'body', 'file'));
  });

  it('takes features, hints and metadata, as single and batched URLs do', async () => {
    const options = { features: ['rhythm'], hints: { bpm: 120 }, metadata: { album: 'one' } };
    const fields = {
      features: JSON.stringify(options.features),
      hints: JSON.stringify(options.hints),
      metadata: JSON.stringify(options.metadata),
    };
    const accepted = [
      await sendForm(audioForm(wav, { fields })),
      await sendForm(audioForm(wav, { fields: { ...fields, features: 'rhythm' } })),
      await test.call('POST', '/v1/analyze/url', { headers: key.headers, body: { url: SONG, ...options } }),
    ];
    const batch = await test.call('POST', '/v1/batch', {
      headers: key.headers,
      body: { items: [{ url: SONG, ...options }] },
    });
    const ids = [...accepted.map(({ body }) => body.job_id), batch.body.jobs[0].job_id];
    for (const id of ids) {
      const { body: job } = await test.call('GET', `/v1/analyses/${id}`, { headers: key.headers });
      expect(job).toMatchObject({ features: ['rhythm'], metadata: { album: 'one' } });
    }
    const stored = await db.query('select hints from analyses where id = any ($1)', [ids]);
    expect(stored).toEqual(Array(4).fill({ hints: { bpm: 120 } }));
  });
});

describe('lists', () => {
  const LISTS = [
    '/v1/api-keys',
    '/v1/audit-events',
    '/v1/collections',
    '/v1/webhook-endpoints',
    '/v1/webhook-deliveries',
    '/v1/account/team',
    '/v1/account/workspaces',
  ];
  it.each(LISTS)('%s rejects a cursor that is not one of its ids, and a limit of 0', async (path) => {
    for (const after of ['zz', 'usr_1', '', 'obj_01k0f8yq3m7t9w2x4z6b8c0d1e']) {
      const answer = await test.call('GET', `${path}?after=${after}`, { headers: person.headers });
      expect(answer).toMatchObject(issue('string_pattern_mismatch', 'query', 'after'));
    }
    const limit = await test.call('GET', `${path}?limit=0`, { headers: person.headers });
    expect(limit).toMatchObject(issue('greater_than_equal', 'query', 'limit'));
  });

  it('events come oldest first, in pages', async () => {
    const { body: job } = await test.call('POST', '/v1/analyses', {
      headers: key.headers,
      body: { source_url: SONG },
    });
    await test.call('POST', `/v1/analyses/${job.id}/cancel`, { headers: key.headers });
    const path = `/v1/analyses/${job.id}/events`;
    expect(await test.call('GET', `${path}?limit=abc`, { headers: key.headers })).toMatchObject(
      issue('int_parsing', 'query', 'limit'),
    );
    expect(await test.call('GET', `${path}?after=zz`, { headers: key.headers })).toMatchObject(
      issue('string_pattern_mismatch', 'query', 'after'),
    );
    const first = await test.call('GET', `${path}?limit=1`, { headers: key.headers });
    expect(first.body).toMatchObject([{ event_type: 'job.queued' }]);
    const second = await test.call('GET', nextOf(first.headers)!, { headers: key.headers });
    expect(second.body).toMatchObject([{ event_type: 'job.canceled' }]);
    expect(second.headers.link).toBeUndefined();
  });

  it('team and workspaces come in pages, each person and each workspace once', async () => {
    const guests = [freshEmail('guest'), freshEmail('guest'), freshEmail('guest')];
    for (const email of guests) {
      await test.call('POST', '/v1/account/team/invitations', { headers: person.headers, body: { email } });
      await signIn(test, email);
    }
    for (let count = 0; count < 3; count += 1) {
      const email = freshEmail('open');
      await test.call('POST', '/v1/account/team/invitations', { headers: person.headers, body: { email } });
    }
    const [members, invitations] = [new Set<string>(), new Set<string>()];
    let pages = 0;
    for (let url: string | null = '/v1/account/team?limit=2'; url !== null; pages += 1) {
      const { body, headers } = await test.call('GET', url, { headers: person.headers });
      expect(body.members.length).toBeLessThanOrEqual(2);
      expect(body.invitations.length).toBeLessThanOrEqual(2);
      for (const { user_id } of body.members) members.add(user_id);
      for (const { id } of body.invitations) invitations.add(id);
      url = nextOf(headers);
    }
    expect([members.size, invitations.size, pages]).toEqual([4, 6, 3]);

    const guest = await signIn(test, guests[0]);
    const seen: string[] = [];
    for (let url: string | null = '/v1/account/workspaces?limit=1'; url !== null; ) {
      const { body, headers } = await test.call('GET', url, { headers: guest.headers });
      seen.push(...body.workspaces.map(({ workspace_id }: { workspace_id: string }) => workspace_id));
      url = nextOf(headers);
    }
    expect(new Set(seen).size).toBe(2);
    expect(seen).toHaveLength(2);
  });
});

describe('Idempotency-Key', () => {
  const post = (path: string, body: unknown, headers: Record<string, string>) =>
    test.call('POST', path, { headers: { ...key.headers, ...headers }, body });

  it('identifies the same JSON with its members in another order', async () => {
    const header = { 'idempotency-key': 'order-of-members' };
    const first = await post('/v1/analyses', `{"source_url":"${SONG}","metadata":{"a":"1","b":"2"}}`, header);
    const second = await post(
      '/v1/analyses',
      `{"metadata":{"b":"2","a":"1"}, "source_url":"${SONG}"}`,
      header,
    );
    expect(second).toMatchObject({ status: 202, body: { id: first.body.id, idempotent_replay: true } });
    const other = await post('/v1/analyses', { source_url: `${SONG}?2` }, header);
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
  });

  it('belongs to the workspace: it cannot be reused on another route', async () => {
    const header = { 'idempotency-key': 'one-for-all' };
    expect((await post('/v1/analyze/url', { url: SONG }, header)).status).toBe(202);
    const elsewhere = await post('/v1/analyses', { source_url: SONG }, header);
    expect(elsewhere).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
  });

  it('may be one character', async () => {
    const first = await post('/v1/analyses', { source_url: SONG }, { 'idempotency-key': '7' });
    const again = await post('/v1/analyses', { source_url: SONG }, { 'idempotency-key': '7' });
    expect([first.status, again.body.id, again.body.idempotent_replay]).toEqual([202, first.body.id, true]);
    const empty = await post('/v1/analyses', { source_url: SONG }, { 'idempotency-key': '' });
    expect(empty).toMatchObject(issue('string_too_short', 'header', 'idempotency-key'));
  });

  it('must be the same in header and body', async () => {
    const slot = await post('/v1/storage-objects', { content_type: 'audio/wav', purpose: 'upload' }, {});
    const { pathname, search } = new URL(slot.body.signed_url);
    await test.app.inject({
      method: 'PUT',
      url: `${pathname}${search}`,
      headers: { 'content-type': 'audio/wav' },
      payload: Buffer.from(makeWav({ seconds: 1 })),
    });
    const body = { storage_object_id: slot.body.id, idempotency_key: 'in-the-body' };
    const differing = await post('/v1/account/analyses', body, { 'idempotency-key': 'in-the-header' });
    expect(differing).toMatchObject(issue('value_error', 'body', 'idempotency_key'));
    const first = await post('/v1/account/analyses', body, { 'idempotency-key': 'in-the-body' });
    const onlyHeader = await post(
      '/v1/account/analyses',
      { storage_object_id: slot.body.id },
      { 'idempotency-key': 'in-the-body' },
    );
    expect(onlyHeader.body).toMatchObject({ id: first.body.id, idempotent_replay: true });
  });

  it('replays the answer of a registration and of a demo, to the same client only', async () => {
    const header = { 'idempotency-key': 'register-once' };
    const body = { email: freshEmail('once') };
    const first = await test.call('POST', '/v1/auth/register', { headers: header, body, ip: '198.51.100.7' });
    const again = await test.call('POST', '/v1/auth/register', { headers: header, body, ip: '198.51.100.7' });
    expect([first.status, again.status, again.body.api_key]).toEqual([201, 201, first.body.api_key]);
    const stranger = await test.call('POST', '/v1/auth/register', {
      headers: header,
      body,
      ip: '198.51.100.8',
    });
    expect(stranger).toMatchObject({ status: 409, body: { code: 'email_exists' } });
    const demo = (ip: string) =>
      test.call('POST', '/v1/demo/analyze/url', { headers: header, body: { url: SONG }, ip });
    const [one, two] = [await demo('198.51.100.9'), await demo('198.51.100.9')];
    expect([one.status, two.body.poll_url]).toEqual([202, one.body.poll_url]);
    const other = await demo('198.51.100.10');
    expect(other.status).toBe(202);
    expect(other.body.poll_url).not.toBe(one.body.poll_url);
  });
});
