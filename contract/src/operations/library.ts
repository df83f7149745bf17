import { z } from 'zod';
import { defineOperation, json } from '../operation.ts';
import { AnalysisJob } from '../resources/analysis.ts';
import { COLLECTION_EXPORT_TYPES } from '../resources/collection.ts';
import {
  BulkOutcome,
  BulkRequest,
  NextSong,
  REPEATABLE_FILTERS,
  SimilarSong,
  SongDescription,
  songQuery,
} from '../resources/library.ts';
import { pathIds, wireInteger } from '../wire-values.ts';

const shared = { tag: 'Analyses', surface: 'workspace' } as const;
const reads = { access: 'workspace', scope: 'analyses:read', role: 'viewer' } as const;
const changes = { access: 'workspace', scope: 'analyses:write', role: 'member' } as const;
const jobId = pathIds('job_id');

export const listAnalyses = defineOperation({
  ...shared,
  id: 'listAnalyses',
  method: 'GET',
  path: '/v1/analyses',
  summary: 'Find, filter and sort the songs of the workspace',
  description: 'Newest first unless `sort` says otherwise. Filters are combined with AND.',
  policy: reads,
  query: songQuery,
  repeatable: REPEATABLE_FILTERS,
  responses: {
    200: {
      ...json('A page of songs', z.array(AnalysisJob)),
      headers: {
        Link: 'The next page, rel="next"',
        'X-Total-Count': 'The number of matching songs; with a filter, counted up to 10,000',
        'X-Total-Count-Relation': '`exact`, or `at-least` if more than 10,000 songs match a filter',
      },
    },
  },
  errors: ['not_found'],
});

export const changeAnalyses = defineOperation({
  ...shared,
  id: 'changeAnalyses',
  method: 'POST',
  path: '/v1/analyses/bulk',
  summary: 'Tag, delete, collect, re-analyse or export many songs at once',
  description:
    'All or nothing: if one song does not exist or is not yours, nothing is changed. An `export` returns the file itself.',
  policy: changes,
  body: BulkRequest,
  responses: {
    200: {
      ...json('The number of songs, or the file of an export', BulkOutcome),
      otherContentTypes: ['application/octet-stream', ...COLLECTION_EXPORT_TYPES],
      headers: {
        'X-Matched-Count': 'For an export: the number of songs selected',
        'X-Changed-Count':
          'For an export: the number of songs in the file, which leaves out songs without a result',
      },
    },
  },
  errors: ['not_found', 'not_finished', 'conflict', 'quota_exceeded', 'storage_quota_exceeded'],
});

const neighboursMax = wireInteger({ ge: 1, le: 100 })
  .optional()
  .meta({ description: 'Maximum number of songs', default: 20 })
  .transform((value) => value ?? 20);

export const listSimilarAnalyses = defineOperation({
  ...shared,
  id: 'listSimilarAnalyses',
  method: 'GET',
  path: '/v1/analyses/{job_id}/similar',
  summary: 'Find songs that sound like this one; the song itself comes first',
  policy: reads,
  params: jobId,
  query: z.object({
    limit: neighboursMax,
    by: z
      .enum(['sound', 'harmony', 'rhythm', 'all'])
      .optional()
      .meta({ default: 'all' })
      .transform((value) => value ?? 'all'),
  }),
  responses: { 200: json('Nearest first', z.array(SimilarSong)) },
  errors: ['conflict'],
});

export const listNextAnalyses = defineOperation({
  ...shared,
  id: 'listNextAnalyses',
  method: 'GET',
  path: '/v1/analyses/{job_id}/next',
  summary: 'Find songs to mix after this one',
  policy: reads,
  params: jobId,
  query: z.object({ limit: neighboursMax }),
  responses: { 200: json('Best first', z.array(NextSong)) },
  errors: ['conflict'],
});

export const describeAnalysis = defineOperation({
  ...shared,
  id: 'describeAnalysis',
  method: 'PATCH',
  path: '/v1/analyses/{job_id}',
  summary: 'Set title, artist, album, tags, a note or a rating',
  description: 'The tags of the file itself remain in `file.tags` of the result.',
  policy: changes,
  params: jobId,
  body: SongDescription,
  responses: { 200: json('The job', AnalysisJob) },
});
