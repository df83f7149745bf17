import { createHash } from 'node:crypto';
import type { Evidence } from './evidence.ts';
import { groupBy } from './group-by.ts';

/**
 * I5: no row without its bytes while somebody needs them, no bytes without their row. Bytes go before their row does, so
 * one that died in between leaves a row that nobody needs, for the sweep to find.
 */
export function checkObjects({ objects, objectFiles, analyses }: Evidence): string[] {
  const problems: string[] = [];
  const needed = new Set(
    analyses
      .filter(
        (row) =>
          row.deleted_at === null && (row.retain_source || ['queued', 'processing'].includes(row.status)),
      )
      .map((row) => row.storage_object_id),
  );
  const rows = new Map(objects.map((object) => [object.key, object]));
  for (const { id, key, status, byte_size, sha256 } of objects) {
    const bytes = objectFiles.get(key);
    if (status === 'deleted' && bytes) problems.push(`${id} was deleted and its bytes are there`);
    if (status !== 'stored') continue;
    if (!bytes) {
      if (needed.has(id)) problems.push(`${id} is needed and its bytes are gone`);
    } else if (bytes.length !== byte_size)
      problems.push(`${id} has ${bytes.length} bytes instead of ${byte_size}`);
    else if (sha256 !== null && createHash('sha256').update(bytes).digest('hex') !== sha256)
      problems.push(`${id} has other bytes than were received`);
  }
  for (const key of objectFiles.keys()) if (!rows.has(key)) problems.push(`${key} is a file without a row`);
  const ids = new Set(objects.map(({ id }) => id));
  for (const { id, storage_object_id } of analyses)
    if (storage_object_id !== null && !ids.has(storage_object_id)) problems.push(`${id} points to no object`);
  return problems;
}

/** Written by the attempt that holds the lease, and by nobody else. */
const ONCE_PER_ATTEMPT = ['audio.decoded', 'source.downloaded'];

/**
 * I6: an attempt that was replaced writes nothing. In the log of a job its traces would be progress that goes back, a
 * step done twice within one attempt, or a word after the end.
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
      if (['job.completed', 'job.failed', 'job.canceled'].includes(event_type)) ended = true;
    }
  }
  return problems;
}

/** I7: nothing is left running or lying about. */
export function checkLeftovers({ decoderFolders, decoderPids, orphanPids, logs }: Evidence): string[] {
  return [
    ...decoderPids.map((pid) => `decoder ${pid} still runs`),
    ...orphanPids.map((pid) => `engine or PDF writer ${pid} outlived its process`),
    ...decoderFolders.map((name) => `${name} was left behind`),
    ...(/"level":60/.test(logs) ? ['a process ended by an unexpected error; see the logs'] : []),
  ];
}
