import { packJson } from '../analyses/packed-json.ts';
import { newId } from '../platform/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { freshEmail, type SignedIn, signIn, type TestApp } from '../test/test-app.ts';

export const as = (
  app: TestApp,
  person: SignedIn,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: unknown,
) => app.call(method, url, { headers: person.headers, body });

export const pathOf = ({ workspaceId }: SignedIn, rest = '') =>
  `/v1/account/workspaces/${workspaceId}${rest}`;

/** Creates a workspace with a row in every exported table; all texts contain `marker`. */
export async function fillWorkspace(app: TestApp, db: Database, marker: string) {
  const owner = await signIn(app, freshEmail(marker));
  const { workspaceId, userId } = owner;
  await as(app, owner, 'POST', '/v1/api-keys', { name: marker, scopes: ['analyses:read'] });
  await as(app, owner, 'POST', '/v1/account/team/invitations', { email: freshEmail(marker) });
  await as(app, owner, 'POST', '/v1/webhook-endpoints', { url: `http://127.0.0.1/${marker}` });
  const [job, object] = [newId('job'), newId('obj')];
  const key = `uploads/${object}`;
  await putFile(app, key, marker);
  const ids = { workspaceId, userId, job, object, key };
  for (const [sql, values] of rowsOf(marker, ids)) await db.query(sql, values);
  return { owner, job, key };
}

type Ids = Record<'workspaceId' | 'userId' | 'job' | 'object' | 'key', string>;

/** Rows that no route inserts directly: a completed analysis, and the rows that refer to it. */
function rowsOf(marker: string, { workspaceId, userId, job, object, key }: Ids): [string, unknown[]][] {
  return [
    [
      `insert into storage_objects (id, workspace_id, bucket, key, purpose, content_type, status, byte_size_max, file_name, stored_at)
       values ($1, $2, 'local', $3, 'upload', 'audio/wav', 'stored', 9, $4, now())`,
      [object, workspaceId, key, marker],
    ],
    [
      `insert into analyses (id, workspace_id, surface, status, source_kind, storage_object_id, file_name, created_by_kind, created_by, completed_at)
       values ($1, $2, 'workspace', 'completed', 'object', $3, $4, 'user', $5, now())`,
      [job, workspaceId, object, marker, userId],
    ],
    [
      `insert into analysis_results (analysis_id, schema_version, engine_version, summary, packed_groups, visuals)
       values ($1, '1', '1', json_build_object('bpm', 120, 'note', $2::text), $3, '')`,
      [job, marker, packJson({ rhythm: { bpm: 120.02 }, waveform: null })],
    ],
    [
      `insert into analysis_events (id, analysis_id, event_type, message) values ($1, $2, 'job.completed', $3)`,
      [newId('evt'), job, marker],
    ],
    [
      `insert into analysis_corrections (analysis_id, workspace_id, note, corrected_by, updated_at) values ($1, $2, $3, $4, now())`,
      [job, workspaceId, marker, userId],
    ],
    [
      `insert into songs (analysis_id, workspace_id, created_at, note) values ($1, $2, now(), $3)`,
      [job, workspaceId, marker],
    ],
    [
      `insert into song_sounds (analysis_id, workspace_id, embedding_version, embedding) values ($1, $2, 1, '')`,
      [job, workspaceId],
    ],
    [
      `insert into song_terms (workspace_id, term, analysis_id) values ($1, $2, $3)`,
      [workspaceId, `w:${marker}`, job],
    ],
    [
      `insert into collections (id, workspace_id, name, created_by, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
      [`col_${marker}`, workspaceId, marker, userId],
    ],
    [
      `insert into collection_items (collection_id, workspace_id, analysis_id, position, added_at) values ($1, $2, $3, 1, now())`,
      [`col_${marker}`, workspaceId, job],
    ],
    [
      `insert into analysis_shares (id, analysis_id, workspace_id, token_hash, created_by, created_at) values ($1, $2, $3, $1, $4, now())`,
      [newId('shr'), job, workspaceId, userId],
    ],
    [
      `insert into webhook_deliveries (id, workspace_id, analysis_id, url, event_type, body) values ($1, $2, $3, $4, 'analysis.completed', '{}')`,
      [`whd_${marker}`, workspaceId, job, `http://${marker}`],
    ],
    [
      `insert into webhook_attempts (id, delivery_id, attempt, url, status, duration_ms) values ($1, $2, 1, 'u', 'failed', 1)`,
      [`wha_${marker}`, `whd_${marker}`],
    ],
    [
      `insert into credit_ledger (id, workspace_id, period, entry, amount, analysis_id, reason) values ($1, $2, '2026-01', 'charge', -1, $3, $4)`,
      [newId('led'), workspaceId, job, marker],
    ],
    [
      `insert into enrichment_uses (analysis_id, provider, workspace_id, period, outcome) values ($1, $2, $3, '2026-01', 'matched')`,
      [job, marker, workspaceId],
    ],
    [`update billing_accounts set customer_id = $2 where workspace_id = $1`, [workspaceId, `cus_${marker}`]],
    [
      `insert into payment_events (id, event_type, customer_id, payload, outcome) values ($1, 'customer.updated', $2, '{}', 'applied')`,
      [`evt_${marker}`, `cus_${marker}`],
    ],
  ];
}

async function putFile(app: TestApp, key: string, text: string): Promise<void> {
  const source = (async function* () {
    yield Buffer.from(text);
  })();
  await app.deps.storage.put(key, source, { contentType: 'audio/wav', bytesMax: Buffer.byteLength(text) });
}
