import { z } from 'zod';
import { confidence, count, timestamp, zeroToOne } from '../wire-values.ts';
import { ResultCorrections } from './correction.ts';
import { PITCH_NAMES, ResultRhythm, ResultStructure, ResultTonal, SCALES } from './result-music.ts';
import {
  ResultContent,
  ResultFingerprint,
  ResultLoudness,
  ResultQuality,
  ResultTags,
  ResultTimbre,
  ResultWaveform,
} from './result-sound.ts';

/** The groups that `features` selects from. */
export const FEATURE_GROUPS = [
  'rhythm',
  'tonal',
  'structure',
  'loudness',
  'quality',
  'timbre',
  'content',
  'waveform',
  'fingerprint',
  'tags',
] as const;

/** All groups of a result: the selectable ones, and the two that cost nothing and are always included. */
export const RESULT_GROUPS = ['file', ...FEATURE_GROUPS, 'provenance'] as const;
/** Large parts of groups that few clients need, and may leave out. */
export const RESULT_PARTS = ['rhythm.onsets', 'content.voice_curve', 'waveform.finest'] as const;
export type ResultPart = (typeof RESULT_PARTS)[number];

const summaryFields = {
  schema_version: z.string().meta({ examples: ['1'] }),
  engine_version: z.string(),
  duration_seconds: z.number(),
  bpm: z.number().nullable(),
  bpm_confidence: confidence.nullable(),
  time_signature: z.int().nullable().meta({ description: 'Beats in a bar' }),
  key: z.enum(PITCH_NAMES).nullable(),
  scale: z.enum(SCALES).nullable(),
  key_notation: z
    .string()
    .nullable()
    .meta({ examples: ['Am'] }),
  key_confidence: confidence.nullable(),
  camelot: z
    .string()
    .nullable()
    .meta({ examples: ['8A'] }),
  open_key: z
    .string()
    .nullable()
    .meta({ examples: ['1m'] }),
  loudness_lufs: z.number().nullable(),
  true_peak_dbtp: z.number().nullable(),
  energy: zeroToOne.nullable(),
  danceability: zeroToOne.nullable(),
  valence: zeroToOne.nullable(),
  acousticness: zeroToOne.nullable(),
  instrumentalness: zeroToOne.nullable(),
  speechiness: zeroToOne.nullable(),
  mood_tags: z.array(z.string()),
  genre_suggestions: z.array(z.string()),
  unavailable: z
    .record(z.string(), z.string())
    .meta({ description: 'Why a value is null', examples: [{ 'tonal.key': 'no_pitched_content' }] }),
  corrections: ResultCorrections.nullable().meta({
    description: 'What a person has corrected; null if nothing',
  }),
};

export const ResultSummary = z.object(summaryFields).meta({ id: 'ResultSummary' });
export type ResultSummary = z.infer<typeof ResultSummary>;

const ResultFile = z
  .object({
    container: z.string().nullable(),
    codec: z.string().nullable(),
    sample_rate_hz: z.number().nullable(),
    channels: count.nullable(),
    bit_depth: z.int().nullable(),
    bit_rate_bps: z.number().nullable(),
    duration_seconds: z.number().nullable(),
    byte_size: count.nullable(),
    sha256: z.string().nullable(),
    tags: z
      .record(z.string(), z.unknown())
      .meta({ description: 'title, artist, album, isrc, … as stored in the file' }),
    cover_art_present: z.boolean().nullable(),
  })
  .meta({ id: 'ResultFile' });

const ResultProvenance = z
  .looseObject({
    schema_version: z.string(),
    engine_version: z.string(),
    decoder: z.string().nullable(),
    models: z.array(z.object({ name: z.string(), version: z.string(), sha256: z.string() })),
    analysed_at: timestamp,
    analysis_seconds: z.number().nullable(),
    options: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'ResultProvenance' });

const ResultEnrichment = z
  .looseObject({ provider: z.string(), status: z.enum(['matched', 'no_match', 'unavailable']) })
  .meta({ id: 'ResultEnrichment' });

export const FullResult = z
  .object({
    ...summaryFields,
    file: ResultFile.nullable(),
    rhythm: ResultRhythm.nullable(),
    tonal: ResultTonal.nullable(),
    structure: ResultStructure.nullable(),
    loudness: ResultLoudness.nullable(),
    quality: ResultQuality.nullable(),
    timbre: ResultTimbre.nullable(),
    content: ResultContent.nullable(),
    waveform: ResultWaveform.nullable(),
    fingerprint: ResultFingerprint.nullable(),
    tags: ResultTags.nullable(),
    provenance: ResultProvenance,
    enrichment: z.array(ResultEnrichment),
  })
  .meta({ id: 'FullResult', description: 'The fields of the summary and all groups' });
export type FullResult = z.infer<typeof FullResult>;
