import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../platform/time-units.ts';
import { startAnalysisWorker } from '../test/analysis-service.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { buildTestApp, type SignedIn, signIn } from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';
import { sweepExpiredSources } from './source-deletion.ts';

/** How long audio is kept: by submission, by workspace, and until it is deleted on request. */

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);
const app = await buildTestApp(db, { storage: ctx.storage });

const retain = (person: SignedIn, retain_source: unknown) =>
  app.call('PATCH', `/v1/account/workspaces/${person.workspaceId}`, {
    headers: person.headers,
    body: { retain_source },
  });

/** Uploads one second of audio and waits for its analysis and the deletion of audio that is not retained. */
async function analyse(person: SignedIn, options: object = {}, uploaded?: string): Promise<string> {
  const { headers } = person;
  const objectId = uploaded ?? (await upload(person));
  const submitted = await app.call('POST', '/v1/analyses', {
    headers,
    body: { storage_object_id: objectId, features: ['loudness'], ...options },
  });
  expect(submitted.status).toBe(202);
  const worker = await startAnalysisWorker(ctx);
  await until(async () => {
    const [open] = await db.query<{ n: number }>(
      `select count(*)::int as n from jobs where kind = 'analysis.run'`,
    );
    return open?.n === 0;
  }, 'the queue is empty');
  await worker.stop(0);
  return submitted.body.id;
}

async function upload({ headers }: SignedIn): Promise<string> {
  const slot = await app.call('POST', '/v1/storage-objects', {
    headers,
    body: { content_type: 'audio/wav', purpose: 'upload', file_name: 'a.wav' },
  });
  const { pathname, search } = new URL(slot.body.signed_url);
  const put = await app.app.inject({
    method: 'PUT',
    url: pathname + search,
    headers: { 'content-type': 'audio/wav' },
    payload: makeWav({ seconds: 1 }),
  });
  expect(put.statusCode).toBe(200);
  return slot.body.id;
}

const read = async (person: SignedIn, id: string) =>
  (await app.call('GET', `/v1/analyses/${id}`, { headers: person.headers })).body;
const play = async (person: SignedIn, id: string) =>
  (await app.call('GET', `/v1/analyses/${id}/artifacts/source`, { headers: person.headers })).status;
const drop = (person: SignedIn, id: string) =>
  app.call('DELETE', `/v1/analyses/${id}/artifacts/source`, { headers: person.headers });
const endedDaysAgo = (id: string, days: number) =>
  db.query('update analyses set completed_at = now() - make_interval(days => $2) where id = $1', [id, days]);
const usedBytes = async (person: SignedIn) =>
  (await app.call('GET', '/v1/usage', { headers: person.headers })).body.storage.used_bytes;

describe('audio in a workspace with the setting', () => {
  it.each([
    ['as_asked', undefined, false],
    ['as_asked', true, true],
    ['never', true, false],
    ['forever', undefined, true],
    ['forever', false, false],
    [30, undefined, true],
  ])('%s: with retain_source %s in the submission, retained is %s', async (setting, requested, kept) => {
    const owner = await signIn(app);
    expect(await retain(owner, setting)).toMatchObject({ status: 200, body: { retain_source: setting } });
    const id = await analyse(owner, requested === undefined ? {} : { retain_source: requested });
    expect(await read(owner, id)).toMatchObject({
      status: 'completed',
      retain_source: kept,
      source_available: kept,
    });
    expect(await play(owner, id)).toBe(kept ? 200 : 404);
    expect(await usedBytes(owner)).toBe(kept ? makeWav({ seconds: 1 }).length : 0);
  });

  it('30: reports when the audio expires, and deletes it then; the result stays', async () => {
    const owner = await signIn(app);
    await retain(owner, 30);
    const [old, young] = [await analyse(owner), await analyse(owner)];
    await endedDaysAgo(old, 31);
    await endedDaysAgo(young, 29);
    const { completed_at, source_expires_at } = await read(owner, young);
    expect(Date.parse(source_expires_at) - Date.parse(completed_at)).toBe(30 * DAY_MS);
    expect(await sweepExpiredSources(app.deps)).toBe(1);
    expect([await play(owner, old), await play(owner, young)]).toEqual([404, 200]);
    expect(await read(owner, old)).toMatchObject({ source_available: false, source_expires_at: null });
    const result = await app.call('GET', `/v1/analyses/${old}/result`, { headers: owner.headers });
    expect(result.body.result.loudness_lufs).toEqual(expect.any(Number));
    const events = await app.call('GET', `/v1/analyses/${old}/events`, { headers: owner.headers });
    expect(events.body.at(-1)).toMatchObject({ event_type: 'source.deleted' });
    expect(await sweepExpiredSources(app.deps)).toBe(0);
  });

  it('never: deletes even audio that was retained before, and none of another workspace', async () => {
    const [owner, other] = [await signIn(app), await signIn(app)];
    const [own, foreign] = [
      await analyse(owner, { retain_source: true }),
      await analyse(other, { retain_source: true }),
    ];
    await retain(owner, 'never');
    expect(await sweepExpiredSources(app.deps)).toBe(1);
    expect([await play(owner, own), await play(other, foreign)]).toEqual([404, 200]);
  });
});

