/** The structured content of the analysis tools. */

import { FEATURE_GROUPS, JOB_STATUSES } from '@earshot/contract';
import { z } from 'zod';

const confidence = z.number().min(0).max(1).optional();

/** A list, or the length and the first items of a long one. */
function list<T extends z.ZodType>(item: T) {
  return z.union([z.array(item), z.object({ count: z.number(), first: z.array(item) })]).optional();
}

/** The compact result. Unknown values are left out, and `unavailable` says why. A group is present if it was requested. */
export const RESULT_OUTPUT = {
  id: z.string(),
  name: z.string().nullish(),
  status: z.enum(JOB_STATUSES).optional(),
  progress: z.number().optional().describe('0 to 1, until there is a result'),
  error: z.string().nullish().describe('Why the analysis failed'),
  duration_seconds: z.number().optional(),
  bpm: z.number().optional(),
  bpm_confidence: confidence,
  bpm_alternatives: list(z.number()),
  beats: z.number().optional().describe('Number of beats'),
  beats_in_a_bar: z.number().optional(),
  key: z.string().optional(),
  key_confidence: confidence,
  camelot: z.string().optional(),
  key_alternatives: list(z.string()),
  chords: z.array(z.string()).optional().describe('The most played chords, longest total duration first'),
  loudness_lufs: z.number().optional(),
  true_peak_dbtp: z.number().optional(),
  energy: z.number().optional(),
  danceability: z.number().optional(),
  valence: z.number().optional(),
  genres: list(z.string()),
  moods: list(z.string()),
  instruments: list(z.string()),
  voice_presence: z.number().optional().describe('Share of the recording with a voice, 0 to 1'),
  sections: list(z.string()),
  quality_events: list(z.string()),
  unavailable: z.record(z.string(), z.string()).optional(),
  groups: z.array(z.enum(FEATURE_GROUPS)).optional().describe('The groups that get_result can return'),
  ...Object.fromEntries(FEATURE_GROUPS.map((group) => [group, z.unknown().optional()])),
};

export const LIST_OUTPUT = {
  analyses: z.array(
    z.object({
      id: z.string(),
      status: z.enum(JOB_STATUSES),
      name: z.string().nullable(),
      progress: z.number(),
      error: z.string().nullable(),
    }),
  ),
};

const pair = <T extends z.ZodType>(item: T) =>
  z.array(item).length(2).describe('Of the first and the second song');

const COMPARISON = {
  tempo: z
    .object({
      bpm: pair(z.number()),
      change_percent: z.number().describe('Tempo change of the second song that matches the first'),
      relation: z.enum(['same', 'half', 'double', 'different']),
      mixes: z.boolean(),
    })
    .nullable(),
  key: z.object({ camelot: pair(z.string()), mixes: z.boolean(), relation: z.string() }).nullable(),
  loudness: z.object({ lufs: pair(z.number()), gain_db_for_second: z.number() }).nullable(),
  duration_seconds: pair(z.number()),
  differences: z.record(z.string(), z.number()).describe('The second minus the first'),
};
export type Comparison = z.infer<z.ZodObject<typeof COMPARISON>>;

export const COMPARE_OUTPUT = { first_id: z.string(), second_id: z.string(), ...COMPARISON };

export const FORMATS_OUTPUT = { formats: z.array(z.string()) };

export const EXPORT_OUTPUT = {
  id: z.string(),
  format: z.string(),
  encoding: z.enum(['text', 'base64']),
  content: z.string(),
};
