import { type Analysis, CANCELED } from './analysis.ts';

/** An analysis as PostgreSQL writes it in JSON: times are strings. */
export type AnalysisRow = { [Field in keyof Analysis]: DateAsString<Analysis[Field]> };
type DateAsString<T> = T extends Date ? string : T;

const SELECT = `
  select a.id, a.workspace_id as "workspaceId", a.surface, a.status, a.source_kind as "sourceKind", a.source_url as "sourceUrl",
    a.storage_object_id as "storageObjectId", o.bucket as "storageBucket", o.key as "storageKey", a.file_name as "fileName",
    a.webhook_url as "webhookUrl", a.features, a.hints, a.metadata, a.enrich, a.retain_source as "retainSource",
    o.status is not distinct from 'stored' as "sourceStored",
    case when a.retain_source and o.status = 'stored' then a.completed_at + make_interval(days => w.retain_source_days) end
      as "sourceExpiresAt", a.stage, a.progress, a.attempt,
    case when a.error_code is not null then json_build_object('code', a.error_code, 'message', a.error_message,
      'retryable', a.error_retryable) end as failure,
    case when a.created_by_kind = 'user' then a.created_by end as "submittedByUserId",
    a.created_at as "createdAt", a.updated_at as "updatedAt", a.started_at as "startedAt", a.completed_at as "completedAt",
    exists (select 1 from analysis_corrections c where c.analysis_id = a.id) as corrected,
    case when s.duration_seconds is not null then jsonb_build_object('durationSeconds', s.duration_seconds, 'bpm', s.bpm,
      'keyNotation', s.key_notation, 'camelot', s.camelot, 'loudnessLufs', s.loudness_lufs, 'title', s.title,
      'artist', s.artist, 'album', s.album, 'genre', s.genre, 'mood', s.mood, 'energy', s.energy,
      'danceability', s.danceability, 'valence', s.valence, 'voice', s.voice, 'artwork', s.artwork, 'tags', s.tags,
      'note', s.note, 'rating', s.rating, 'waveform', replace(encode(s.waveform, 'base64'), E'\\n', ''),
      'duplicateOf', s.duplicate_of) end as headline
  from analyses a
  left join storage_objects o on o.id = a.storage_object_id
  left join songs s on s.analysis_id = a.id
  left join workspaces w on w.id = a.workspace_id`;

/** A row as one JSON value: JSON.parse is faster than the driver at describing and parsing thirty columns. */
export const rowWhere = (condition: string) =>
  `select row_to_json(found) as row from (${SELECT} where ${condition}) as found`;
export const rowsWhere = (condition: string) =>
  `select coalesce(json_agg(found), '[]') as rows from (${SELECT} where ${condition}) as found`;

export function fromRow(row: AnalysisRow): Analysis {
  return {
    ...row,
    failure: row.failure ?? (row.status === 'canceled' ? CANCELED : null),
    sourceExpiresAt: row.sourceExpiresAt === null ? null : new Date(row.sourceExpiresAt),
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    startedAt: row.startedAt === null ? null : new Date(row.startedAt),
    completedAt: row.completedAt === null ? null : new Date(row.completedAt),
  };
}
