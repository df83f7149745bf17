import { type GroupsRow, groupsOf } from '../analyses/stored-groups.ts';
import type { Queryable } from '../platform/postgres.ts';

/** The lines of one type. */
type Section = {
  type: string;
  table: string;
  /** The lines are ordered by these columns, whose last values are the cursor ($2). */
  keys: readonly string[];
  /** Never credentials or their hashes. */
  columns: string;
  /** Scoped by the workspace ($1). */
  from: string;
  /** Makes the data of a line; by default the row. */
  present?: (row: Row) => unknown;
  /** Where rows are large, fewer per page than the default. */
  pageRows?: number;
};
type Row = Record<string, unknown>;

const ofWorkspace = (type: string, table: string, columns: string, ...keys: string[]): Section => ({
  type,
  table,
  keys: keys.length > 0 ? keys : ['id'],
  columns,
  from: `${table} where workspace_id = $1`,
});

/** A test checks that every table with data of a workspace, and each of its columns, is either here or in the lists below. */
export const EXPORTED: readonly Section[] = [
  {
    type: 'workspace',
    table: 'workspaces',
    keys: ['id'],
    columns: 'id, name, retention_days, retain_source, retain_source_days, created_at',
    from: 'workspaces where id = $1',
  },
  {
    type: 'member',
    table: 'memberships',
    keys: ['user_id'],
    columns: 'user_id, email, name, role, status, m.created_at, removed_at',
    from: 'memberships m join users u on u.id = m.user_id where workspace_id = $1',
  },
  ofWorkspace(
    'invitation',
    'invitations',
    'id, email, role, invited_by, created_at, expires_at, accepted_at, declined_at, revoked_at',
  ),
  ofWorkspace(
    'api_key',
    'api_keys',
    'id, name, prefix, scopes, created_by, created_at, last_used_at, revoked_at',
  ),
  ofWorkspace(
    'analysis',
    'analyses',
    `id, surface, status, source_kind, source_url, storage_object_id, file_name, webhook_url, features, hints, metadata,
     enrich, retain_source, error_code, error_message, error_retryable, created_by_kind, created_by, created_at, started_at, completed_at,
     deleted_at`,
  ),
  {
    type: 'result',
    table: 'analysis_results',
    keys: ['a.id'],
    columns: 'analysis_id, schema_version, engine_version, summary, groups, packed_groups',
    // A song of four minutes has 220 kB of groups (analyses/result-store.ts), and a mix of an hour many times that.
    pageRows: 25,
    present: ({ groups, packed_groups, ...row }) => ({
      ...row,
      groups: groupsOf({ groups, packed_groups } as GroupsRow),
    }),
    from: 'analysis_results r join analyses a on a.id = r.analysis_id where workspace_id = $1',
  },
  ofWorkspace(
    'correction',
    'analysis_corrections',
    'analysis_id, changes, kinds, bpm, key, first_downbeat_seconds, note, corrected_by, updated_at',
    'analysis_id',
  ),
  ofWorkspace(
    'song',
    'songs',
    'analysis_id, title, artist, album, tags, note, rating, described_at, duplicate_of',
    'analysis_id',
  ),
  ofWorkspace('collection', 'collections', 'id, name, description, created_by, created_at, updated_at'),
  ofWorkspace(
    'collection_item',
    'collection_items',
    'collection_id, analysis_id, position, added_at',
    'collection_id',
    'analysis_id',
  ),
  ofWorkspace('share', 'analysis_shares', 'id, analysis_id, created_by, created_at, revoked_at'),
  {
    type: 'event',
    table: 'analysis_events',
    keys: ['a.id', 'e.id'],
    columns: 'e.id, analysis_id, event_type, message, e.metadata, e.created_at',
    // The last condition follows from the keys, but makes PostgreSQL start at the right place in the index.
    from: 'analysis_events e join analyses a on a.id = e.analysis_id where workspace_id = $1 and a.id >= ($2::text[])[1]',
  },
  ofWorkspace(
    'storage_object',
    'storage_objects',
    'id, purpose, content_type, status, byte_size, sha256, file_name, created_by, created_at, stored_at, deleted_at',
  ),
  ofWorkspace(
    'webhook_endpoint',
    'webhook_endpoints',
    'id, url, description, event_types, status, disabled_reason, disabled_at, created_by, created_at, updated_at',
  ),
  ofWorkspace(
    'webhook_delivery',
    'webhook_deliveries',
    'id, analysis_id, endpoint_id, url, event_type, body, status, attempt_count, last_status_code, last_error, created_at, delivered_at',
  ),
  {
    type: 'webhook_attempt',
    table: 'webhook_attempts',
    keys: ['d.id', 't.id'],
    columns:
      't.id, delivery_id, attempt, t.url, t.status, status_code, error, response_excerpt, duration_ms, attempted_at',
    from: 'webhook_attempts t join webhook_deliveries d on d.id = t.delivery_id where workspace_id = $1 and d.id >= ($2::text[])[1]',
  },
  ofWorkspace(
    'billing_account',
    'billing_accounts',
    'provider, customer_id, subscription_id, plan, status, grace_until, created_at, updated_at',
    'workspace_id',
  ),
  ofWorkspace('credit', 'credit_ledger', 'id, period, entry, amount, analysis_id, reason, created_at'),
  ofWorkspace(
    'enrichment_use',
    'enrichment_uses',
    'analysis_id, provider, period, outcome, created_at',
    'analysis_id',
    'provider',
  ),
  ofWorkspace(
    'audit_event',
    'audit_events',
    'id, actor_kind, actor_id, action, target_type, target_id, metadata, ip, request_id, created_at',
  ),
];

