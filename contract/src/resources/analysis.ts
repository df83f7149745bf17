import { z } from 'zod';
import { FAILURE_CODES } from '../error-codes.ts';
import { JOB_EVENT_TYPES } from '../event-names.ts';
import {
  exactlyOne,
  httpUrl,
  identifier,
  refuseValue,
  timestamp,
  wireBoolean,
  wireInteger,
  wireNumber,
  zeroToOne,
} from '../wire-values.ts';
import { FEATURE_GROUPS, FullResult, RESULT_GROUPS } from './result.ts';

export const JOB_STATUSES = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];
const JobStatusSchema = z.enum(JOB_STATUSES).meta({ id: 'JobStatus' });

const ENRICHMENT_PROVIDERS = ['acoustid'] as const;
export const EXPORT_FORMATS = [
  'jams',
  'audacity',
  'lab-beats',
  'lab-chords',
  'lab-sections',
  'midi',
  'rekordbox-xml',
  'chordpro',
  'musicxml',
  'csv',
  'audiowaveform-json',
  'audiowaveform-dat',
  'spotify-audio-analysis',
  'spotify-audio-features',
] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const FailureCodeSchema = z.enum(FAILURE_CODES).meta({ id: 'FailureCode' });

export const AnalysisFailure = z
  .object({
    code: FailureCodeSchema,
    message: z.string(),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed later' }),
  })
  .meta({ id: 'AnalysisFailure' });

/** As the interface was specified. */
const METADATA_PAIRS_MAX = 16;
const Metadata = z.record(z.string().min(1).max(40), z.string().max(500)).superRefine((value, context) => {
  const pairs = Object.keys(value).length;
  if (pairs <= METADATA_PAIRS_MAX) return;
  context.addIssue({
    code: 'custom',
    message: `Dictionary should have at most ${METADATA_PAIRS_MAX} items after validation, not ${pairs}`,
    params: {
      type: 'too_long',
      ctx: { field_type: 'Dictionary', max_length: METADATA_PAIRS_MAX, actual_length: pairs },
    },
  });
});

const tempoBpm = wireNumber({ ge: 20, le: 400 });

