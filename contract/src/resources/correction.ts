import { z } from 'zod';
import { identifier, label, timestamp, wireNumber } from '../wire-values.ts';

const fields = {
  bpm: wireNumber({ ge: 20, le: 400 }).nullish().meta({ description: 'The true tempo' }),
  key: z
    .string()
    .regex(/^[A-G](#|b)? (major|minor)$/)
    .nullish()
    .meta({ description: 'The true key', examples: ['G major', 'F# minor'] }),
  first_downbeat_seconds: wireNumber({ ge: 0, le: 86_400 })
    .nullish()
    .meta({ description: 'Where the first bar truly begins, from the start of the audio' }),
  note: label(500).nullish(),
};

/** Replaces the whole correction: what is left out or null is not corrected. */
export const CorrectionRequest = z
  .strictObject(fields)
  .meta({ id: 'CorrectionRequest', examples: [{ bpm: 87.5, key: 'G major' }] });

export const Correction = z
  .object({
    job_id: identifier('job'),
    bpm: z.number().nullable(),
    key: z.string().nullable(),
    first_downbeat_seconds: z.number().nullable(),
    note: z.string().nullable(),
    corrected_by: z
      .string()
      .nullable()
      .meta({ description: 'Id of the person or key; null when nothing is corrected' }),
    updated_at: timestamp.nullable(),
  })
  .meta({
    id: 'Correction',
    description: 'What a person said is true. The estimate of the result stays as it is',
  });
