import { expect, it } from 'vitest';
import { createAnalyses, PLAIN_ANALYSIS } from '../analyses/analyses.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { readUsage } from '../usage/usage.ts';
import { enrichAnalysis, recordEnrichments } from './enrichment.ts';
import type { Enrichment } from './provider.ts';

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);
const { signal } = new AbortController();

/** What is stored, and counted as usage, after the enrichments were recorded twice. */
async function record(...enrichments: Enrichment[]) {
  const member = await createTestMember(ctx);
  const { workspaceId } = member.actor;
  const items = [{ ...PLAIN_ANALYSIS, source: { url: 'https://audio.example/a.mp3' } }];
  const now = new Date('2026-03-31T23:59:59Z');
  await db.transaction(async (tx) => {
    const [analysis] = await createAnalyses(member, tx, { surface: 'workspace', items });
    const input = { workspaceId, analysisId: analysis!.id, enrichments, now };
    for (let times = 0; times < 2; times += 1) await recordEnrichments(tx, input);
  });
  const uses = await db.query(
    'select provider, period, outcome from enrichment_uses where workspace_id = $1',
    [workspaceId],
  );
  return { uses, jobCount: (await readUsage(db, workspaceId, now)).enrichmentJobs };
}

it.each<Enrichment>([
  { provider: 'acoustid', status: 'matched', recordings: [] },
  { provider: 'acoustid', status: 'no_match' },
  { provider: 'acoustid', status: 'unavailable', reason: 'provider_failed' },
])('counts a request once: %o', async (enrichment) => {
  const { provider, status: outcome } = enrichment;
  expect(await record(enrichment)).toEqual({ uses: [{ provider, period: '2026-03', outcome }], jobCount: 1 });
});

it('counts nothing where no request was made', async () => {
  const unconfigured = await enrichAnalysis(ctx, {
    providers: ['acoustid'],
    fingerprint: 'AQAA',
    durationSeconds: 60,
    signal,
  });
  expect(unconfigured).toEqual([{ provider: 'acoustid', status: 'unavailable', reason: 'not_configured' }]);
  const configured = await buildTestContext(db, {}, { ACOUSTID_API_KEY: 'key of the tests' });
  const silent = await enrichAnalysis(configured, {
    providers: ['acoustid'],
    fingerprint: null,
    durationSeconds: 60,
    signal,
  });
  expect(silent).toEqual([{ provider: 'acoustid', status: 'unavailable', reason: 'no_fingerprint' }]);
  for (const enrichments of [unconfigured, silent]) {
    expect(await record(...enrichments)).toEqual({ uses: [], jobCount: 0 });
  }
});