/** Tables that are not exported, each with the reason. */
export const NOT_EXPORTED: Record<string, string> = {
  sessions: 'credentials',
  workspace_webhook_secrets: 'credentials',
  idempotency_keys: 'encrypted responses, stored for a day',
  credit_balances: 'the sum of the credits',
  meter_reports: 'which credits were reported to the payment provider',
  song_sounds: 'derived from the results, for comparing songs',
  song_recordings: 'derived from the results, for finding copies',
  song_terms: 'derived from the songs, for searching',
  billing_subscriptions: 'subscription states that led to the billing account',
  payment_events: 'available from the payment provider',
  plan_changes: 'quotes, valid for an hour',
  sandbox_sessions: 'pages of the sandbox payment provider',
  report_files: 'generated from the results on request',
};

/** Columns of exported tables that are not exported, by reason and table. `workspace_id` is omitted: it is the same in all rows. */
export const COLUMNS_NOT_EXPORTED: Record<string, Record<string, string>> = {
  'credentials, and hashes of them': {
    api_keys: 'key_hash',
    analyses: 'demo_token_hash',
    analysis_shares: 'token_hash',
    webhook_endpoints: 'signing_secret, previous_signing_secret, previous_secret_expires_at',
    webhook_deliveries: 'signature',
  },
  'derived from other columns or from the result, for searching and sorting': {
    invitations: 'email_key',
    analysis_results: 'sections, created_at',
    songs: `created_at, terms, title_key, artist_key, shelf_version, file_title, file_artist, file_album, written_title,
      written_artist, written_album, bpm, key_notation, camelot, key_number, energy, danceability, valence, loudness_lufs,
      duration_seconds, genre, mood, voice, waveform, sha256, recording, artwork`,
  },
  'images, derived from the audio': { analysis_results: 'visuals' },
  'progress and bookkeeping of the service': {
    analyses: 'stage, progress, attempt, updated_at, demo_expires_at',
    collections: 'version',
    webhook_deliveries: 'next_attempt_at',
    webhook_endpoints: 'first_failure_at',
    workspaces: 'erased_analyses, deleted_at, set_aside_at, set_aside_for',
  },
  'where the service keeps the bytes': {
    storage_objects: 'bucket, key, byte_size_max, expires_at, reserved_bytes',
  },
};

/** At most `limit` rows after the one whose keys are `after`, each with its keys. */
export async function readSection(
  db: Queryable,
  section: Section,
  workspaceId: string,
  page: { after: string[]; limit: number },
): Promise<{ key: string[]; data: Row }[]> {
  const keys = section.keys.join(', ');
  const after = section.keys.map((_, index) => `($2::text[])[${index + 1}]`).join(', ');
  const rows = await db.query<Row & { export_key: string[] }>(
    `select array[${keys}] as export_key, ${section.columns} from ${section.from} and (${keys}) > (${after})
     order by ${keys} limit $3`,
    [workspaceId, page.after, page.limit],
  );
  return rows.map(({ export_key: key, ...data }) => ({ key, data }));
}
