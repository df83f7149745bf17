/**
 * For a machine that the service cannot call: polls the list of jobs, and turns every job that ends into the event a webhook
 * would have delivered, signed with a secret of this run. Body and signature are those of a real delivery; timing and
 * retries are not.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Earshot, type JobData } from '@earshot/sdk';
import { retryWhileUnreachable } from '../retry-while-unreachable.ts';
import type { WebhookCall } from './forward.ts';
import { signEvent } from './sign-event.ts';

/** One request per poll, unless more than fifty jobs were submitted since the last one. */
const PAGE_JOBS = 100;
/**
 * Jobs become visible in the order of their commits, not of `created_at`. So each poll lists the newest jobs again: more of
 * them than are being submitted at the same moment.
 */
const RELISTED_JOBS = 50;

export type PollOptions = {
  secret: string;
  service: string;
  intervalMs: number;
  /** Gets a sentence when the service cannot be reached, and one when it can be again. */
  notify: (sentence: string) => void;
  signal: AbortSignal;
};

/** What one poll saw, for the next to compare with. */
export type JobSnapshot = {
  /** Where the next listing starts; null: at the first job. */
  createdAfter: string | null;
  unfinishedIds: ReadonlySet<string>;
  /** Ended jobs that the next listing will contain again. */
  endedIds: ReadonlySet<string>;
};

/** Yields an event for each job that ends after `snapshot` was taken. */
export async function* pollEvents(
  earshot: Earshot,
  snapshot: JobSnapshot,
  options: PollOptions,
): AsyncGenerator<WebhookCall> {
  const { signal, intervalMs, notify } = options;
  let before = snapshot;
  while (!signal.aborted) {
    const poll = () => pollOnce(earshot, before);
    const seen = await retryWhileUnreachable(poll, { signal, waitMs: intervalMs, notify }).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error;
        return null;
      },
    );
    if (seen === null) return;
    before = seen.snapshot;
    for (const job of seen.endedJobs) yield toCall(job, options);
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

export async function takeSnapshot(earshot: Earshot): Promise<JobSnapshot> {
  const newest = await earshot.request('listAnalyses', { query: { limit: RELISTED_JOBS } });
  const createdAfter = newest.at(-1)?.created_at ?? null;
  // Once more by time, as every poll lists: jobs of the same millisecond may follow on the next page.
  const recent = await listSince(earshot, createdAfter);
  return { createdAfter, unfinishedIds: await listUnfinishedIds(earshot), endedIds: endedIdsOf(recent) };
}

async function pollOnce(
  earshot: Earshot,
  before: JobSnapshot,
): Promise<{ endedJobs: JobData[]; snapshot: JobSnapshot }> {
  const recent = await listSince(earshot, before.createdAfter);
  const recentIds = new Set(recent.map(({ id }) => id));
  const olderIds = [...before.unfinishedIds].filter((id) => !recentIds.has(id));
  const unfinishedIds = olderIds.length === 0 ? new Set<string>() : await listUnfinishedIds(earshot);
  const changedIds = olderIds.filter((id) => !unfinishedIds.has(id));
  const changed = await Promise.all(changedIds.map((id) => findJob(earshot, id)));
  const jobs = [...changed.filter((job) => job !== null), ...recent.toReversed()];
  for (const job of jobs) if (!hasEnded(job)) unfinishedIds.add(job.id);
  return {
    endedJobs: jobs.filter((job) => hasEnded(job) && !before.endedIds.has(job.id)),
    snapshot: {
      createdAfter: recent[RELISTED_JOBS - 1]?.created_at ?? before.createdAfter,
      unfinishedIds,
      endedIds: endedIdsOf(recent),
    },
  };
}

/** Newest first; `created_after` includes its own moment. */
async function listSince(earshot: Earshot, createdAfter: string | null): Promise<JobData[]> {
  const jobs: JobData[] = [];
  const query = { pageSize: PAGE_JOBS, created_after: createdAfter ?? undefined };
  for await (const job of earshot.analyses.list(query)) jobs.push(job);
  return jobs;
}

async function listUnfinishedIds(earshot: Earshot): Promise<Set<string>> {
  const ids = new Set<string>();
  // In this order, so that a job that starts between the two listings is in the second.
  for (const status of ['queued', 'processing'] as const)
    for await (const { id } of earshot.analyses.list({ status, pageSize: PAGE_JOBS })) ids.add(id);
  return ids;
}

/** Null for a job that was deleted before it ended. */
async function findJob(earshot: Earshot, id: string): Promise<JobData | null> {
  try {
    return (await earshot.analyses.get(id)).data;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

function endedIdsOf(jobs: readonly JobData[]): Set<string> {
  return new Set(jobs.filter(hasEnded).map(({ id }) => id));
}

function hasEnded({ status }: JobData): boolean {
  return status !== 'queued' && status !== 'processing';
}

/** As server/src/analyses/announce-end.ts builds it; a journey (cli.db.test.ts) compares the two. */
function toCall(job: JobData, { secret, service }: PollOptions): WebhookCall {
  const url = `${service}/v1/analyses/${job.id}`;
  const { id: job_id, status, created_at, completed_at, metadata, error } = job;
  const body = JSON.stringify({
    type: `analysis.${status}`,
    timestamp: completed_at ?? job.updated_at,
    data: {
      job_id,
      status,
      created_at,
      completed_at,
      metadata,
      error,
      links: { job: url, result: `${url}/result` },
    },
  });
  return { body, headers: signEvent({ id: `poll_${job_id}`, body, secret, now: new Date() }) };
}
