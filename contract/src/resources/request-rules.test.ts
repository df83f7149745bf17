/** The rules of requests that go beyond the type of a single member. */
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { WorkspaceUpdate } from './account.ts';
import { AnalysisHints, AnalysisRequest } from './analysis.ts';
import { CorrectionRequest } from './correction.ts';
import { BatchRequest } from './key-analysis.ts';
import { BulkRequest } from './library.ts';
import { StorageObjectRequest } from './storage-object.ts';

const SONG_URL = 'https://example.com/song.mp3';
const tag = { ids: ['job_1'], action: 'tag', tags: ['warm-up'] };
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));

it.each<[string, z.ZodType, unknown]>([
  ['one source', AnalysisRequest, { source_url: SONG_URL, storage_object_id: null }],
  ['16 pairs of metadata', AnalysisRequest, { source_url: SONG_URL, metadata: pairs(16) }],
  ['equal tempo bounds', AnalysisHints, { bpm: 120, bpm_min: 120, bpm_max: 120 }],
  ['a tempo above a single bound', AnalysisHints, { bpm: 120, bpm_min: 100 }],
  ['items alone', BatchRequest, { items: [{ url: SONG_URL }] }],
  ['a null shift with a first downbeat', CorrectionRequest, { first_downbeat_seconds: 1, shift_beats: null }],
  ['one change of a workspace', WorkspaceUpdate, { retention_days: null }],
  ['days of audio', WorkspaceUpdate, { retain_source: 30 }],
  ['tags to set', BulkRequest, tag],
  ['a filter in place of ids', BulkRequest, { query: { tag: 'old' }, action: 'delete' }],
  [
    'a folder to export for',
    BulkRequest,
    { ids: ['job_1'], action: 'export', format: 'csv', folder: '/music' },
  ],
])('accepts %s', (_, schema, value) => {
  expect(schema.safeParse(value).error).toBeUndefined();
});

it.each<[string, z.ZodType, unknown, path: string, sentence: RegExp]>([
  ['no source', AnalysisRequest, {}, '', /exactly one of source_url and storage_object_id/],
  ['two sources', AnalysisRequest, { source_url: SONG_URL, storage_object_id: 'obj_1' }, '', /exactly one/],
  [
    '17 pairs of metadata',
    AnalysisRequest,
    { source_url: SONG_URL, metadata: pairs(17) },
    'metadata',
    /at most 16.*not 17/,
  ],
  [
    'crossed tempo bounds',
    AnalysisHints,
    { bpm_min: 121, bpm_max: 120 },
    'bpm_min',
    /must not be above bpm_max/,
  ],
  [
    'a tempo below its bounds',
    AnalysisHints,
    { bpm: 99, bpm_min: 100 },
    'bpm',
    /between bpm_min and bpm_max/,
  ],
  [
    'a tempo above its bounds',
    AnalysisHints,
    { bpm: 121, bpm_max: 120 },
    'bpm',
    /between bpm_min and bpm_max/,
  ],
  [
    'items and urls',
    BatchRequest,
    { items: [{ url: SONG_URL }], urls: [SONG_URL] },
    '',
    /exactly one of items and urls/,
  ],
  ['11 URLs', BatchRequest, { urls: Array(11).fill(SONG_URL) }, 'urls', /<=10 items/],
  [
    'two places of the first bar',
    CorrectionRequest,
    { first_downbeat_seconds: 1, shift_beats: 1 },
    'shift_beats',
    /not both/,
  ],
  ['no change of a workspace', WorkspaceUpdate, {}, '', /say what is to change/],
  ['`true` as days of audio', WorkspaceUpdate, { retain_source: true }, 'retain_source', /number of days/],
  ['ids and a filter', BulkRequest, { ...tag, query: {} }, 'ids', /exactly one of ids and query/],
  ['no tags to set', BulkRequest, { ...tag, tags: null }, 'tags', /tags go with/],
  ['tags to delete with', BulkRequest, { ...tag, action: 'delete' }, 'tags', /tags go with/],
  [
    'no collection to add to',
    BulkRequest,
    { ids: ['job_1'], action: 'add_to_collection' },
    'collection_id',
    /goes with/,
  ],
  ['a collection to tag', BulkRequest, { ...tag, collection_id: 'col_1' }, 'collection_id', /goes with/],
  ['no format to export', BulkRequest, { ids: ['job_1'], action: 'export' }, 'format', /goes with/],
  ['a folder to tag', BulkRequest, { ...tag, folder: '/music' }, 'folder', /goes with/],
])('refuses %s', (_, schema, value, path, sentence) => {
  const issues = schema.safeParse(value).error?.issues ?? [];
  expect(issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  expect(issues[0]?.message).toMatch(sentence);
});

it.each([
  ['audio/mpeg', 'audio/mpeg'],
  [' Audio/FLAC ; rate=44100', 'audio/flac'],
  ['application/ogg', 'application/ogg'],
  ['text/plain', null],
  ['audio/', null],
])('reads the content type %j as %j', (text, expected) => {
  const { data } = StorageObjectRequest.safeParse({ content_type: text });
  expect(data?.content_type ?? null).toBe(expected);
});
