import { z } from 'zod';
import { count, identifier, refuseValue, timestamp } from '../wire-values.ts';

const OTHER_CONTENT_TYPES = ['video/mp4', 'video/webm', 'application/ogg', 'application/octet-stream'];
const CONTENT_TYPE_RULE = `audio/*, ${OTHER_CONTENT_TYPES.join(', ')}`;

/** A media type; parameters are dropped. Catches obvious mistakes only: the decoder goes by the content of the file. */
const AudioContentType = z
  .string()
  .max(100)
  .overwrite((value) => (value.split(';')[0] ?? '').trim().toLowerCase())
  .superRefine((value, context) => {
    if (!/^audio\/[a-z0-9.+-]+$/.test(value) && !OTHER_CONTENT_TYPES.includes(value))
      refuseValue(context, `content_type must be one of ${CONTENT_TYPE_RULE}`);
  })
  .meta({
    description: `One of ${CONTENT_TYPE_RULE}`,
    // Describes the text before parameters are dropped.
    pattern: `^ *(audio/[A-Za-z0-9.+-]+|${OTHER_CONTENT_TYPES.join('|')}) *(;.*)?$`,
    examples: ['audio/mpeg'],
  });

export const StorageObjectRequest = z
  .strictObject({
    content_type: AudioContentType,
    purpose: z.literal('upload').nullish().meta({ default: 'upload' }),
    file_name: z.string().max(255).nullish(),
  })
  .meta({ id: 'StorageObjectRequest', examples: [{ content_type: 'audio/mpeg', purpose: 'upload' }] });

export const StorageObject = z
  .object({
    id: identifier('obj'),
    bucket: z.string(),
    key: z.string(),
    signed_url: z
      .string()
      .meta({ format: 'uri', description: 'Accepts one PUT of the file with the same content type' }),
    expires_at: timestamp,
    content_type: z.string(),
    bytes_max: count,
  })
  .meta({ id: 'StorageObject' });

export const StoredObject = z
  .object({ id: identifier('obj'), byte_size: count, sha256: z.string(), content_type: z.string() })
  .meta({ id: 'StoredObject' });