export const AnalysisHints = z
  .strictObject({
    bpm: tempoBpm.nullish(),
    bpm_min: tempoBpm.nullish(),
    bpm_max: tempoBpm.nullish(),
    key: z
      .string()
      .regex(/^[A-Ga-g](#|b)?(m|:maj|:min| ?major| ?minor)?$/)
      .nullish()
      .meta({ examples: ['A', 'Am', 'F# minor', 'Bb:min'] }),
    time_signature: wireInteger({ ge: 1, le: 16 }).nullish().meta({ description: 'Beats in a bar' }),
  })
  .superRefine(({ bpm, bpm_min, bpm_max }, context) => {
    if (bpm_min != null && bpm_max != null && bpm_min > bpm_max)
      refuseValue(context, 'bpm_min must not be above bpm_max', 'bpm_min');
    else if (bpm != null && (bpm < (bpm_min ?? bpm) || bpm > (bpm_max ?? bpm)))
      refuseValue(context, 'bpm must lie between bpm_min and bpm_max', 'bpm');
  })
  .meta({
    id: 'AnalysisHints',
    description: 'What is already known about the song. Each hint narrows the search',
  });

/** The options of an analysis, on both surfaces. */
export const analysisOptions = {
  webhook_url: httpUrl().nullish(),
  features: z
    .array(z.enum(RESULT_GROUPS))
    .min(1)
    .max(RESULT_GROUPS.length)
    .nullish()
    .meta({ description: 'All groups unless given. `file` and `provenance` are always included' }),
  hints: AnalysisHints.nullish(),
  metadata: Metadata.nullish().meta({ description: 'Up to 16 pairs of text, returned with the job' }),
  enrich: z.array(z.enum(ENRICHMENT_PROVIDERS)).max(ENRICHMENT_PROVIDERS.length).nullish(),
  retain_source: wireBoolean().nullish().meta({
    description:
      'Whether to keep the audio after the analysis. If omitted, the workspace decides; a workspace that never keeps audio overrides this',
  }),
};
export type AnalysisOptions = z.output<z.ZodObject<typeof analysisOptions>>;

/** The options as form fields, once their text has been parsed (server/src/analyses/form-fields.ts). */
export const UploadFields = z.strictObject(analysisOptions).meta({ id: 'UploadFields' });

export const AnalysisRequest = z
  .strictObject({
    source_url: httpUrl().nullish(),
    storage_object_id: z.string().min(1).max(64).nullish(),
    ...analysisOptions,
  })
  .superRefine((value, context) => {
    if ((value.source_url == null) === (value.storage_object_id == null))
      refuseValue(context, 'give exactly one of source_url and storage_object_id');
  })
  .meta({
    id: 'AnalysisRequest',
    ...exactlyOne('source_url', 'storage_object_id'),
    examples: [{ source_url: 'https://example.com/song.mp3', features: ['rhythm', 'tonal'] }],
  });

export const AccountAnalysisRequest = z
  .strictObject({
    storage_object_id: z.string().min(1).max(64),
    idempotency_key: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[\x21-\x7e]+$/)
      .nullish()
      .meta({ description: 'Same as the header `Idempotency-Key`; if both are given they must agree' }),
  })
  .meta({ id: 'AccountAnalysisRequest' });

const JOB_EXAMPLE = {
  id: 'job_01k0f8yq3m7t9w2x4z6b8c0d1e',
  status: 'queued',
  source_url: 'https://example.com/song.mp3',
  idempotent_replay: false,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
  storage_object_id: null,
  webhook_url: null,
  features: null,
  metadata: {},
  stage: null,
  progress: 0,
  attempt: 0,
  started_at: null,
  completed_at: null,
  error: null,
  file_name: null,
  retain_source: false,
  source_available: false,
  source_expires_at: null,
  headline: null,
};

export const JobHeadline = z
  .object({
    duration_seconds: z.number(),
    bpm: z.number().nullable(),
    key_notation: z.string().nullable(),
    camelot: z.string().nullable(),
    loudness_lufs: z.number().nullable(),
    title: z
      .string()
      .nullable()
      .meta({ description: 'Set by a person, otherwise from the tags of the file, otherwise the file name' }),
    artist: z.string().nullable(),
    album: z.string().nullable(),
    genre: z
      .string()
      .nullable()
      .meta({ description: 'From the tags of the file, otherwise the first suggestion' }),
    mood: z.string().nullable(),
    energy: zeroToOne.nullable(),
    danceability: zeroToOne.nullable(),
    valence: zeroToOne.nullable(),
    voice: z.boolean().nullable().meta({ description: 'Whether there is a voice; null if unknown' }),
    artwork: z.boolean().meta({ description: 'Whether the file contains cover art' }),
    tags: z.array(z.string()),
    note: z.string().nullable(),
    rating: z.int().nullable(),
    waveform: z
      .array(z.int().min(0).max(255))
      .nullable()
      .meta({ description: '120 peak values over the length of the song' }),
    same_recording_as: z
      .string()
      .nullable()
      .meta({ description: 'The first analysis of the same recording; null if this is the first' }),
    corrected: z.boolean().meta({ description: 'Whether a person has corrected the result' }),
  })
  .meta({ id: 'JobHeadline', description: 'The values shown in a list of songs' });

export const AnalysisJob = z
  .object({
    id: identifier('job'),
    status: JobStatusSchema,
    source_url: z.string().meta({
      description: 'The URL as given; for an upload, `storage://<bucket>/<key>` of its storage object',
    }),
    idempotent_replay: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
    storage_object_id: z.string().nullable(),
    webhook_url: z.string().nullable(),
    features: z.array(z.enum(FEATURE_GROUPS)).nullable().meta({ description: 'Null for all groups' }),
    metadata: z.record(z.string(), z.string()),
    stage: z.string().nullable(),
    progress: zeroToOne,
    attempt: z.int(),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    error: AnalysisFailure.nullable(),
    file_name: z.string().nullable().meta({ description: 'The file name of the upload' }),
    retain_source: z.boolean().meta({ description: 'Whether the audio is kept after the analysis' }),
    source_available: z.boolean().meta({
      description:
        'Whether the audio is stored, so that it can be played (`artifacts/source`) and analysed again',
    }),
    source_expires_at: timestamp.nullable().meta({
      description: 'When the retention policy of the workspace deletes the audio; null if it does not',
    }),
    headline: JobHeadline.nullable().meta({ description: 'Null until the job is completed' }),
  })
  .meta({ id: 'AnalysisJob', examples: [JOB_EXAMPLE] });

export const Deleted = z.object({ deleted: z.boolean() }).meta({ id: 'Deleted' });

export const ReportArtifact = z
  .object({
    id: identifier('art'),
    formats: z
      .record(z.string(), z.string())
      .meta({ examples: [{ html: 'https://api.example.com/…/report.html' }] }),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'ReportArtifact' });

export const AnalysisResult = z
  .object({
    job_id: identifier('job'),
    status: JobStatusSchema,
    result: FullResult.nullable(),
    report_artifact: ReportArtifact.nullable(),
    error: AnalysisFailure.nullable(),
  })
  .meta({ id: 'AnalysisResult' });

export const AnalysisEvent = z
  .object({
    id: identifier('evt'),
    event_type: z.enum(JOB_EVENT_TYPES),
    message: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: timestamp,
  })
  .meta({ id: 'AnalysisEvent' });
