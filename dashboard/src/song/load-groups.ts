import { earshot } from '../api.ts';
import type { Result } from '../result.ts';

/** The result with only the given groups, a comma-separated list of names. */
export async function loadGroups(jobId: string, groups: string): Promise<Result> {
  const { result, error } = await earshot.request('getAnalysisResult', {
    params: { job_id: jobId },
    query: { groups },
  });
  if (!result) throw new Error(typeof error === 'object' ? error?.message : 'This analysis has no result.');
  return result;
}
