import type * as contract from '@earshot/contract';
import { EXPORT_FORMATS } from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { keyHeaders } from '../../test/analysis-service.ts';
import { createWorkspaceBench } from '../test-workspace-bench.ts';

type Result = z.infer<typeof contract.AnalysisResult>;

const RANDOM_ID = 'job_01k0f8yq3m7t9w2x4z6b8c0d1e';
const { db, service, newCustomer, submit, completeOne } = await createWorkspaceBench();
const completed = await completeOne();

describe('another account', () => {
  it.each([
    ['GET', ''],
    ['GET', '/events'],
    ['GET', '/result'],
    ['GET', '/exports/csv'],
    ['GET', '/artifacts/report.html'],
    ['POST', '/cancel'],
    ['POST', '/webhook-deliveries'],
    ['DELETE', ''],
  ])('%s …%s sees not-found, as for a random id', async (method, path) => {
    const { client } = await newCustomer();
    const foreign = await client.send(`/v1/analyses/${completed.id}${path}`, { method });
    const random = await client.send(`/v1/analyses/${RANDOM_ID}${path}`, { method });
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...random.body, request_id: '' });
  });
});

describe('GET …/result', () => {
  it('is 202 with nothing in it while the job waits', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const answer = await client.get<Result>(`/v1/analyses/${body.id}/result`);
    expect(answer.status).toBe(202);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.body).toEqual({
      job_id: body.id,
      status: 'queued',
      result: null,
      report_artifact: null,
      error: null,
    });
  });

  it('has the requested groups, and null for the others', async () => {
    const path = `/v1/analyses/${completed.id}/result`;
    const { result } = (await completed.client.get<Result>(`${path}?groups=tonal,waveform`)).body;
    const whole = (await completed.client.get<Result>(path)).body.result;
    expect(result).toMatchObject({ tonal: whole?.tonal, waveform: whole?.waveform, bpm: whole?.bpm });
    expect([result?.rhythm, result?.loudness, result?.file]).toEqual([null, null, null]);
    expect(result?.provenance).toEqual(whole?.provenance);
    expect((await completed.client.get(`${path}?groups=tonal,nothing`)).status).toBe(422);
  });

  it('omits unwanted parts, and reports them as not requested', async () => {
    const path = `/v1/analyses/${completed.id}/result`;
    const whole = (await completed.client.get<Result>(path)).body.result!;
    const parts = 'rhythm.onsets,content.voice_curve,waveform.finest';
    const { result } = (await completed.client.get<Result>(`${path}?without=${parts}`)).body;
    const { levels } = whole.waveform!;
    expect(levels.map(({ samples_per_pixel }) => samples_per_pixel)).toEqual([512, 2048, 8192]);
    expect(result).toEqual({
      ...whole,
      rhythm: { ...whole.rhythm, onsets: [] },
      waveform: { ...whole.waveform, levels: levels.slice(1) },
      unavailable: {
        ...whole.unavailable,
        // Not content.voice_curve: two seconds have none anyway.
        'rhythm.onsets': 'not_requested',
        'waveform.finest': 'not_requested',
      },
    });
    const none = (await completed.client.get<Result>(`${path}?groups=file&without=rhythm.onsets`)).body
      .result!;
    expect(none).toMatchObject({ rhythm: null, unavailable: whole.unavailable });
    expect((await completed.client.get(`${path}?without=rhythm.beats`)).status).toBe(422);
  });

  it('is the whole result with its report afterwards', async () => {
    const answer = await completed.client.get<Result>(`/v1/analyses/${completed.id}/result`);
    expect(answer.status).toBe(200);
    expect(answer.body.result).toMatchObject({ schema_version: '1', duration_seconds: 2 });
    expect(answer.body.result?.provenance).toMatchObject({
      schema_version: '1',
      options: { features: null },
    });
    expect(answer.body.report_artifact?.id).toBe(completed.id.replace('job_', 'art_'));
    const { formats } = answer.body.report_artifact!;
    expect(Object.keys(formats)).toEqual(['html', 'pdf', 'json']);
    for (const [format, url] of Object.entries(formats)) {
      const file = await fetch(url, { headers: await keyHeaders(completed.member) });
      expect([format, file.status]).toEqual([format, 200]);
      const start = Buffer.from(await file.arrayBuffer()).toString('latin1', 0, 15);
      expect(start).toMatch({ html: /^<!doctype html>/, pdf: /^%PDF-/, json: /^\{"job_id"/ }[format]!);
    }
  });

  it('has pictures, and no audio unless it was retained', async () => {
    const headers = await keyHeaders(completed.member);
    for (const name of ['spectrogram.png', 'chromagram.png']) {
      const picture = await fetch(`${service.url}/v1/analyses/${completed.id}/artifacts/${name}`, {
        headers,
      });
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      const start = Buffer.from(await picture.arrayBuffer()).toString('latin1', 1, 4);
      expect(start).toBe('PNG');
    }
    for (const name of ['source', 'passwd', '..%2Fsource']) {
      const answer = await completed.client.get(`/v1/analyses/${completed.id}/artifacts/${name}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it('is 304 without being read while it is unchanged, and sent again after a correction', async () => {
    const { client, id } = completed;
    const path = `/v1/analyses/${id}/result`;
    const tag = (await client.get(path)).headers.get('etag')!;
    const piece = await client.get(`${path}?groups=rhythm`);
    expect(piece.headers.get('etag')).not.toBe(tag);
    const known = { 'if-none-match': tag };
    // Reading the result would fail now.
    await db.query('alter table analysis_results rename to hidden_results');
    try {
      expect((await client.send(path, { headers: known })).status).toBe(304);
    } finally {
      await db.query('alter table hidden_results rename to analysis_results');
    }
    await client.send(`/v1/analyses/${id}/corrections`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ note: 'the bridge is missing' }),
    });
    const corrected = await client.send<Result>(path, { headers: known });
    expect([corrected.status, corrected.headers.get('etag') === tag]).toEqual([200, false]);
    await client.send(`/v1/analyses/${id}/corrections`, { method: 'DELETE' });
    expect((await client.send(path, { headers: known })).status).toBe(304);
  });

  it('is the same on the account path', async () => {
    const account = await completed.client.get<Result>(`/v1/account/analyses/${completed.id}/result`);
    const plain = await completed.client.get<Result>(`/v1/analyses/${completed.id}/result`);
    expect(account.body).toEqual(plain.body);
  });
});

describe('GET …/exports/{format}', () => {
  const read = async (format: string) =>
    fetch(`${service.url}/v1/analyses/${completed.id}/exports/${format}`, {
      headers: await keyHeaders(completed.member),
    });
  /** A tone of two seconds has no beat. */
  const REFUSALS = new Map([
    ['midi', 'No steady beat was found in this audio, and a tempo map is made from beats.'],
    ['musicxml', 'No steady beat was found in this audio, and a lead sheet has bars.'],
  ]);
  /** These contain nothing but beats, chords and sections, of which the tone has none. */
  const LABEL_FORMATS = ['audacity', 'lab-beats', 'lab-chords', 'lab-sections'];

  it.each(EXPORT_FORMATS.filter((format) => !REFUSALS.has(format)))(
    '%s is a file to save',
    async (format) => {
      const response = await read(format);
      expect(response.status).toBe(200);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-disposition')).toMatch(
        /^attachment; filename="F_r Elise\.[a-z.-]+"; filename\*=UTF-8''F%C3%BCr%20Elise\./,
      );
      const isEmpty = (await response.arrayBuffer()).byteLength === 0;
      expect(isEmpty).toBe(LABEL_FORMATS.includes(format));
    },
  );

  it.each([...REFUSALS])('%s says why it cannot be made', async (format, detail) => {
    const response = await read(format);
    expect([response.status, await response.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'conflict', detail }),
    ]);
  });

  it('has pitches and timbre of every segment in the format of Spotify', async () => {
    const { segments, track } = (await (await read('spotify-audio-analysis')).json()) as {
      segments: { start: number; duration: number; pitches: number[]; timbre: number[] }[];
      track: { duration: number };
    };
    expect(segments[0]?.start).toBe(0);
    const last = segments.at(-1)!;
    expect(last.start + last.duration).toBeCloseTo(track.duration, 9);
    for (const { pitches, timbre } of segments) {
      expect([pitches.length, timbre.length]).toEqual([12, 12]);
      expect(Math.max(...pitches)).toBe(1);
      expect(Math.min(...pitches)).toBeGreaterThanOrEqual(0);
      expect(timbre.every(Number.isFinite)).toBe(true);
      expect(timbre[0]).toBeGreaterThan(0);
    }
  });

  it('is 409 before the end and 422 for an unknown format', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const early = await client.get(`/v1/analyses/${body.id}/exports/csv`);
    expect(early).toMatchObject({ status: 409, body: { code: 'not_finished' } });
    expect((await client.get(`/v1/analyses/${body.id}/exports/mp3`)).status).toBe(422);
  });

  it('is 409 for a canceled job, and explains that there is no result', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    await client.post(`/v1/analyses/${body.id}/cancel`);
    expect(await client.get(`/v1/analyses/${body.id}/exports/csv`)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: 'This analysis is canceled and has no result.' },
    });
  });
});
