import type { Evidence } from './evidence.ts';
import { groupBy } from './group-by.ts';
import { END_EVENTS } from './job-rules.ts';

/** Events that an attempt writes at most once. */
const ONCE_PER_ATTEMPT = ['audio.decoded', 'source.downloaded'];

/**
 * I6: an attempt that was replaced, or whose job has ended, writes nothing. A late write shows in the event log of the job: progress
 * decreases, a step occurs twice within one attempt, or an event follows the end.
 */
export function checkFencing({ events }: Evidence): string[] {
  const problems: string[] = [];
  for (const [id, log] of groupBy(events, ({ analysis_id }) => analysis_id)) {
    let ended = false;
    let progress = 0;
    let steps = new Set<string>();
    for (const { event_type, metadata } of log) {
      const isWork =
        event_type === 'analysis.progress' ||
        event_type.startsWith('job.') ||
        ONCE_PER_ATTEMPT.includes(event_type);
      if (ended && isWork) problems.push(`${id}: ${event_type} after its end`);
      if (event_type === 'job.started') [progress, steps] = [0, new Set()];
      if (event_type === 'analysis.progress') {
        const reached = Number(metadata.progress);
        if (reached < progress) problems.push(`${id}: progress went back from ${progress} to ${reached}`);
        progress = reached;
      }
      if (ONCE_PER_ATTEMPT.includes(event_type)) {
        if (steps.has(event_type)) problems.push(`${id}: ${event_type} twice in one attempt`);
        steps.add(event_type);
      }
      if (END_EVENTS.includes(event_type)) ended = true;
    }
  }
  return problems;
}
