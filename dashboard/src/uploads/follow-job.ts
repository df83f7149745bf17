import { earshot } from '../api.ts';
import { JobFailed } from './job-follower.ts';

/** Capitalised for display; the service's stage names are in lower case. */
export function stageName(stage: string): string {
  return stage.charAt(0).toUpperCase() + stage.slice(1);
}

/**
 * Reports a job's stages and resolves when it is completed. Rejects when the job fails or is canceled, when the service refuses the
 * stream (signed out, or job deleted) and when aborted. Uses the SDK, which reconnects and resumes; EventSource would hide the
 * status of a refusal.
 */
export async function followJob(
  jobId: string,
  onStage: (stage: string, fraction: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const job = await earshot.analyses.get(jobId);
  for await (const { event_type, message, metadata } of job.events({ signal })) {
    if (event_type === 'job.failed' || event_type === 'job.canceled') throw new JobFailed(message);
    if (event_type === 'job.completed') onStage('Done', 1);
    else if (event_type === 'analysis.progress') {
      const { stage, progress } = metadata as { stage: string; progress: number };
      onStage(stageName(stage), progress);
    }
  }
}
