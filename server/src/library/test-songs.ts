import { NO_TAGS } from '@earshot/decode';
import type { AnalysisResult, PitchName, Scale, Supplement } from '@earshot/engine';
import { notateCamelot, notateKey, notateOpenKey } from '@earshot/engine';
import { buildResultDocument, type ResultDocument } from '@earshot/exports';
import { insertResult } from '../analyses/result-store.ts';
import { insertAnalysis, markEnded } from '../analyses/store.ts';
import { packSupplement } from '../analyses/supplement-bytes.ts';
import { newId } from '../platform/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { indexNewSong, indexResult } from './index-song.ts';

/** Songs with known results, stored and indexed by the service's own code; only the analysis itself is made up. */

export type TestSong = {
  fileName?: string;
  title?: string | null;
  artist?: string | null;
  album?: string | null;
  genre?: string | null;
  bpm?: number | null;
  key?: PitchName;
  scale?: Scale;
  energy?: number;
  danceability?: number;
  valence?: number;
  loudnessLufs?: number;
  durationSeconds?: number;
  firstBeatSeconds?: number;
  voicePresence?: number | null;
  sha256?: string;
  chromaprint?: string | null;
  embedding?: number[] | null;
  artwork?: boolean;
  /** Overrides fields of the document. */
  extra?: Partial<ResultDocument>;
};

const BIT_RATE_BPS = 256_000;
const NO_PICTURE = { rowCount: 0, columnCount: 0, secondsPerColumn: 0, values: new Uint8Array(0) };
const SUPPLEMENT: Supplement = {
  visuals: { spectrogram: NO_PICTURE, chromagram: NO_PICTURE },
  segmentSounds: null,
};

export function heardInstruments(...labels: string[]): ResultDocument['tags'] {
  const instruments = labels.map((label) => ({ label, confidence: 0.9, spans: [] }));
  return { genres: [], moods: [], instruments, eras: [] };
}

export function makeDocument(song: TestSong): ResultDocument {
  const { key = 'A', scale = 'minor', durationSeconds = 60, bpm = 120 } = song;
  const document = buildResultDocument({
    analysis: makeAnalysis(song, key, scale, durationSeconds, bpm),
    file: {
      container: 'mp3',
      codec: 'mp3',
      sampleRateHz: 44_100,
      channels: 2,
      bitDepth: null,
      bitRateBps: BIT_RATE_BPS,
      declaredDurationSeconds: durationSeconds,
      byteSize: Math.round((durationSeconds * BIT_RATE_BPS) / 8),
      tags: { ...NO_TAGS, ...namesOf(song) },
      hasCoverArt: song.artwork ?? false,
      decoder: 'test',
      sha256: song.sha256 ?? newId('obj'),
    },
    analysedAt: new Date('2026-03-01T12:00:00Z'),
    analysisSeconds: 1,
    options: { features: null, hints: {} },
  });
  return { ...document, ...song.extra };
}

/** Stores a completed analysis and returns its id. */
export async function addTestSong(db: Database, workspaceId: string, song: TestSong = {}): Promise<string> {
  const id = newId('job');
  const document = makeDocument(song);
  const now = new Date();
  const fileName = song.fileName ?? `${song.title ?? 'song'}.mp3`;
  await db.transaction(async (tx) => {
    await insertAnalysis(tx, {
      id,
      workspaceId,
      surface: 'workspace',
      sourceUrl: 'https://example.com/song.mp3',
      storageObjectId: null,
      fileName,
      webhookUrl: null,
      features: null,
      hints: {},
      metadata: {},
      enrich: [],
      retainSource: false,
      createdBy: { kind: 'user', id: null },
      demo: null,
      now,
    });
    await indexNewSong(tx, { workspaceId, analysisId: id, fileName, createdAt: now });
    await insertResult(tx, id, document, packSupplement(SUPPLEMENT));
    await markEnded(tx, id, { status: 'completed', failure: null, now });
    await indexResult(tx, { workspaceId, analysisId: id }, document);
  });
  return id;
}

function namesOf({ title = null, artist = null, album = null, genre = null }: TestSong) {
  return { title, artist, album, genre };
}

