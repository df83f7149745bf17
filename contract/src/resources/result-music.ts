import { z } from 'zod';
import { confidence, count, seconds } from '../wire-values.ts';

/** The groups of a result about music: rhythm, tonal, structure. docs/result-format.md describes them at length. */

export const PITCH_NAMES = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'] as const;
export const SCALES = ['major', 'minor'] as const;
export const SECTION_LABELS = [
  'intro',
  'verse',
  'pre-chorus',
  'chorus',
  'bridge',
  'instrumental',
  'break',
  'outro',
] as const;

const pitchName = z.enum(PITCH_NAMES);
const scale = z.enum(SCALES);

export const ResultRhythm = z
  .object({
    bpm: z.number().nullable().meta({ description: 'Tempo measured from the beats, unrounded' }),
    confidence: confidence.nullable(),
    alternatives: z.array(z.object({ bpm: z.number(), weight: z.number() })).meta({
      description:
        'The tempi it could be counted in, the most probable first; weights below 0.5 % are left out, so that they add up to at most 1',
    }),
    stability: z
      .number()
      .nullable()
      .meta({ description: 'Steadiness of the tempo from 0 to 1; 1 is a metronome' }),
    tempo_curve: z.array(z.object({ time_seconds: seconds, bpm: z.number() })),
    beats: z.array(
      z.object({
        time_seconds: seconds,
        confidence,
        beat_in_bar: z.int().meta({ description: '1 is the downbeat' }),
        bar: z.int().meta({ description: 'Counted from 0' }),
      }),
    ),
    downbeats: z.array(z.object({ time_seconds: seconds, confidence })),
    time_signature: z
      .object({
        beats_per_bar: z.int(),
        confidence,
        changes: z.array(
          z.object({ start_seconds: seconds, end_seconds: seconds, beats_per_bar: z.int(), confidence }),
        ),
      })
      .nullable(),
    onsets: z.array(
      z.object({ time_seconds: seconds, strength: z.number().meta({ description: '0 to 1' }) }),
    ),
    onset_rate_hz: z.number().meta({ description: 'Onsets per second' }),
    swing: z
      .object({
        ratio: z.number().meta({
          description: 'Share of the first eighth note in a beat: 0.5 is straight, 0.667 triplet swing',
        }),
        confidence,
      })
      .nullable(),
  })
  .meta({ id: 'ResultRhythm' });

const Chord = z
  .object({
    start_seconds: seconds,
    end_seconds: seconds,
    label: z.string().meta({ description: 'Harte syntax; `N` is no chord', examples: ['A:min', 'N'] }),
    roman: z
      .string()
      .nullable()
      .meta({
        description: 'Roman numeral in the key at its time; null without a key or a chord',
        examples: ['vi', 'V7'],
      }),
    bar: z
      .int()
      .nullable()
      .meta({ description: 'Bar in which it starts, counted from 0; null without beats' }),
    beat: z.int().nullable().meta({ description: 'Beat of that bar, counted from 1; null without beats' }),
    confidence,
  })
  .meta({ id: 'Chord' });

export const ResultTonal = z
  .object({
    key: pitchName.nullable(),
    scale: scale.nullable(),
    confidence: confidence.nullable(),
    alternatives: z
      .array(z.object({ key: pitchName, scale, weight: z.number() }))
      .meta({ description: 'The next most probable keys' }),
    key_changes: z.array(
      z.object({ start_seconds: seconds, end_seconds: seconds, key: pitchName, scale, confidence }),
    ),
    tuning_hz: z.number().nullable().meta({ description: 'Frequency of A4' }),
    tuning_cents: z.number().nullable().meta({ description: 'Offset from A4 = 440 Hz' }),
    chords: z.array(Chord).meta({ description: 'Spans of major, minor and no chord' }),
    chords_sevenths: z
      .array(Chord)
      .meta({ description: 'The same with sevenths, suspensions, diminished and augmented chords' }),
    chroma: z.array(z.number()).meta({ description: 'Mean chroma from C, largest value 1' }),
  })
  .meta({ id: 'ResultTonal' });

export const Section = z
  .object({
    start_seconds: seconds,
    end_seconds: seconds,
    label: z.enum(SECTION_LABELS),
    label_confidence: confidence,
    group: z.string().meta({ description: 'A, B, …: sections with the same letter repeat the same music' }),
    confidence: confidence.meta({
      description: 'Of the boundary at its start; for the first section, at its end',
    }),
    start_bar: count.nullable().meta({ description: 'Whole bars before it; null without beats' }),
    bpm: z.number().nullable(),
    key: z
      .string()
      .nullable()
      .meta({ examples: ['Am'] }),
    loudness_lufs: z.number().nullable(),
    energy: z.number().nullable().meta({
      description:
        'Relative to the loudest section, which has 1; 0 is 20 LU below it or quieter. Unlike the energy of the whole song',
    }),
  })
  .meta({ id: 'Section' });

export const ResultStructure = z
  .object({
    sections: z.array(Section),
    segments: z.object({
      fade_in_end_seconds: seconds.nullable(),
      fade_out_start_seconds: seconds.nullable(),
    }),
  })
  .meta({ id: 'ResultStructure' });
