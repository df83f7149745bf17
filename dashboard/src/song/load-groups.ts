import type { RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import type { Result } from '../result.ts';

/** The result with only the given groups, a comma-separated list of names. */
export async function loadGroups(jobId: string, groups: string): Promise<Result> {
  return resultOf(
    await earshot.request('getAnalysisResult', { params: { job_id: jobId }, query: { groups } }),
  );
}

/** The result of a finished analysis; throws the reason where there is none. */
export function resultOf({ result, error }: RequestOutput<'getAnalysisResult'>): Result {
  if (!result) throw new Error(error?.message ?? 'This analysis has no result.');
  return result;
}
