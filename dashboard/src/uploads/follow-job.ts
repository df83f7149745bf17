import { earshot } from '../api.ts';
import { JobFailed } from './job-follower.ts';

/** How far a job is, about, when it tells of an event that carries no progress of its own: chosen. */
const FRACTIONS: Record<string, number> = {
  'job.started': 0.02,
  'source.downloaded': 0.05,
  'audio.decoded': 0.7,
};

/** The engine writes its stages in lower case. */
export function stageName(stage: string): string {
  return stage.charAt(0).toUpperCase() + stage.slice(1);
}

/**
 * Tells of a job's stages up to its end; rejects when it failed, when the service refuses to tell (signed out meanwhile, or
 * deleted by somebody else), and when it is aborted. The SDK reconnects and resumes; an EventSource would hide the refusal's status.
 */
export async function followJob(
  jobId: string,
  onStage: (stage: string, fraction: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const job = await earshot.analyses.get(jobId);
  for await (const { event_type, message, metadata } of job.events({ signal })) {
    const { stage, progress } = metadata as { stage?: string; progress?: number };
    if (event_type === 'job.failed' || event_type === 'job.canceled') throw new JobFailed(message);
    if (event_type === 'job.completed') onStage('Done', 1);
    else if (event_type === 'analysis.progress' && progress !== undefined)
      onStage(stageName(stage ?? message), progress);
    else if (event_type in FRACTIONS) onStage(message, FRACTIONS[event_type]!);
  }
}
