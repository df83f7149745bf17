import { beforeAll, expect, it } from 'vitest';
import type { Queryable } from '../platform/postgres.ts';
import { createTestDatabase, settleStatistics } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { EXPORTED, readSection } from './export-store.ts';

/** How many rows PostgreSQL reads for one page of an export, from the executed plans of the real statements in the view of the tenant. */

const SONG_COUNT = 8_000;
const SMALL_SONG_COUNT = 20;
const EVENTS_PER_SONG = 4;
const ATTEMPTS_PER_SONG = 2;
const PAGE_ROWS = 50;
const PAGES_MAX = 10;
/**
 * For one page: each line is read together with its analysis, and again by row security. Without the index it would be thousands.
 */
const ROWS_READ_MAX = 10 * PAGE_ROWS;

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);
const large = (await createTestMember(ctx)).actor.workspaceId;
const small = (await createTestMember(ctx)).actor.workspaceId;

beforeAll(async () => {
  await db.query(
    `insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind)
     select 'job_' || lpad(n::text, 8, '0'), case when n % $4::int = 0 then $2 else $1 end, 'workspace', 'completed', 'url', 'u', 'user'
     from generate_series(1, $3::int) n`,
    [large, small, SONG_COUNT, SONG_COUNT / SMALL_SONG_COUNT],
  );
  await db.query(
    `insert into analysis_results (analysis_id, schema_version, engine_version, summary, groups, visuals)
     select id, '1', '1', '{}', '{}', '' from analyses`,
  );
  // Songs are analysed concurrently, so that the events of one are not adjacent.
  await db.query(
    `insert into analysis_events (id, analysis_id, event_type, message)
     select 'evt_' || lpad(n::text, 8, '0'), 'job_' || lpad((1 + n % $1::int)::text, 8, '0'), 'job.queued', ''
     from generate_series(1, $1::int * $2::int) n`,
    [SONG_COUNT, EVENTS_PER_SONG],
  );
  await db.query(
    `insert into webhook_deliveries (id, workspace_id, analysis_id, url, event_type, body)
     select 'whd' || substr(id, 4), workspace_id, id, 'u', 'analysis.completed', '{}' from analyses`,
  );
  await db.query(
    `insert into webhook_attempts (id, delivery_id, attempt, url, status, duration_ms)
     select 'att_' || lpad(n::text, 8, '0'), 'whd_' || lpad((1 + n % $1::int)::text, 8, '0'), n / $1::int, 'u', 'failed', 1
     from generate_series(1, $1::int * $2::int) n`,
    [SONG_COUNT, ATTEMPTS_PER_SONG],
  );
  await settleStatistics(db);
});

type Plan = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

const rowsOf = (plan: Plan): number =>
  (plan['Relation Name'] ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0) *
    plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0);

/** Reads up to ten pages of a section; returns the number of lines, and the most rows that PostgreSQL read for one page. */
async function readPages(workspaceId: string, type: string) {
  const tenant = db.forTenant(workspaceId);
  const section = EXPORTED.find((candidate) => candidate.type === type)!;
  let rowsMax = 0;
  const watched: Queryable = {
    ...tenant,
    query: async <R>(sql: string, params?: readonly unknown[]) => {
      const [row] = await tenant.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, timing off, format json) ${sql}`,
        params,
      );
      rowsMax = Math.max(rowsMax, rowsOf(row!['QUERY PLAN'][0].Plan));
      return tenant.query<R>(sql, params);
    },
  };
  const keys = new Set<string>();
  for (let after = section.keys.map(() => ''); ; ) {
    const rows = await readSection(watched, section, workspaceId, { after, limit: PAGE_ROWS });
    for (const { key } of rows) keys.add(key.join());
    if (rows.length < PAGE_ROWS || keys.size >= PAGES_MAX * PAGE_ROWS)
      return { lineCount: keys.size, rowsMax };
    after = rows.at(-1)!.key;
  }
}

it.each([
  ['analysis', 1],
  ['result', 1],
  ['event', EVENTS_PER_SONG],
  ['webhook_attempt', ATTEMPTS_PER_SONG],
])(
  'a page of lines "%s" reads few rows, also in a small workspace next to a large one',
  async (type, linesPerSong) => {
    const ofSmall = await readPages(small, type);
    expect(ofSmall.lineCount).toBe(SMALL_SONG_COUNT * linesPerSong);
    const ofLarge = await readPages(large, type);
    expect(ofLarge.lineCount).toBe(PAGES_MAX * PAGE_ROWS);
    expect(Math.max(ofSmall.rowsMax, ofLarge.rowsMax)).toBeLessThan(ROWS_READ_MAX);
  },
);
