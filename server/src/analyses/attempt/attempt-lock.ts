import { assertLease, type Lease } from '../../jobs/lease.ts';
import type { Transaction } from '../../platform/postgres.ts';
import { type Analysis, hasEnded } from '../analysis.ts';
import { lockAnalysis } from '../store.ts';
import { AnalysisCanceled } from './analysis-error.ts';

/** Locks the job, then the analysis, in one round trip. Null when the analysis is deleted; LeaseLost when another worker has the job. */
export async function lockAttempt(
  tx: Transaction,
  lease: Lease,
  analysisId: string,
): Promise<Analysis | null> {
  const [, analysis] = await Promise.all([assertLease(tx, lease), lockAnalysis(tx, analysisId)]);
  return analysis;
}

/**
 * Guards every write of an attempt before its end. Checking the lease does not suffice: a cancellation ends the analysis
 * without taking the lease.
 */
export async function assertAttemptActive(tx: Transaction, lease: Lease, analysisId: string): Promise<void> {
  const analysis = await lockAttempt(tx, lease, analysisId);
  if (!analysis || hasEnded(analysis)) throw new AnalysisCanceled();
}
