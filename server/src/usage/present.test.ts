import { expect, it } from 'vitest';
import { periodOf } from './period.ts';
import { presentKeyUsage, presentMeter, presentUsage } from './present.ts';

const period = periodOf(new Date('2026-03-10T12:00:00Z'));
const storage = { plan: 'free' as const, usedBytes: 7, limitBytes: 500 };
const credits = {
  plan: 'free',
  period,
  limit: 100,
  count: 30,
  overage: 0,
  remaining: 70,
  meter: null,
} as const;

it('presents the month, its credits and the storage to a key', () => {
  expect(presentKeyUsage(credits, storage)).toEqual({
    period: '2026-03',
    month: '2026-03',
    period_start: '2026-03-01T00:00:00.000Z',
    period_end: '2026-04-01T00:00:00.000Z',
    tier: 'free',
    limit: 100,
    count: 30,
    remaining: 70,
    meter: null,
    storage: { used_bytes: 7, limit_bytes: 500 },
  });
});

it('presents a meter with included, used and overage credits, and no meter on a plan without one', () => {
  const metered = { ...credits, plan: 'scale', limit: 50_000, count: 50_010, overage: 10 } as const;
  expect(presentMeter({ ...metered, meter: 'inactive' })).toEqual({
    state: 'inactive',
    included: 50_000,
    used: 50_010,
    overage: 10,
  });
  expect(presentMeter(credits)).toBeNull();
});

it('presents jobs, credits and days to a workspace', () => {
  const days = [{ date: '2026-03-10', credits: 2 }];
  expect(
    presentUsage('ws_1', { period, analysisJobs: 3, analysisCredits: 2, enrichmentJobs: 1, days }, storage),
  ).toEqual({
    workspace_id: 'ws_1',
    local_analysis_jobs: 3,
    local_analysis_credits: 2,
    provider_enrichment_jobs: 1,
    days,
    period: '2026-03',
    month: '2026-03',
    storage: { used_bytes: 7, limit_bytes: 500 },
  });
});
