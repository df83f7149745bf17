import { z } from 'zod';
import {
  exactlyOne,
  goesWith,
  type IssueParams,
  KEY_NAME,
  keyName,
  label,
  matching,
  onlyWith,
  refuseValue,
  repeatable,
  wireInteger,
  wireNumber,
  zeroToOne,
} from '../wire-values.ts';
import { AnalysisJob, JOB_STATUSES } from './analysis.ts';
import { COLLECTION_FORMATS, exportFolder } from './collection.ts';

export const SONG_SORTS = [
  'created_at',
  'title',
  'artist',
  'bpm',
  'key',
  'energy',
  'danceability',
  'loudness_lufs',
  'duration_seconds',
] as const;
export type SongSort = (typeof SONG_SORTS)[number];
const SORTS_BOTH_WAYS = SONG_SORTS.flatMap((sort) => [sort, `-${sort}` as const]);

/** As the library was specified. */
const SONGS_PAGE_MAX = 200;
/** A cursor is a signature, a sort key of up to 100 characters and an id: at most 480 characters in base64url. */
const CURSOR_CHARACTERS_MAX = 600;
/** Limits the length of the query: no search form offers more names at once. */
const NAMES_MAX = 20;

const name = label(100);
const names = (description: string) => repeatable(name, NAMES_MAX).optional().meta({ description });
const ratio = wireNumber({ ge: 0, le: 1 }).optional();
const bpm = wireNumber({ ge: 1, le: 1000 }).optional();
const lufs = wireNumber({ ge: -200, le: 50 }).optional().meta({ description: 'LUFS' });
const seconds = wireNumber({ ge: 0, le: 1_000_000 }).optional().meta({ description: 'Seconds' });

