import { isSubmission } from '../driver.ts';
import type { Entry } from '../history.ts';
import type { AnalysisRow, Evidence } from './evidence.ts';
import { groupBy } from './group-by.ts';

export const TERMINAL = ['completed', 'failed', 'canceled'];
const END_EVENTS = ['job.completed', 'job.failed', 'job.canceled'];

/** I1: every job that was answered 202 reaches exactly one end, which never changes again. */
export function checkJobs(evidence: Evidence): string[] {
  const problems: string[] = [];
  const rows = new Map(evidence.analyses.map((row) => [row.id, row]));
  for (const { jobIds = [] } of evidence.history.filter(({ phase }) => phase === 'ok')) {
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
        `${row.id} is still ${row.status}: ${job ? JSON.stringify(job) : 'and no job is left for it'}`,
      );
      continue;
    }
    if (row.deleted_at !== null) continue;
    const logged = (ends.get(row.id) ?? []).map(({ event_type }) => event_type);
    if (logged.length !== 1 || logged[0] !== `job.${row.status}`)
      problems.push(`${row.id} is ${row.status} but its log says ${logged.join(', ') || 'nothing'}`);
    if (row.has_result !== (row.status === 'completed'))
      problems.push(`${row.id} is ${row.status} and ${row.has_result ? 'has' : 'lacks'} a result`);
    if (row.stage !== null) problems.push(`${row.id} is ${row.status} and still at the stage ${row.stage}`);
  }
  for (const job of evidence.jobs) problems.push(`A job is left over: ${JSON.stringify(job)}`);
  if (evidence.unsentMailCount > 0) problems.push(`mails that were never sent: ${evidence.unsentMailCount}`);
  return [...problems, ...checkSightings(evidence, rows)];
}

/** What readers were shown: an end that was shown stays, a confirmed cancel holds, and what was deleted is gone. */
function checkSightings(evidence: Evidence, rows: Map<string, AnalysisRow>): string[] {
  const problems: string[] = [];
  const shown = new Map<string, string>();
  const deletedAtMs = new Map<string, number>();
  const invokedAtMs = new Map<number, number>();
  for (const entry of evidence.history) {
    if (entry.phase === 'invoke') invokedAtMs.set(entry.op, entry.atMs);
    if (entry.phase !== 'ok') continue;
    if (entry.kind === 'delete' && entry.target) deletedAtMs.set(entry.target, entry.atMs);
    for (const [id, status] of Object.entries(entry.seen ?? {})) {
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
    if (rows.get(id)?.deleted_at === null) problems.push(`${id} was deleted and is there`);
  return problems;
}

/** I2: a submission makes each of its jobs once, or none. Answered yes means all of them, no means none, no answer means either. */
export function checkSubmissions(evidence: Evidence): string[] {
  const problems: string[] = [];
  const made = new Map<string, Set<string>>();
  for (const row of evidence.analyses) {
    const operation = /-op(\d+)-\d+\.wav$/.exec(row.file_name ?? '')?.[1];
    if (operation) made.set(operation, (made.get(operation) ?? new Set()).add(row.id));
  }
  for (const last of finalEntries(evidence.history.filter(({ kind }) => isSubmission(kind)))) {
    const ids = new Set([...(made.get(String(last.op)) ?? []), ...(last.jobIds ?? [])]);
    const asked = last.jobsAsked ?? 1;
    const allowed = last.phase === 'ok' ? [asked] : last.phase === 'failed' ? [0] : [0, asked];
    if (!allowed.includes(ids.size))
      problems.push(
        `operation ${last.op} (${last.kind}, ${last.phase}, key ${last.key ?? 'none'}) asked for ${asked} and made ${ids.size}: ${[...ids].join(', ')}`,
      );
  }
  return problems;
}

/** The last entry of each operation. */
function finalEntries(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [entry.op, entry])).values()];
}
