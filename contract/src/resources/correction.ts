import { z } from 'zod';
import {
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
/** Chosen: all four are far above what any song has. */
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
    description: 'In BPM, or what to make of the heard one. Beats are divided or thinned, bars follow',
    examples: ['double', 140.5],
  });

const CorrectedSection = z
  .strictObject({
    start_seconds: seconds,
    end_seconds: seconds,
    label: z.enum(SECTION_LABELS),
    group: z.string().min(1).max(3).nullish().meta({ description: 'The same letter is the same music' }),
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
    remove: z.array(seconds).max(BEAT_EDITS_MAX).nullish().meta({ description: 'Seconds' }),
    move: z
      .array(z.strictObject({ from_seconds: seconds, to_seconds: seconds }))
      .max(BEAT_EDITS_MAX)
      .nullish(),
    add: z.array(seconds).max(BEAT_EDITS_MAX).nullish().meta({ description: 'Seconds' }),
  })
  .meta({
    id: 'BeatEdits',
    description: 'Single beats of the grid as it is after tempo and bars; a beat is named by its time',
  });

/** Replaces the whole correction: a member that is left out or null is not corrected. */
export const CorrectionRequest = z
  .strictObject({
    tempo: tempo.nullish(),
    first_downbeat_seconds: seconds
      .meta({
        description: 'Where the first bar truly begins: the nearest beat becomes the first of a bar',
      })
      .nullish(),
    shift_beats: wireInteger({ ge: -64, le: 64 })
      .meta({
        description: 'Bars begin this many beats later than heard; instead of `first_downbeat_seconds`',
      })
      .nullish(),
    beats_per_bar: wireInteger({ ge: 1, le: 16 }).nullish(),
    key: keyName
      .meta({
        description: 'Camelot, Roman numerals and compatible keys follow',
        examples: ['G major', 'F#m', '5A'],
      })
      .nullish(),
    sections: z
      .array(CorrectedSection)
      .min(1)
      .max(SECTIONS_MAX)
      .meta({ description: 'The whole form' })
      .nullish(),
    chords: z
      .array(CorrectedChord)
      .min(1)
      .max(CHORDS_MAX)
      .meta({ description: 'Spans that take the place of what was heard there' })
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
    if: { required: ['shift_beats'], properties: { shift_beats: { not: { type: 'null' } } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: { properties: { first_downbeat_seconds: { type: 'null' } } },
    examples: [{ tempo: 'double', key: 'G major' }],
  });

const kinds = z.array(z.enum(CORRECTION_KINDS)).meta({ description: 'What is corrected' });
const correctedBy = z.string().meta({ description: 'Id of the person, or of the person whose key it was' });

export const Correction = z
  .object({
    job_id: identifier('job'),
    kinds,
    tempo: z.union([z.enum(TEMPO_WORDS), z.number()]).nullable(),
    bpm: z.number().nullable().meta({ description: 'The true tempo that `tempo` comes to' }),
    first_downbeat_seconds: z.number().nullable(),
    shift_beats: z.int().nullable(),
    beats_per_bar: z.int().nullable(),
    key: z.string().nullable(),
    sections: z.array(CorrectedSection).nullable().meta({ description: 'As it was said' }),
    chords: z.array(CorrectedChord).nullable(),
    beats: BeatEdits.nullable(),
    note: z.string().nullable(),
    corrected_by: correctedBy.nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Correction', description: 'What a person said is true; all null when nobody has' });

/** In a result: which parts a person has corrected, and what the engine had heard. */
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
