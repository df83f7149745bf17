import { describe, expect, it, vi } from 'vitest';
import serverPackage from '../../package.json' with { type: 'json' };
import { createGuardedFetch } from '../platform/guarded-fetch.ts';
import { createLogger } from '../platform/log.ts';
import { startLocalServer } from '../test/local-server.ts';
import { createAcoustidProvider } from './acoustid-provider.ts';

type Response = { status?: number; body: unknown };
const requests: { path: string; query: object; accept: unknown; userAgent: unknown }[] = [];
const takeTurn = vi.fn(() => 0);
let responses: Record<string, Response> = {};
const server = await startLocalServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const { accept, 'user-agent': userAgent } = request.headers;
  requests.push({ path: url.pathname, query: Object.fromEntries(url.searchParams), accept, userAgent });
  const { status = 200, body } = responses[url.pathname] ?? { status: 404, body: {} };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
});
const provider = createAcoustidProvider(
  { apiKey: 'key of the tests', acoustidBaseUrl: server.url, musicbrainzBaseUrl: server.url },
  createGuardedFetch({ allowPrivateTargets: ['127.0.0.1/32'], allowedPorts: [80, 443] }),
  createLogger({ level: 'silent' }),
  takeTurn,
);
const enrich = (signal = new AbortController().signal) =>
  provider.enrich({ fingerprint: 'AQAA', durationSeconds: 61.6, signal });

const LOOKUP = {
  status: 'ok',
  results: [
    { id: 'acoustid-low', score: 0.2, recordings: [{ id: 'mb-other' }] },
    // AcoustID knows the fingerprint, but MusicBrainz does not have the recording.
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

const NO_DETAILS = { title: null, artist: null, releaseDate: null, isrcs: [] };

describe('AcoustID and MusicBrainz', () => {
  it('identifies the recording once, without weak matches and recordings that MusicBrainz lacks', async () => {
    requests.length = 0;
    takeTurn.mockClear();
    responses = { '/v2/lookup': { body: LOOKUP }, '/ws/2/recording/mb-1': { body: RECORDING } };
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
    const headers = {
      accept: 'application/json',
      userAgent: `Earshot/${serverPackage.version} (https://github.com/earshot/earshot)`,
    };
    const lookup = {
      client: 'key of the tests',
      format: 'json',
      meta: 'recordingids',
      duration: '62',
      fingerprint: 'AQAA',
    };
    expect(requests).toEqual([
      { path: '/v2/lookup', query: lookup, ...headers },
      { path: '/ws/2/recording/mb-1', query: { fmt: 'json', inc: 'artist-credits+isrcs' }, ...headers },
    ]);
    expect(takeTurn).toHaveBeenCalledTimes(1);
  });

  it('looks up the three best matches with a score of at least 0.5, best first', async () => {
    const scores = [0.49, 0.5, 0.9, 0.7, 0.6];
    const results = scores.map((score) => ({ id: 'a', score, recordings: [{ id: `mb-${score}` }] }));
    const details = scores.map((score) => [`/ws/2/recording/mb-${score}`, { body: RECORDING }]);
    responses = { '/v2/lookup': { body: { status: 'ok', results } }, ...Object.fromEntries(details) };
    const ids = async () => {
      const enrichment = await enrich();
      return enrichment.status === 'matched'
        ? enrichment.recordings.map(({ musicbrainzRecordingId }) => musicbrainzRecordingId)
        : enrichment.status;
    };
    expect(await ids()).toEqual(['mb-0.9', 'mb-0.7', 'mb-0.6']);
    results.splice(2);
    expect(await ids()).toEqual(['mb-0.5']);
    results.splice(1);
    expect(await ids()).toBe('no_match');
  });

  it('keeps a match without details when its turn at MusicBrainz is too far away', async () => {
    responses = { '/v2/lookup': { body: LOOKUP }, '/ws/2/recording/mb-1': { body: RECORDING } };
    takeTurn.mockImplementationOnce(() => {
      throw new Error('too far away');
    });
    const match = { acoustidId: 'acoustid-1', musicbrainzRecordingId: 'mb-1', score: 0.97 };
    expect(await enrich()).toMatchObject({ status: 'matched', recordings: [{ ...match, ...NO_DETAILS }] });
  });

  it('throws when the worker stops while a request waits for its turn', async () => {
    responses = { '/v2/lookup': { body: LOOKUP } };
    const stop = new AbortController();
    takeTurn.mockImplementationOnce(() => {
      stop.abort(new Error('the worker stops'));
      return 60_000;
    });
    await expect(enrich(stop.signal)).rejects.toThrow('the worker stops');
  });

  it('reports when no recording matches', async () => {
    responses = { '/v2/lookup': { body: { status: 'ok', results: [] } } };
    expect(await enrich()).toEqual({ provider: 'acoustid', status: 'no_match' });
  });

  it('asks for no more details once MusicBrainz limits the rate, and keeps all matches', async () => {
    const results = [
      { id: 'acoustid-1', score: 0.98, recordings: [{ id: 'mb-1' }] },
      { id: 'acoustid-2', score: 0.97, recordings: [{ id: 'mb-2' }, { id: 'mb-3' }] },
    ];
    requests.length = 0;
    responses = {
      '/v2/lookup': { body: { status: 'ok', results } },
      '/ws/2/recording/mb-1': { body: RECORDING },
      '/ws/2/recording/mb-2': { status: 503, body: { error: 'Your requests are exceeding the rate limit' } },
    };
    expect(await enrich()).toMatchObject({
      status: 'matched',
      recordings: [
        { musicbrainzRecordingId: 'mb-1', title: 'Two Doors Down' },
        { acoustidId: 'acoustid-2', musicbrainzRecordingId: 'mb-2', score: 0.97, ...NO_DETAILS },
        { acoustidId: 'acoustid-2', musicbrainzRecordingId: 'mb-3', score: 0.97, ...NO_DETAILS },
      ],
    });
    expect(requests.map(({ path }) => path)).toEqual([
      '/v2/lookup',
      '/ws/2/recording/mb-1',
      '/ws/2/recording/mb-2',
    ]);
  });

  it('throws when the worker stops, so that the next attempt enriches again', async () => {
    responses = { '/v2/lookup': { body: { status: 'ok', results: [] } } };
    const stopped = enrich(AbortSignal.abort(new Error('the worker stops')));
    await expect(stopped).rejects.toThrow('the worker stops');
  });

  it.each([
    ['is down', { '/v2/lookup': { status: 503, body: {} } }],
    [
      'refuses the key',
      { '/v2/lookup': { body: { status: 'error', error: { message: 'invalid API key' } } } },
    ],
    ['sends invalid JSON', { '/v2/lookup': { body: 'not json' } }],
  ])('reports a provider as unavailable that %s', async (_, given) => {
    responses = given;
    expect(await enrich()).toEqual({
      provider: 'acoustid',
      status: 'unavailable',
      reason: 'provider_failed',
    });
  });
});
