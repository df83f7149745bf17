import type * as contract from '@earshot/contract';
import type { z } from 'zod';
import type { StorageUse } from '../storage-objects/quota.ts';
import type { Credits, Usage } from './usage.ts';

export function presentKeyUsage(credits: Credits, storage: StorageUse): z.input<typeof contract.KeyUsage> {
  const { period } = credits;
  return {
    period: period.name,
    month: period.name,
    period_start: period.start.toISOString(),
    period_end: period.end.toISOString(),
    tier: credits.plan,
    limit: credits.limit,
    count: credits.count,
    remaining: credits.remaining,
    meter: presentMeter(credits),
    storage: presentStorage(storage),
  };
}

/** Null on a plan that is not metered. */
export function presentMeter(credits: Credits): z.input<typeof contract.Meter> | null {
  if (credits.meter === null) return null;
  return { state: credits.meter, included: credits.limit, used: credits.count, overage: credits.overage };
}

export function presentUsage(
  workspaceId: string,
  usage: Usage,
  storage: StorageUse,
): z.input<typeof contract.Usage> {
  return {
    workspace_id: workspaceId,
    local_analysis_jobs: usage.analysisJobs,
    local_analysis_credits: usage.analysisCredits,
    provider_enrichment_jobs: usage.enrichmentJobs,
    days: usage.days,
    period: usage.period.name,
    month: usage.period.name,
    storage: presentStorage(storage),
  };
}

function presentStorage({ usedBytes, limitBytes }: StorageUse): z.input<typeof contract.StorageUse> {
  return { used_bytes: usedBytes, limit_bytes: limitBytes };
}
