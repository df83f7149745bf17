import { z } from 'zod';
import { identifier, timestamp } from '../wire-values.ts';

const shareFields = {
  id: identifier('shr'),
  job_id: identifier('job'),
  created_by: z.string().meta({ description: 'Id of the user or API key' }),
  created_at: timestamp,
  revoked_at: timestamp.nullable(),
};

export const Share = z.object(shareFields).meta({ id: 'Share' });

export const NewShare = z
  .object({
    ...shareFields,
    url: z.string().meta({ format: 'uri', description: 'The link; it is not shown again' }),
  })
  .meta({ id: 'NewShare' });
