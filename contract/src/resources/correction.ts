import { z } from 'zod';
import {
  atMostOne,
  identifier,
  keyName,
  label,
  refuseValue,
  timestamp,
  wireInteger,
  wireNumber,
} from '../wire-values.ts';
import { SECTION_LABELS } from './result-music.ts';

export const CORRECTION_KINDS = ['tempo', 'bars', 'beats', 'key', 'chords', 'sections'] as const;
const TEMPO_WORDS = ['double', 'half', 'triple', 'third'] as const;
/** Bounds on the size of a request, all far above what any song has. */
const SONG_SECONDS_MAX = 86_400;
const SECTIONS_MAX = 500;
const CHORDS_MAX = 5_000;
const BEAT_EDITS_MAX = 5_000;

const seconds = wireNumber({ ge: 0, le: SONG_SECONDS_MAX });

const tempo = z
  .union([z.enum(TEMPO_WORDS), wireNumber({ ge: 20, le: 400 })], {
    error: 'say double, half, triple, third, or a tempo of 20 to 400 BPM',
  })
  .meta({
    description:
      'In BPM, or relative to the detected tempo. Beats are added or dropped to match, and bars follow',
    examples: ['double', 140.5],
  });

const CorrectedSection = z
  .strictObject({
    start_seconds: seconds,
    end_seconds: seconds,
    label: z.enum(SECTION_LABELS),
    group: z
      .string()
      .min(1)
      .max(3)
      .nullish()
      .meta({ description: 'Sections with the same letter repeat the same music' }),
  })
  .meta({ id: 'CorrectedSection' });

const CorrectedChord = z
  .strictObject({
    start_seconds: seconds,
    end_seconds: seconds,
    label: z
      .string()
      .min(1)
      .max(20)
      .meta({ examples: ['A:min7', 'Am7', 'N'] }),
  })
  .meta({ id: 'CorrectedChord' });

const BeatEdits = z
  .strictObject({
    remove: z.array(seconds).max(BEAT_EDITS_MAX).nullish().meta({ description: 'In seconds' }),
    move: z
      .array(z.strictObject({ from_seconds: seconds, to_seconds: seconds }))
      .max(BEAT_EDITS_MAX)
      .nullish(),
    add: z.array(seconds).max(BEAT_EDITS_MAX).nullish().meta({ description: 'In seconds' }),
  })
  .meta({
    id: 'BeatEdits',
    description:
      'Changes to individual beats, applied after tempo and bars. A beat is identified by its time',
  });

/** Replaces the whole correction: a member that is omitted or null is not corrected. */
export const CorrectionRequest = z
  .strictObject({
    tempo: tempo.nullish(),
    first_downbeat_seconds: seconds
      .meta({
        description: 'Where the first bar begins; the nearest beat becomes a downbeat',
      })
      .nullish(),
    shift_beats: wireInteger({ ge: -64, le: 64 })
      .meta({
        description:
          'How many beats later than detected the bars begin; an alternative to `first_downbeat_seconds`',
      })
      .nullish(),
    beats_per_bar: wireInteger({ ge: 1, le: 16 }).nullish(),
    key: keyName
      .meta({
        description: 'Camelot number, Roman numerals and compatible keys follow from it',
        examples: ['G major', 'F#m', '5A'],
      })
      .nullish(),
    sections: z
      .array(CorrectedSection)
      .min(1)
      .max(SECTIONS_MAX)
      .meta({ description: 'All sections of the song' })
      .nullish(),
    chords: z
      .array(CorrectedChord)
      .min(1)
      .max(CHORDS_MAX)
      .meta({ description: 'Chords that replace those detected in their time spans' })
      .nullish(),
    beats: BeatEdits.nullish(),
    note: label(500).nullish(),
  })
  .superRefine((value, context) => {
    if (value.first_downbeat_seconds != null && value.shift_beats != null)
      refuseValue(context, 'give one of first_downbeat_seconds and shift_beats, not both', 'shift_beats');
  })
  .meta({
    id: 'CorrectionRequest',
    ...atMostOne('shift_beats', 'first_downbeat_seconds'),
    examples: [{ tempo: 'double', key: 'G major' }],
  });

const kinds = z.array(z.enum(CORRECTION_KINDS)).meta({ description: 'What has been corrected' });
const correctedBy = z
  .string()
  .meta({ description: 'Id of the user, or of the user who created the API key' });

export const Correction = z
  .object({
    job_id: identifier('job'),
    kinds,
    tempo: z.union([z.enum(TEMPO_WORDS), z.number()]).nullable(),
    bpm: z.number().nullable().meta({ description: 'The tempo that `tempo` results in' }),
    first_downbeat_seconds: z.number().nullable(),
    shift_beats: z.int().nullable(),
    beats_per_bar: z.int().nullable(),
    key: z.string().nullable(),
    sections: z.array(CorrectedSection).nullable().meta({ description: 'As given' }),
    chords: z.array(CorrectedChord).nullable(),
    beats: BeatEdits.nullable(),
    note: z.string().nullable(),
    corrected_by: correctedBy.nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({
    id: 'Correction',
    description: 'What a person corrected; all fields are null if nothing has been corrected',
  });

/** In a result: which parts a person has corrected, and what the engine had detected. */
export const ResultCorrections = z
  .object({
    kinds,
    heard: z.object({
      bpm: z.number().nullable(),
      time_signature: z.int().nullable(),
      first_downbeat_seconds: z.number().nullable(),
      key_notation: z.string().nullable(),
      camelot: z.string().nullable(),
    }),
    note: z.string().nullable(),
    corrected_by: correctedBy,
    updated_at: timestamp,
  })
  .meta({ id: 'ResultCorrections' });
