import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, type SignedIn } from '../test/test-app.ts';
import { COLUMNS_NOT_EXPORTED, EXPORTED, NOT_EXPORTED } from './export-store.ts';
import { as, fillWorkspace, pathOf } from './test-filled-workspace.ts';

const { db } = await createTestDatabase();
const clock = () => new Date('2026-03-01T12:00:00Z');
const app = await buildTestApp(db, { clock }, { ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' });
const fill = (marker: string) => fillWorkspace(app, db, marker);

async function exportOf(owner: SignedIn): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { status, headers, text } = await as(app, owner, 'GET', pathOf(owner, '/export'));
  expect([status, headers['content-type'], headers.etag]).toEqual([200, 'application/x-ndjson', undefined]);
  const fileName = `earshot-${owner.workspaceId}-2026-03-01.jsonl`;
  expect(headers['content-disposition']).toBe(`attachment; filename="${fileName}"`);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('the export', () => {
  it('has lines of every type, and no data of another workspace', async () => {
    const { owner, job } = await fill('mine-a');
    await fill('theirs-a');
    const lines = await exportOf(owner);
    expect(new Set(lines.map(({ type }) => type))).toEqual(
      new Set(['export', ...EXPORTED.map(({ type }) => type), 'end']),
    );
    expect(lines.at(-1)).toEqual({ type: 'end', data: { lines: lines.length - 2 } });
    expect(lines.find(({ type }) => type === 'result')?.data).toMatchObject({
      analysis_id: job,
      summary: { bpm: 120 },
      groups: { rhythm: { bpm: 120.02 }, waveform: null },
    });
    expect(JSON.stringify(lines)).not.toContain('theirs-a');
  });

  it('contains no secrets and no hashes of them', async () => {
    const { owner } = await fill('mine-b');
    await as(app, owner, 'GET', '/v1/webhook-signing-secret');
    // Otherwise it is the id of the share, which is exported.
    await db.query(`update analysis_shares set token_hash = 'hash of ' || id`);
    const text = JSON.stringify(await exportOf(owner));
    const secrets = await db.query<{ kind: string; secret: string }>(
      `select 'key' as kind, key_hash as secret from api_keys where workspace_id = $1
       union select 'session', token_hash from sessions where workspace_id = $1
       union select 'share', token_hash from analysis_shares where workspace_id = $1
       union select 'endpoint', signing_secret from webhook_endpoints where workspace_id = $1
       union select 'default', signing_secret from workspace_webhook_secrets where workspace_id = $1`,
      [owner.workspaceId],
    );
    const kinds = ['key', 'session', 'share', 'endpoint', 'default'];
    expect(new Set(secrets.map(({ kind }) => kind))).toEqual(new Set(kinds));
    for (const { secret } of secrets) expect(text).not.toContain(secret);
  });

  it('has all rows of a table that is larger than a page', async () => {
    const { owner, job } = await fill('mine-c');
    await db.query(
      `insert into analysis_events (id, analysis_id, event_type, message)
       select 'evt_c' || n, $1, 'analysis.progress', 'x' from generate_series(1, 1100) n`,
      [job],
    );
    const events = (await exportOf(owner)).filter(({ type }) => type === 'event');
    expect(new Set(events.map(({ data }) => data.id)).size).toBe(1_101);
  });

  it('writes an audit event', async () => {
    const { owner } = await fill('mine-d');
    await exportOf(owner);
    const { body } = await as(app, owner, 'GET', '/v1/audit-events');
    expect(body.map(({ action }: { action: string }) => action)).toContain('workspace.export');
  });

  it('lists every table with data of a workspace as exported or not', async () => {
    const tables = await db.query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns
       where table_schema = 'public' and column_name in ('workspace_id', 'analysis_id', 'delivery_id')
         and table_name not in (select table_name from information_schema.views)`,
    );
    const known = [...EXPORTED.map(({ table }) => table), ...Object.keys(NOT_EXPORTED)];
    expect(tables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('lists every column of the exported tables as exported or not', async () => {
    const namesOf = (table: string, columns: string) =>
      columns.split(',').map((column) => `${table}.${column.trim().replace(/^\w\./, '')}`);
    const known = [
      ...EXPORTED.flatMap(({ table, columns }) => namesOf(table, columns)),
      ...Object.values(COLUMNS_NOT_EXPORTED).flatMap((tables) =>
        Object.entries(tables).flatMap(([table, columns]) => namesOf(table, columns)),
      ),
    ];
    const rows = await db.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = any($1) and column_name <> 'workspace_id'`,
      [EXPORTED.map(({ table }) => table)],
    );
    const columns = rows.map(({ name }) => name);
    expect(columns.filter((name) => !known.includes(name))).toEqual([]);
    // These columns of a member's line come from the users table.
    const ofPerson = ['memberships.email', 'memberships.name'];
    expect(known.filter((name) => !columns.includes(name) && !ofPerson.includes(name))).toEqual([]);
  });
});
