import { isSubmission } from '../submissions.ts';
import type { AnalysisRow, Evidence } from './evidence.ts';
import { groupBy } from './group-by.ts';

export const TERMINAL = ['completed', 'failed', 'canceled'];
export const END_EVENTS = ['job.completed', 'job.failed', 'job.canceled'];

/** I1: every job that was answered with 202 ends exactly once, and its final status never changes. */
export function checkJobs(evidence: Evidence): string[] {
  const problems: string[] = [];
  const rows = new Map(evidence.analyses.map((row) => [row.id, row]));
  for (const { jobIds } of evidence.history.filter(({ phase }) => phase === 'ok')) {
    for (const id of jobIds) if (!rows.has(id)) problems.push(`${id} was accepted and is lost`);
  }
  const ends = groupBy(
    evidence.events.filter(({ event_type }) => END_EVENTS.includes(event_type)),
    ({ analysis_id }) => analysis_id,
  );
  for (const row of evidence.analyses) {
    if (!TERMINAL.includes(row.status)) {
      const job = evidence.jobs.find(({ payload }) => JSON.stringify(payload).includes(row.id));
      problems.push(
        `${row.id} is still ${row.status}: ${job ? JSON.stringify(job) : 'no queue job is left for it'}`,
      );
      continue;
    }
    if (row.deleted_at !== null) continue;
    const logged = (ends.get(row.id) ?? []).map(({ event_type }) => event_type);
    if (logged.length !== 1 || logged[0] !== `job.${row.status}`)
      problems.push(`${row.id} is ${row.status} but its event log says ${logged.join(', ') || 'nothing'}`);
    if (row.has_result !== (row.status === 'completed'))
      problems.push(`${row.id} is ${row.status} and ${row.has_result ? 'has' : 'lacks'} a result`);
    if (row.stage !== null) problems.push(`${row.id} is ${row.status} and still in the stage ${row.stage}`);
  }
  for (const job of evidence.jobs) problems.push(`A job is left over: ${JSON.stringify(job)}`);
  if (evidence.unsentMailCount > 0) problems.push(`mails that were never sent: ${evidence.unsentMailCount}`);
  return [...problems, ...checkSightings(evidence, rows)];
}

/** What reads have shown: a final status stays, a confirmed cancel holds, and a deleted job is not shown again. */
function checkSightings(evidence: Evidence, rows: Map<string, AnalysisRow>): string[] {
  const problems: string[] = [];
  const shown = new Map<string, string>();
  const deletedAtMs = new Map<string, number>();
  const invokedAtMs = new Map<number, number>();
  for (const entry of evidence.history) {
    if (entry.phase === 'invoke') invokedAtMs.set(entry.op, entry.atMs);
    if (entry.phase !== 'ok') continue;
    if (entry.kind === 'delete' && entry.target !== null) deletedAtMs.set(entry.target, entry.atMs);
    for (const [id, status] of Object.entries(entry.seenStatuses)) {
      if (entry.kind !== 'delete' && (invokedAtMs.get(entry.op) ?? 0) > (deletedAtMs.get(id) ?? Infinity))
        problems.push(`${id} was deleted and is still shown`);
      if (!TERMINAL.includes(status)) continue;
      const before = shown.get(id);
      if (before !== undefined && before !== status)
        problems.push(`${id} was shown as ${before} and later as ${status}`);
      shown.set(id, status);
    }
  }
  for (const [id, status] of shown) {
    const row = rows.get(id);
    if (row && row.deleted_at === null && row.status !== status)
      problems.push(`${id} was shown as ${status} and is ${row.status}`);
  }
  for (const id of deletedAtMs.keys())
    if (rows.get(id)?.deleted_at === null) problems.push(`${id} was deleted and still exists`);
  return problems;
}

/** I2: a submission creates each of its jobs once, or none: all when it was accepted, none when refused, either when unknown. */
export function checkSubmissions(evidence: Evidence): string[] {
  const problems: string[] = [];
  const createdIds = new Map<number, Set<string>>();
  for (const row of evidence.analyses) {
    const op = operationOf(row);
    if (op !== null) createdIds.set(op, (createdIds.get(op) ?? new Set()).add(row.id));
  }
  const submissions = evidence.history.filter(({ kind }) => isSubmission(kind));
  // The last entry of each operation is its outcome.
  for (const last of new Map(submissions.map((entry) => [entry.op, entry])).values()) {
    const ids = new Set([...(createdIds.get(last.op) ?? []), ...last.jobIds]);
    const requested = last.requestedJobCount ?? 1;
    const allowed = last.phase === 'ok' ? [requested] : last.phase === 'failed' ? [0] : [0, requested];
    if (!allowed.includes(ids.size))
      problems.push(
        `operation ${last.op} (${last.kind}, ${last.phase}, key ${last.key ?? 'none'}) requested ${requested} jobs and created ${ids.size}: ${[...ids].join(', ')}`,
      );
  }
  return problems;
}

/** The number of the operation, which submissions.ts puts into the names of files; null for any other name. */
function operationOf({ file_name }: AnalysisRow): number | null {
  const match = /-op(\d+)-\d+\.wav$/.exec(file_name ?? '');
  return match && Number(match[1]);
}
