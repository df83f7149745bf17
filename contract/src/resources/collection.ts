import { z } from 'zod';
import { count, identifier, label, timestamp } from '../wire-values.ts';

/** Chosen: limits the work for one proposed order and one exported list. */
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

/** The media types of the exports. A Serato crate has none of its own. */
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
    description: 'Where the files lie on your machine, for formats that name them',
    examples: ['/Users/ada/Music/Friday'],
  });

const itemIds = z
  .array(z.string().min(1).max(64))
  .max(COLLECTION_ITEMS_MAX)
  .meta({ description: 'Ids of analyses, in order, each once' });

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
  version: z.int().meta({ description: 'Raised by every change; `ETag` is this number in quotes' }),
  item_count: count,
  duration_seconds: z.number().meta({ description: 'Of all its songs together' }),
  created_at: timestamp,
  updated_at: timestamp,
};

export const CollectionSummary = z.object(collectionFields).meta({ id: 'CollectionSummary' });

const songOfCollection = {
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
  .object({ ...collectionFields, items: z.array(z.object(songOfCollection).meta({ id: 'CollectionItem' })) })
  .meta({ id: 'Collection' });

export const CollectionOrder = z
  .object({
    by: z.enum(COLLECTION_ORDERS),
    steps: z.array(
      z.object({
        ...songOfCollection,
        reason: z.string().meta({ description: 'Why it comes here, in words' }),
        tempo_shift_percent: z
          .number()
          .nullable()
          .meta({ description: 'What brings it to the tempo of the song before, half and double allowed' }),
        key_relation: z.string().nullable(),
        energy_step: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'CollectionOrder', description: 'A proposal: nothing is changed' });
