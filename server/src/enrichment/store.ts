import type { Transaction } from '../platform/postgres.ts';
import type { Enrichment } from './provider.ts';

/** Does nothing if this provider has been counted for this analysis. */
export async function insertUse(
  tx: Transaction,
  use: {
    analysisId: string;
    provider: string;
    workspaceId: string;
    period: string;
    outcome: Enrichment['status'];
  },
): Promise<void> {
  await tx.query(
    `insert into enrichment_uses (analysis_id, provider, workspace_id, period, outcome)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [use.analysisId, use.provider, use.workspaceId, use.period, use.outcome],
  );
}
