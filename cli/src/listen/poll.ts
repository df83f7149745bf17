/**
 * Without an address that the service can call: the jobs are asked for, and each that ended since we began becomes the
 * event a webhook would have brought, signed with a secret of this run. Timing and retries are not those of real calls;
 * the body and the signature are.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Earshot, type JobData } from '@earshot/sdk';
import { createPatience } from '../patience.ts';
import type { WebhookCall } from './forward.ts';
import { signEvent } from './sign-event.ts';

/** Chosen: more than most submit within one interval, and little to send. */
const PAGE_JOBS = 100;

export type PollOptions = {
  secret: string;
  service: string;
  intervalMs: number;
  /** Hears that the service is away, and that it is back. */
  tell: (sentence: string) => void;
  signal: AbortSignal;
};

export async function* pollEvents(
  earshot: Earshot,
  /** The newest before somebody listened: those that had ended are not told. */
  before: readonly JobData[],
  options: PollOptions,
): AsyncGenerator<WebhookCall> {
  const told = new Set<string>();
  const open = new Set<string>();
  for (const job of before) (hasEnded(job) ? told : open).add(job.id);
  // Where some are deleted, older ones come onto the page, which ended long ago.
  const createdAfter = before.at(-1)?.created_at;
  const isKnown = ({ id }: JobData) => told.has(id) || open.has(id);
  const readOpen = async (id: string) => {
    try {
      return [(await earshot.analyses.get(id)).data];
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
      // Deleted before it ended.
      open.delete(id);
      return [];
    }
  };
  const look = async () => {
    const jobs = await readToKnown(earshot, createdAfter, isKnown);
    const listed = new Set(jobs.map(({ id }) => id));
    // A long job may have been pushed off the page by newer ones.
    const others = await Promise.all([...open].filter((id) => !listed.has(id)).map(readOpen));
    // Last: what is known ends the reading of pages, also where this look fails and is repeated.
    for (const job of jobs) if (!hasEnded(job)) open.add(job.id);
    return [...others.flat(), ...jobs];
  };
  const patience = createPatience({ ...options, waitMs: options.intervalMs });
  while (!options.signal.aborted) {
    const jobs = await patience(look).catch((error: unknown) => {
      if (!options.signal.aborted) throw error;
      return [];
    });
    for (const job of jobs.reverse()) {
      if (!hasEnded(job) || told.has(job.id)) continue;
      told.add(job.id);
      open.delete(job.id);
      yield toCall(job, options);
    }
    await delay(options.intervalMs, undefined, { signal: options.signal }).catch(() => undefined);
  }
}

/** The newest, a page of them. */
export async function readJobs(earshot: Earshot): Promise<JobData[]> {
  return earshot.request('listAnalyses', { query: { limit: PAGE_JOBS } });
}

/** The newest, in whole pages until one ends with a job that is known: more may have been submitted at once than a page has. */
async function readToKnown(
  earshot: Earshot,
  createdAfter: string | undefined,
  isKnown: (job: JobData) => boolean,
): Promise<JobData[]> {
  const jobs: JobData[] = [];
  for await (const job of earshot.analyses.list({ pageSize: PAGE_JOBS, created_after: createdAfter })) {
    jobs.push(job);
    if (jobs.length % PAGE_JOBS === 0 && isKnown(job)) break;
  }
  return jobs;
}

function hasEnded({ status }: JobData): boolean {
  return status !== 'queued' && status !== 'processing';
}

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
