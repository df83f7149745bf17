import { describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../platform/guarded-fetch.ts';
import { createLogger } from '../platform/log.ts';
import { startLocalServer } from '../test/local-server.ts';
import { createAcoustidProvider } from './acoustid-provider.ts';

type Answer = { status?: number; body: unknown };
const asked: URL[] = [];
let answers: Record<string, Answer> = {};
const server = await startLocalServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  asked.push(url);
  const { status = 200, body } = answers[url.pathname] ?? { status: 404, body: {} };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
});
const provider = createAcoustidProvider(
  { apiKey: 'key of the tests', acoustidBaseUrl: server.url, musicbrainzBaseUrl: server.url },
  createGuardedFetch({ allowPrivateTargets: ['127.0.0.1/32'], allowedPorts: [80, 443] }),
  createLogger({ level: 'silent' }),
);
const enrich = (signal = new AbortController().signal) =>
  provider.enrich({ fingerprint: 'AQAA', durationSeconds: 61.6, signal });

const LOOKUP = {
  status: 'ok',
  results: [
    { id: 'acoustid-low', score: 0.2, recordings: [{ id: 'mb-other' }] },
    // A fingerprint that AcoustID knows, of a recording that MusicBrainz does not.
    { id: 'acoustid-2', score: 0.98, recordings: [{}] },
    { id: 'acoustid-1', score: 0.97, recordings: [{ id: 'mb-1' }, { id: 'mb-1' }] },
  ],
};
const RECORDING = {
  title: 'Two Doors Down',
  'first-release-date': '2026-03',
  isrcs: ['XXTST2600001'],
  'artist-credit': [{ name: 'Earshot', joinphrase: ' & ' }, { name: 'Friends' }],
};

describe('AcoustID and MusicBrainz', () => {
  it('names the recording that sounds the same, once, and leaves out weak matches and those without a name', async () => {
    asked.length = 0;
    answers = { '/v2/lookup': { body: LOOKUP }, '/ws/2/recording/mb-1': { body: RECORDING } };
    expect(await enrich()).toEqual({
      provider: 'acoustid',
      status: 'matched',
      recordings: [
        {
          acoustidId: 'acoustid-1',
          musicbrainzRecordingId: 'mb-1',
          score: 0.97,
          title: 'Two Doors Down',
          artist: 'Earshot & Friends',
          releaseDate: '2026-03',
          isrcs: ['XXTST2600001'],
        },
      ],
    });
    expect(Object.fromEntries(asked[0]!.searchParams)).toMatchObject({
      client: 'key of the tests',
      duration: '62',
      fingerprint: 'AQAA',
    });
  });

  it('says when nothing sounds the same', async () => {
    answers = { '/v2/lookup': { body: { status: 'ok', results: [] } } };
    expect(await enrich()).toEqual({ provider: 'acoustid', status: 'no_match' });
  });

  it('keeps what it has found when MusicBrainz refuses to be asked so soon again', async () => {
    const results = [
      { id: 'acoustid-1', score: 0.98, recordings: [{ id: 'mb-1' }] },
      { id: 'acoustid-2', score: 0.97, recordings: [{ id: 'mb-2' }] },
    ];
    answers = {
      '/v2/lookup': { body: { status: 'ok', results } },
      '/ws/2/recording/mb-1': { body: RECORDING },
      '/ws/2/recording/mb-2': { status: 503, body: { error: 'Your requests are exceeding the rate limit' } },
    };
    expect(await enrich()).toMatchObject({
      status: 'matched',
      recordings: [{ musicbrainzRecordingId: 'mb-1', title: 'Two Doors Down' }],
    });
  });

  it('throws when we stop: an analysis that is to run again has not asked in vain', async () => {
    answers = { '/v2/lookup': { body: { status: 'ok', results: [] } } };
    const stopped = enrich(AbortSignal.abort(new Error('the worker stops')));
    await expect(stopped).rejects.toThrow('the worker stops');
  });

  it.each([
    ['is down', { '/v2/lookup': { status: 503, body: {} } }],
    [
      'refuses the key',
      { '/v2/lookup': { body: { status: 'error', error: { message: 'invalid API key' } } } },
    ],
    ['says nonsense', { '/v2/lookup': { body: 'not json' } }],
    ['has no details', { '/v2/lookup': { body: LOOKUP } }],
  ])('never throws: a provider that %s is unavailable', async (_, given) => {
    answers = given;
    expect(await enrich()).toEqual({
      provider: 'acoustid',
      status: 'unavailable',
      reason: 'provider_failed',
    });
  });
});
