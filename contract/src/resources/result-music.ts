import { z } from 'zod';
import { confidence, count } from '../wire-values.ts';

/** The groups of a result about music: rhythm, tonal, structure. docs/result-format.md explains each field. */

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

export const seconds = z.number().min(0);
const pitchName = z.enum(PITCH_NAMES);
const scale = z.enum(SCALES);

export const ResultRhythm = z
  .object({
    bpm: z.number().nullable().meta({ description: 'Unrounded, from the beats' }),
    confidence: confidence.nullable(),
    alternatives: z.array(z.object({ bpm: z.number(), weight: z.number() })),
    stability: z.number().nullable().meta({ description: '0 to 1; 1 is a metronome' }),
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
    onsets: z.array(z.object({ time_seconds: seconds, strength: z.number() })),
    onset_rate_hz: z.number(),
    swing: z
      .object({ ratio: z.number().meta({ description: '0.5 straight, 0.667 triplet swing' }), confidence })
      .nullable(),
  })
  .meta({ id: 'ResultRhythm' });

const Chord = z
  .object({
    start_seconds: seconds,
    end_seconds: seconds,
    label: z.string().meta({ description: 'Harte syntax', examples: ['A:min', 'N'] }),
    roman: z.string().nullable(),
    bar: z.int().nullable(),
    beat: z.int().nullable(),
    confidence,
  })
  .meta({ id: 'Chord' });

export const ResultTonal = z
  .object({
    key: pitchName.nullable(),
    scale: scale.nullable(),
    confidence: confidence.nullable(),
    alternatives: z.array(z.object({ key: pitchName, scale, weight: z.number() })),
    key_changes: z.array(
      z.object({ start_seconds: seconds, end_seconds: seconds, key: pitchName, scale, confidence }),
    ),
    tuning_hz: z.number().nullable(),
    tuning_cents: z.number().nullable(),
    chords: z.array(Chord).meta({ description: 'Major, minor and no chord' }),
    chords_sevenths: z.array(Chord),
    chroma: z.array(z.number()).meta({ description: 'Mean chroma from C, largest value 1' }),
  })
  .meta({ id: 'ResultTonal' });

export const Section = z
  .object({
    start_seconds: seconds,
    end_seconds: seconds,
    label: z.enum(SECTION_LABELS),
    label_confidence: confidence,
    group: z.string().meta({ description: 'A, B, … for repetition' }),
    confidence,
    start_bar: count.nullable(),
    bpm: z.number().nullable(),
    key: z.string().nullable(),
    loudness_lufs: z.number().nullable(),
    energy: z.number().nullable(),
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