function makeAnalysis(
  song: TestSong,
  key: PitchName,
  scale: Scale,
  durationSeconds: number,
  bpm: number | null,
): AnalysisResult {
  const beats = makeBeats(bpm, song.firstBeatSeconds ?? 0.5, durationSeconds);
  const half = durationSeconds / 2;
  const chord = { roman: 'i', bar: 0, beat: 1, confidence: 0.9 };
  const chords = [
    { startSeconds: 0, endSeconds: half, label: `${key}:${scale === 'minor' ? 'min' : 'maj'}`, ...chord },
    { startSeconds: half, endSeconds: durationSeconds, label: 'N', ...chord, roman: null },
  ];
  return {
    durationSeconds,
    summary: {
      durationSeconds,
      bpm,
      bpmConfidence: bpm === null ? null : 0.95,
      timeSignature: bpm === null ? null : 4,
      key,
      scale,
      keyNotation: notateKey(key, scale),
      keyConfidence: 0.8,
      camelot: notateCamelot(key, scale),
      openKey: notateOpenKey(key, scale),
      loudnessLufs: song.loudnessLufs ?? -14,
      truePeakDbtp: -1,
      energy: song.energy ?? 0.5,
      danceability: song.danceability ?? 0.5,
      valence: song.valence ?? 0.5,
      acousticness: 0.5,
      instrumentalness: null,
      speechiness: 0.1,
      moodTags: [],
      genreSuggestions: [],
    },
    rhythm: {
      bpm,
      confidence: bpm === null ? null : 0.95,
      alternatives: [],
      stability: 0.95,
      tempoCurve: bpm === null ? [] : [{ timeSeconds: 0, bpm }],
      beats,
      downbeats: beats
        .filter((beat) => beat.beatInBar === 1)
        .map(({ timeSeconds, confidence }) => ({ timeSeconds, confidence })),
      timeSignature:
        bpm === null
          ? null
          : {
              beatsPerBar: 4,
              confidence: 0.9,
              changes: [{ startSeconds: 0, endSeconds: durationSeconds, beatsPerBar: 4, confidence: 0.9 }],
            },
      onsets: beats.map(({ timeSeconds }) => ({ timeSeconds, strength: 1 })),
      onsetRateHz: beats.length / durationSeconds,
      swing: null,
    },
    tonal: {
      key,
      scale,
      confidence: 0.8,
      alternatives: [],
      keyChanges: [{ startSeconds: 0, endSeconds: durationSeconds, key, scale, confidence: 0.8 }],
      tuningHz: 440,
      tuningCents: 0,
      chords,
      chordsSevenths: chords,
      chroma: Array.from({ length: 12 }, (_, pitch) => (pitch === 9 ? 1 : 0.1)),
    },
    structure: {
      sections: [makeSection(0, half, 'intro', bpm), makeSection(half, durationSeconds, 'chorus', bpm)],
      segments: { fadeInEndSeconds: null, fadeOutStartSeconds: null },
    },
    loudness: null,
    quality: null,
    timbre: null,
    content:
      song.voicePresence === undefined
        ? null
        : {
            regions: [],
            voicePresence: song.voicePresence,
            voicePresenceConfidence: 0.9,
            voiceSpans: [],
            voiceCurve: null,
          },
    waveform: {
      levels: [
        {
          version: 2,
          channels: 1,
          sampleRate: 44_100,
          samplesPerPixel: 16_384,
          bits: 8,
          length: 240,
          data: Array.from({ length: 480 }, (_, at) => (at % 2 === 0 ? -1 : 1) * Math.floor(at / 4)),
        },
      ],
    },
    fingerprint: {
      chromaprint: song.chromaprint ?? null,
      chromaprintDurationSeconds: durationSeconds,
      embedding: song.embedding ?? null,
      embeddingVersion: 2,
    },
    tags: null,
    models: [],
    unavailable: {},
    supplement: SUPPLEMENT,
  };
}

function makeBeats(bpm: number | null, firstSeconds: number, durationSeconds: number) {
  if (bpm === null) return [];
  const count = Math.floor(((durationSeconds - firstSeconds) * bpm) / 60);
  return Array.from({ length: count }, (_, index) => ({
    timeSeconds: firstSeconds + (index * 60) / bpm,
    confidence: 0.9,
    beatInBar: (index % 4) + 1,
    bar: Math.floor(index / 4),
  }));
}

function makeSection(
  startSeconds: number,
  endSeconds: number,
  label: 'intro' | 'chorus',
  bpm: number | null,
) {
  return {
    startSeconds,
    endSeconds,
    label,
    labelConfidence: 0.7,
    group: label === 'intro' ? 'A' : 'B',
    confidence: 0.8,
    startBar: 0,
    bpm,
    key: 'Am',
    loudnessLufs: -14,
    energy: 0.5,
  };
}
