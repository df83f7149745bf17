import type { AnalysisResult, Supplement } from '@earshot/engine';
import type { ExportSource } from './export-source.ts';
import { buildResultDocument, type FileFacts } from './result-document.ts';

/**
 * A song for the tests of the formats: in 4/4, one pickup beat at 0.25 s, four bars from 0.75 s at 120 BPM in A minor, then two bars at
 * 60 BPM in C major.
 */

const BEAT_TIMES_SECONDS = [
  0.25,
  ...Array.from({ length: 16 }, (_, i) => 0.75 + i * 0.5),
  ...Array.from({ length: 8 }, (_, i) => 8.75 + i),
];
const DURATION_SECONDS = 17;

const beats = BEAT_TIMES_SECONDS.map((timeSeconds, index) => ({
  timeSeconds,
  confidence: 0.9,
  beatInBar: index === 0 ? 4 : ((index - 1) % 4) + 1,
  bar: index === 0 ? 0 : Math.floor((index - 1) / 4) + 1,
}));

const NO_PICTURE = { rowCount: 0, columnCount: 0, secondsPerColumn: 0, values: new Uint8Array(0) };

/** Two onsets, the first at 0.25 s, make three segments. The first is silent; in the others C and A are strongest. */
const supplement: Supplement = {
  visuals: { spectrogram: NO_PICTURE, chromagram: NO_PICTURE },
  segmentSounds: {
    segmentCount: 3,
    pitches: Uint8Array.from([
      ...new Array(12).fill(0),
      ...[255, 51, 0, 0, 102, 0, 0, 102, 0, 0, 0, 0],
      ...[51, 0, 0, 0, 51, 0, 0, 0, 0, 255, 0, 0],
    ]),
    timbre: Int16Array.from([
      ...new Array(12).fill(0),
      ...[2000, -1617, 25, 0, 0, 0, 0, 0, 0, 0, 0, -1],
      ...[2500, 1617, -25, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ]),
  },
};

const analysis: AnalysisResult = {
  durationSeconds: DURATION_SECONDS,
  summary: {
    durationSeconds: DURATION_SECONDS,
    bpm: 120,
    bpmConfidence: 0.8,
    timeSignature: 4,
    key: 'A',
    scale: 'minor',
    keyNotation: 'Am',
    keyConfidence: 0.7,
    camelot: '8A',
    openKey: '1m',
    loudnessLufs: -14.2,
    truePeakDbtp: -1,
    energy: 0.6,
    danceability: 0.5,
    valence: null,
    acousticness: null,
    instrumentalness: null,
    speechiness: 0.1,
    moodTags: [],
    genreSuggestions: [],
  },
  rhythm: {
    bpm: 120,
    confidence: 0.8,
    alternatives: [{ bpm: 60, weight: 0.2 }],
    stability: 0.7,
    tempoCurve: [
      { timeSeconds: 0.25, bpm: 120 },
      { timeSeconds: 8.75, bpm: 60 },
    ],
    beats,
    downbeats: beats
      .filter((beat) => beat.beatInBar === 1)
      .map(({ timeSeconds }) => ({ timeSeconds, confidence: 0.9 })),
    timeSignature: {
      beatsPerBar: 4,
      confidence: 0.95,
      changes: [{ startSeconds: 0, endSeconds: DURATION_SECONDS, beatsPerBar: 4, confidence: 0.95 }],
    },
    onsets: [
      { timeSeconds: 0.25, strength: 0.5 },
      { timeSeconds: 0.75, strength: 1 },
    ],
    onsetRateHz: 2 / DURATION_SECONDS,
    swing: null,
  },
  tonal: {
    key: 'A',
    scale: 'minor',
    confidence: 0.7,
    alternatives: [{ key: 'C', scale: 'major', weight: 0.3 }],
    keyChanges: [
      { startSeconds: 0, endSeconds: 8.75, key: 'A', scale: 'minor', confidence: 0.7 },
      { startSeconds: 8.75, endSeconds: DURATION_SECONDS, key: 'C', scale: 'major', confidence: 0.6 },
    ],
    tuningHz: 440,
    tuningCents: 0,
    chords: [
      { startSeconds: 0, endSeconds: 0.75, label: 'N', roman: null, bar: 0, beat: null, confidence: 0.5 },
      { startSeconds: 0.75, endSeconds: 8.75, label: 'A:min', roman: 'i', bar: 1, beat: 1, confidence: 0.9 },
      {
        startSeconds: 8.75,
        endSeconds: DURATION_SECONDS,
        label: 'C:maj',
        roman: 'I',
        bar: 5,
        beat: 1,
        confidence: 0.9,
      },
    ],
    chordsSevenths: [
      { startSeconds: 0, endSeconds: 0.75, label: 'N', roman: null, bar: 0, beat: null, confidence: 0.5 },
      {
        startSeconds: 0.75,
        endSeconds: 8.75,
        label: 'A:min7',
        roman: 'i7',
        bar: 1,
        beat: 1,
        confidence: 0.8,
      },
      {
        startSeconds: 8.75,
        endSeconds: DURATION_SECONDS,
        label: 'C:maj/3',
        roman: 'I',
        bar: 5,
        beat: 1,
        confidence: 0.8,
      },
    ],
    chroma: [0.8, 0, 0, 0, 0.9, 0, 0, 0, 0, 1, 0, 0],
  },
  structure: {
    sections: [
      section(0.75, 8.75, 'verse', 'A', 'Am'),
      section(8.75, DURATION_SECONDS, 'pre-chorus', 'B', 'C'),
    ],
    segments: { fadeInEndSeconds: null, fadeOutStartSeconds: 16 },
  },
  loudness: null,
  quality: null,
  timbre: null,
  content: null,
  waveform: {
    levels: [
      {
        version: 2,
        channels: 1,
        sampleRate: 44100,
        samplesPerPixel: 256,
        bits: 8,
        length: 2,
        data: [-128, 127, -1, 0],
      },
      {
        version: 2,
        channels: 1,
        sampleRate: 44100,
        samplesPerPixel: 4096,
        bits: 8,
        length: 1,
        data: [-128, 127],
      },
    ],
  },
  fingerprint: null,
  tags: null,
  models: [],
  unavailable: { loudness: 'not_requested', quality: 'not_requested' },
  supplement,
};

const file: FileFacts = {
  container: 'wav',
  codec: 'pcm',
  sampleRateHz: 44100,
  channels: 2,
  bitDepth: 16,
  bitRateBps: 1_411_200,
  declaredDurationSeconds: DURATION_SECONDS,
  byteSize: 2_998_844,
  tags: {
    title: 'Tom & "Jerry" <live>',
    artist: 'Zoë',
    album: null,
    albumArtist: null,
    composer: null,
    genre: null,
    year: null,
    trackNumber: null,
    discNumber: null,
    isrc: null,
    label: null,
    copyright: null,
    comment: null,
    language: null,
    bpm: null,
    key: null,
    replayGainTrackDb: null,
    replayGainTrackPeak: null,
    encoder: null,
  },
  hasCoverArt: false,
  decoder: 'wav',
  sha256: '0'.repeat(64),
};

const document = buildResultDocument({
  analysis,
  file,
  analysedAt: new Date('2026-03-01T12:00:00Z'),
  analysisSeconds: 1.5,
  options: { features: null, hints: {} },
});

export const SONG: ExportSource = {
  analysisId: 'job_01k0f8yq3m7t9w2x4z6b8c0d1e',
  fileName: 'tom & jerry.wav',
  names: null,
  completedAt: new Date('2026-03-01T12:00:00Z'),
  // A fixed version, so that a release of the engine changes no expectation here.
  document: { ...document, provenance: { ...document.provenance, engine_version: '1.2.3' } },
  supplement,
};

/** The same song without a group that was not requested. */
export function songWithout(group: 'rhythm' | 'tonal' | 'structure' | 'waveform'): ExportSource {
  return {
    ...SONG,
    document: { ...SONG.document, [group]: null, unavailable: { [group]: 'not_requested' } },
  };
}

function section(
  startSeconds: number,
  endSeconds: number,
  label: 'verse' | 'pre-chorus',
  group: string,
  key: string,
) {
  return {
    startSeconds,
    endSeconds,
    label,
    labelConfidence: 0.6,
    group,
    confidence: 0.8,
    startBar: 1,
    bpm: 120,
    key,
    loudnessLufs: -14,
    energy: 0.5,
  };
}
