import { z } from 'zod';
import { count, identifier, label, timestamp } from '../wire-values.ts';

/** Limits the work of proposing an order and of exporting a list. */
export const COLLECTION_ITEMS_MAX = 5_000;
export const COLLECTION_ORDERS = ['harmonic', 'energy', 'bpm'] as const;
export const COLLECTION_FORMATS = [
  'rekordbox',
  'traktor',
  'virtualdj',
  'serato',
  'm3u8',
  'csv',
  'jams',
  'chordpro',
] as const;
export type CollectionFormat = (typeof COLLECTION_FORMATS)[number];

/** The media types of the exports. A Serato crate has none registered and is sent as application/octet-stream. */
export const COLLECTION_EXPORT_TYPES = [
  'application/xml',
  'application/zip',
  'audio/x-mpegurl',
  'text/csv',
] as const;

export const exportFolder = z
  .string()
  .max(1000)
  .meta({
    description: 'The folder of the files on your machine, for formats that contain paths',
    examples: ['/Users/ada/Music/Friday'],
  });

const itemIds = z
  .array(z.string().min(1).max(64))
  .max(COLLECTION_ITEMS_MAX)
  .meta({ description: 'Ids of analyses, in order, without duplicates' });

export const NewCollection = z
  .strictObject({ name: label(200), description: label(2000).nullish(), items: itemIds.nullish() })
  .meta({ id: 'NewCollection', examples: [{ name: 'Friday, first hour' }] });

export const CollectionChange = z
  .strictObject({ name: label(200).optional(), description: label(2000).nullish() })
  .meta({ id: 'CollectionChange', examples: [{ name: 'Friday, second hour' }] });

export const CollectionItems = z
  .strictObject({ items: itemIds })
  .meta({ id: 'CollectionItems', examples: [{ items: ['job_01k0f8yq3m7t9w2x4z6b8c0d1e'] }] });

const collectionFields = {
  id: identifier('col'),
  name: z.string(),
  description: z.string().nullable(),
  version: z.int().meta({ description: 'Incremented by every change; the `ETag` is this number in quotes' }),
  item_count: count,
  duration_seconds: z.number().meta({ description: 'Total length of its songs' }),
  created_at: timestamp,
  updated_at: timestamp,
};

export const CollectionSummary = z.object(collectionFields).meta({ id: 'CollectionSummary' });

const itemFields = {
  job_id: identifier('job'),
  title: z.string().nullable(),
  artist: z.string().nullable(),
  bpm: z.number().nullable(),
  key_notation: z.string().nullable(),
  camelot: z.string().nullable(),
  energy: z.number().nullable(),
  duration_seconds: z.number().nullable(),
};

export const Collection = z
  .object({ ...collectionFields, items: z.array(z.object(itemFields).meta({ id: 'CollectionItem' })) })
  .meta({ id: 'Collection' });

export const CollectionOrder = z
  .object({
    by: z.enum(COLLECTION_ORDERS),
    steps: z.array(
      z.object({
        ...itemFields,
        reason: z.string().meta({ description: 'Why the song comes here, in words' }),
        tempo_shift_percent: z.number().nullable().meta({
          description:
            'The change of speed that matches the tempo of the previous song, at half or double time if that is closer',
        }),
        key_relation: z.string().nullable(),
        energy_step: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'CollectionOrder', description: 'A proposal; the collection is not changed' });
