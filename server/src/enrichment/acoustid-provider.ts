import { setTimeout as delay } from 'node:timers/promises';
import { type GuardedFetch, USER_AGENT } from '../platform/guarded-fetch.ts';
import type { Logger } from '../platform/log.ts';
import type { Enrichment, EnrichmentInput, EnrichmentProvider, RecordingMatch } from './provider.ts';
import { createTurns, type TakeTurn } from './turns.ts';

/**
 * Identifies a recording: AcoustID finds the recordings with a similar fingerprint, MusicBrainz has their titles and artists.
 * https://acoustid.org/webservice, https://musicbrainz.org/doc/MusicBrainz_API
 */

export type AcoustidSettings = { apiKey: string; acoustidBaseUrl: string; musicbrainzBaseUrl: string };

/** Enrichment is optional, so an analysis does not wait longer for a response. */
const TOTAL_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
const RESPONSE_BYTES_MAX = 512 * 1024;
/** AcoustID's scores run from 0 to 1; low ones are mostly other songs. An estimate, not measured. */
const SCORE_MIN = 0.5;
/** Each costs one of the few requests that MusicBrainz allows. */
const RECORDINGS_MAX = 3;
/**
 * MusicBrainz allows an address one request a second, which all analyses of this process share. Several workers behind one address may
 * together exceed it; MusicBrainz then refuses, and matches go without details.
 */
const takeMusicbrainzTurn = createTurns({ intervalMs: 1_000, waitMsMax: TOTAL_TIMEOUT_MS });
/** MusicBrainz asks for the program, its version, and where to find its makers. */
const MUSICBRAINZ_USER_AGENT = `${USER_AGENT} (https://github.com/earshot/earshot)`;

export function createAcoustidProvider(
  settings: AcoustidSettings,
  guardedFetch: GuardedFetch,
  log: Logger,
  takeTurn: TakeTurn = takeMusicbrainzTurn,
): EnrichmentProvider {
  const name = 'acoustid';
  const getJson = async (url: string, signal: AbortSignal): Promise<unknown> => {
    const response = await guardedFetch({
      url,
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': MUSICBRAINZ_USER_AGENT },
      redirectsMax: 2,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      totalTimeoutMs: TOTAL_TIMEOUT_MS,
      responseBytesMax: RESPONSE_BYTES_MAX,
      onTooLong: 'fail',
      signal,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    if (response.status !== 200) throw new Error(`${new URL(url).host} answered ${response.status}`);
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  };

  /** A failure is usually the rate limit, so MusicBrainz is asked no more; that and later matches go without details. */
  const addDetails = async (matches: FoundRecording[], signal: AbortSignal): Promise<RecordingMatch[]> => {
    const recordings = matches.map((match) => ({ ...match, ...readRecording({}) }));
    try {
      for (const recording of recordings) {
        await delay(takeTurn(), undefined, { signal });
        const details = await getJson(recordingUrl(settings, recording.musicbrainzRecordingId), signal);
        Object.assign(recording, readRecording(details));
      }
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error, provider: name }, 'Enrichment goes on without the details of some recordings');
    }
    return recordings;
  };

  return {
    name,
    async enrich({ signal, ...input }): Promise<Enrichment> {
      try {
        const found = readLookup(await getJson(lookupUrl(settings, input), signal));
        if (found.length === 0) return { provider: name, status: 'no_match' };
        const recordings = await addDetails(found.slice(0, RECORDINGS_MAX), signal);
        return { provider: name, status: 'matched', recordings };
      } catch (error) {
        signal.throwIfAborted();
        log.warn({ err: error, provider: name }, 'Enrichment failed; the analysis goes on without it');
        return { provider: name, status: 'unavailable', reason: 'provider_failed' };
      }
    },
  };
}

function lookupUrl(settings: AcoustidSettings, input: Omit<EnrichmentInput, 'signal'>): string {
  const url = new URL('/v2/lookup', settings.acoustidBaseUrl);
  url.search = new URLSearchParams({
    client: settings.apiKey,
    format: 'json',
    meta: 'recordingids',
    duration: String(Math.round(input.durationSeconds)),
    fingerprint: input.fingerprint,
  }).toString();
  return url.href;
}

function recordingUrl(settings: AcoustidSettings, recordingId: string): string {
  const url = new URL(`/ws/2/recording/${encodeURIComponent(recordingId)}`, settings.musicbrainzBaseUrl);
  url.search = new URLSearchParams({ fmt: 'json', inc: 'artist-credits+isrcs' }).toString();
  return url.href;
}

type FoundRecording = Pick<RecordingMatch, 'acoustidId' | 'musicbrainzRecordingId' | 'score'>;

/** Best first, each recording once. Throws when AcoustID reports an error. */
function readLookup(answer: unknown): FoundRecording[] {
  const { status, results } = answer as {
    status?: string;
    results?: { id?: string; score?: number; recordings?: { id?: string }[] }[];
  };
  if (status !== 'ok') throw new Error(`AcoustID answered with status ${String(status)}`);
  // AcoustID knows recordings that MusicBrainz does not; those have no id.
  const matches = (results ?? []).flatMap(({ id, score, recordings = [] }) =>
    recordings.flatMap((recording) =>
      id === undefined || score === undefined || recording.id === undefined
        ? []
        : [{ acoustidId: id, musicbrainzRecordingId: recording.id, score }],
    ),
  );
  const seen = new Set<string>();
  return matches
    .filter((match) => match.score >= SCORE_MIN)
    .sort((a, b) => b.score - a.score)
    .filter((match) => !seen.has(match.musicbrainzRecordingId) && seen.add(match.musicbrainzRecordingId));
}

function readRecording(answer: unknown): Pick<RecordingMatch, 'title' | 'artist' | 'releaseDate' | 'isrcs'> {
  const recording = answer as {
    title?: string;
    'first-release-date'?: string;
    isrcs?: string[];
    'artist-credit'?: { name?: string; joinphrase?: string }[];
  };
  const artist = (recording['artist-credit'] ?? [])
    .map((credit) => `${credit.name ?? ''}${credit.joinphrase ?? ''}`)
    .join('');
  return {
    title: recording.title ?? null,
    artist: artist === '' ? null : artist,
    releaseDate: recording['first-release-date'] || null,
    isrcs: recording.isrcs ?? [],
  };
}
