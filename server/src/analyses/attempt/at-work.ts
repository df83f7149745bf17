import { assertLease, type Lease } from '../../jobs/lease.ts';
import type { Transaction } from '../../platform/postgres.ts';
import { type Analysis, hasEnded } from '../analysis.ts';
import { lockAnalysis } from '../store.ts';
import { AnalysisCanceled } from './analysis-error.ts';

/** The job and then the analysis, both locked, for one wait. Null when the analysis is gone; throws LeaseLost when the job is another's. */
export async function lockWork(tx: Transaction, lease: Lease, analysisId: string): Promise<Analysis | null> {
  const [, analysis] = await Promise.all([assertLease(tx, lease), lockAnalysis(tx, analysisId)]);
  return analysis;
}

/**
 * Before anything an attempt writes on its way: the lease is still ours, and nobody has ended the analysis meanwhile. A
 * cancel does not take the lease, so the lease alone would let progress be written after the end.
 */
export async function assertAtWork(tx: Transaction, lease: Lease, analysisId: string): Promise<void> {
  const analysis = await lockWork(tx, lease, analysisId);
  if (!analysis || hasEnded(analysis)) throw new AnalysisCanceled();
}