describe('DELETE …/artifacts/source', () => {
  it('deletes the audio, which cannot be analysed again, and keeps the result; is audited, and 404 the second time', async () => {
    const owner = await signIn(app);
    const id = await analyse(owner, { retain_source: true });
    const readResult = () => app.call('GET', `/v1/analyses/${id}/result`, { headers: owner.headers });
    const { result } = (await readResult()).body;
    expect(result.loudness_lufs).toEqual(expect.any(Number));
    expect(await drop(owner, id)).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await read(owner, id)).toMatchObject({ status: 'completed', source_available: false });
    expect((await readResult()).body.result).toEqual(result);
    expect([await play(owner, id), (await drop(owner, id)).status, await usedBytes(owner)]).toEqual([
      404, 404, 0,
    ]);
    const { body } = await app.call('GET', '/v1/audit-events', { headers: owner.headers });
    expect(body[0]).toMatchObject({ action: 'analysis.delete_source', target_id: id });
    const again = await app.call('POST', '/v1/analyses/bulk', {
      headers: owner.headers,
      body: { ids: [id], action: 'analyse_again' },
    });
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it('leaves the audio to another analysis of the same upload', async () => {
    const owner = await signIn(app);
    const object = await upload(owner);
    const [first, second] = [
      await analyse(owner, { retain_source: true }, object),
      await analyse(owner, { retain_source: true }, object),
    ];
    await drop(owner, first);
    expect([await play(owner, first), await play(owner, second)]).toEqual([404, 200]);
    await drop(owner, second);
    expect(await usedBytes(owner)).toBe(0);
  });

  it('is 409 before the end of the analysis, 404 for another workspace, and 422 for the report', async () => {
    const [owner, other] = [await signIn(app), await signIn(app)];
    const storage_object_id = await upload(owner);
    const { body } = await app.call('POST', '/v1/analyses', {
      headers: owner.headers,
      body: { storage_object_id },
    });
    expect(await drop(owner, body.id)).toMatchObject({ status: 409, body: { code: 'not_finished' } });
    expect((await drop(other, body.id)).status).toBe(404);
    const report = await app.call('DELETE', `/v1/analyses/${body.id}/artifacts/report.pdf`, {
      headers: owner.headers,
    });
    expect(report.status).toBe(422);
  });
});

describe('retain_source of a workspace', () => {
  it('is in the list of workspaces, and its changes are audited', async () => {
    const owner = await signIn(app);
    const shown = async () =>
      (await app.call('GET', '/v1/account/workspaces', { headers: owner.headers })).body.workspaces[0]
        .retain_source;
    expect(await shown()).toBe('as_asked');
    await retain(owner, 7);
    expect(await shown()).toBe(7);
    await retain(owner, 'forever');
    const { body } = await app.call('GET', '/v1/audit-events', { headers: owner.headers });
    expect(body[0]).toMatchObject({
      action: 'workspace.set_source_retention',
      metadata: { from: 7, to: 'forever' },
    });
  });

  it.each([0, -1, 1.5, 36_501, 'days', null, true, []])('cannot be %s', async (setting) => {
    expect((await retain(await signIn(app), setting)).status).toBe(422);
  });
});