const DATE_AND_TIME = /^(\d{4}-\d{2}-\d{2})([Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Null for an invalid date. Date.parse alone would read `0` as the year 2000, 30 February as 2 March, and a time without a zone as local
 * time; here it is UTC.
 */
function readMoment(value: string): Date | null {
  const [, day, time, , , zone] = DATE_AND_TIME.exec(value) ?? [];
  if (day === undefined) return null;
  const moment = new Date(time !== undefined && zone === undefined ? `${value}Z` : value);
  const isInCalendar = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  return isInCalendar && !Number.isNaN(moment.getTime()) ? moment : null;
}

const moment = z
  .string()
  .max(40)
  .transform((value, context) => {
    const read = readMoment(value);
    if (read !== null) return read;
    const params: IssueParams = { type: 'datetime_from_date_parsing', ctx: { error: 'invalid' } };
    context.addIssue({ code: 'custom', message: 'Input should be a valid datetime or date', params });
    return z.NEVER;
  })
  .optional()
  .meta({
    anyOf: [
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date' },
    ],
    description: 'In UTC unless it names a zone',
    examples: ['2026-01-31T09:30:00Z'],
  });

/** The filters for songs. A song must meet all of them. */
const songFilter = {
  q: z
    .string()
    .max(200)
    .optional()
    .meta({
      description:
        'Words in title, artist, album, file name, tags and note. Case and accents are ignored, and the beginning of a word is enough',
      examples: ['für eli'],
    }),
  bpm_min: bpm,
  bpm_max: bpm,
  bpm_near: bpm.meta({ description: 'Within 4 %, also at half or double tempo' }),
  key: repeatable(keyName, 24)
    .optional()
    .meta({ description: 'Any of these keys', examples: [['C minor', '5A']] }),
  compatible_with: matching(
    `^(${KEY_NAME}|job_[0-9A-Za-z]+)$`,
    'it is neither a key ("C minor", "F#m", "5A", "10m") nor the id of an analysis ("job_…")',
  )
    .max(64)
    .optional()
    .meta({
      description:
        'A key, a Camelot number or the id of an analysis: finds songs in the same key, its neighbours on the Camelot wheel and its relative key',
      examples: ['8A'],
    }),
  energy_min: ratio,
  energy_max: ratio,
  danceability_min: ratio,
  danceability_max: ratio,
  valence_min: ratio,
  valence_max: ratio,
  loudness_min: lufs,
  loudness_max: lufs,
  duration_min: seconds,
  duration_max: seconds,
  genre: names('Any of these'),
  mood: names('Any of these'),
  instrument: names('All of these'),
  tag: names('All of these'),
  voice: z.enum(['yes', 'no']).optional().meta({ description: 'Whether there is a voice' }),
  collection: z.string().max(64).optional().meta({ description: 'Only songs in this collection' }),
  status: z.enum(JOB_STATUSES).optional(),
  created_after: moment,
  created_before: moment,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .meta({ description: 'Only songs analysed from exactly this file, to avoid sending it twice' }),
  duplicates: z.enum(['only', 'hide']).optional().meta({
    description:
      'Recordings that occur more than once: `only` returns nothing else, `hide` returns each once',
  }),
};

export const REPEATABLE_FILTERS = ['key', 'genre', 'mood', 'instrument', 'tag'] as const;

export const SongFilter = z.strictObject(songFilter).meta({ id: 'SongFilter' });
export type SongFilter = z.output<typeof SongFilter>;

export const songQuery = z.object({
  ...songFilter,
  sort: z.enum(SORTS_BOTH_WAYS).optional().meta({
    description:
      'A minus sign reverses the order; songs without the value come last. The default is `-created_at`',
  }),
  limit: wireInteger({ ge: 1, le: SONGS_PAGE_MAX })
    .optional()
    .meta({ description: 'Page size', default: 50 })
    .transform((value) => value ?? 50),
  after: z.string().max(CURSOR_CHARACTERS_MAX).optional().meta({
    description: 'The cursor from the Link header of the previous page; valid with the same filter and sort',
  }),
});

/** Of one song, and of one request. */
export const SONG_TAGS_MAX = 50;

export const SongDescription = z
  .strictObject({
    title: label(300).nullish(),
    artist: label(300).nullish(),
    album: label(300).nullish(),
    tags: z.array(label(50)).max(SONG_TAGS_MAX).nullish().meta({ description: 'Replaces all tags' }),
    note: label(2000).nullish(),
    rating: wireInteger({ ge: 0, le: 5 }).nullish(),
  })
  .meta({
    id: 'SongDescription',
    description: 'Omitted fields keep their value; null restores the value from the file',
    examples: [{ title: 'Für Elise', artist: 'Ludwig van Beethoven', tags: ['warm-up'], rating: 4 }],
  });

/** As the library was specified. */
export const BULK_IDS_MAX = 500;
/** As many songs as `X-Total-Count` counts for a filter. */
export const BULK_QUERY_MAX = 10_000;
export const BULK_ACTIONS = [
  'tag',
  'untag',
  'delete',
  'add_to_collection',
  'analyse_again',
  'export',
] as const;

export const BulkRequest = z
  .strictObject({
    ids: z.array(z.string().min(1).max(64)).min(1).max(BULK_IDS_MAX).nullish(),
    query: SongFilter.nullish().meta({
      description: `Every song that matches this filter, at most ${BULK_QUERY_MAX} (${BULK_IDS_MAX} to delete, analyse again or export)`,
    }),
    action: z.enum(BULK_ACTIONS),
    tags: z
      .array(label(50))
      .min(1)
      .max(SONG_TAGS_MAX)
      .nullish()
      .meta({ description: 'For `tag` and `untag`' }),
    collection_id: z.string().max(64).nullish().meta({ description: 'For `add_to_collection`' }),
    format: z.enum(COLLECTION_FORMATS).nullish().meta({ description: 'For `export`' }),
    folder: exportFolder.nullish(),
  })
  .superRefine((value, context) => {
    const refuse = (path: string, sentence: string) => refuseValue(context, sentence, path);
    if ((value.ids == null) === (value.query == null)) refuse('ids', 'give exactly one of ids and query');
    const needsTags = value.action === 'tag' || value.action === 'untag';
    if (needsTags !== (value.tags != null))
      refuse('tags', 'tags go with the actions tag and untag, and only with them');
    if ((value.action === 'add_to_collection') !== (value.collection_id != null)) {
      refuse('collection_id', 'a collection_id goes with the action add_to_collection, and only with it');
    }
    if ((value.action === 'export') !== (value.format != null))
      refuse('format', 'a format goes with the action export, and only with it');
    if (value.action !== 'export' && value.folder != null)
      refuse('folder', 'a folder goes with the action export, and only with it');
  })
  .meta({
    id: 'BulkRequest',
    ...exactlyOne('ids', 'query'),
    dependentSchemas: {
      action: {
        allOf: [
          goesWith('action', ['tag', 'untag'], 'tags'),
          goesWith('action', ['add_to_collection'], 'collection_id'),
          goesWith('action', ['export'], 'format'),
          onlyWith('action', ['export'], 'folder'),
        ],
      },
    },
    examples: [{ ids: ['job_01k0f8yq3m7t9w2x4z6b8c0d1e'], action: 'tag', tags: ['warm-up'] }],
  });

export const BulkOutcome = z
  .object({
    action: z.enum(BULK_ACTIONS),
    matched: z.int().meta({ description: 'The number of songs selected' }),
    changed: z.int().meta({ description: 'The number of songs that the action changed' }),
    job_ids: z
      .array(z.string())
      .meta({ description: 'The ids of the new analyses for `analyse_again`; otherwise empty' }),
  })
  .meta({ id: 'BulkOutcome' });

export const SimilarSong = z
  .object({
    job: AnalysisJob,
    similarity: zeroToOne.meta({ description: '1 for the song itself' }),
    reason: z.string().meta({
      examples: ['much the same groove; 8A to 9A, a fifth higher; 124.0 to 126.0 BPM, slowed by 1.6 %'],
    }),
  })
  .meta({ id: 'SimilarSong' });

export const NextSong = z
  .object({
    job: AnalysisJob,
    score: zeroToOne,
    key_relation: z.string().nullable(),
    tempo_shift_percent: z.number().nullable().meta({
      description:
        'The change of speed that matches the tempo of the previous song, at half or double time if that is closer; at most 8 %',
    }),
    energy_step: z.number().nullable(),
    reason: z.string(),
  })
  .meta({ id: 'NextSong' });
