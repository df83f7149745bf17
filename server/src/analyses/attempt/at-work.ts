import { assertLease, type Lease } from '../../jobs/lease.ts';
import type { Transaction } from '../../platform/postgres.ts';
import { hasEnded } from '../analysis.ts';
import { lockAnalysis } from '../store.ts';
import { AnalysisCanceled } from './analysis-error.ts';

/**
 * Before anything an attempt writes on its way: the lease is still ours, and nobody has ended the analysis meanwhile. A
 * cancel does not take the lease, so the lease alone would let progress be written after the end.
 */
export async function assertAtWork(tx: Transaction, lease: Lease, analysisId: string): Promise<void> {
  await assertLease(tx, lease);
  const analysis = await lockAnalysis(tx, analysisId);
  if (!analysis || hasEnded(analysis)) throw new AnalysisCanceled();
}
