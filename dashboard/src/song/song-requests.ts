import { earshot } from '../api.ts';

/** The groups that the time line and the first tab show; other tabs load their own. */
const FIRST_GROUPS = 'rhythm,tonal,structure,waveform,loudness,content,tags';
/** Large parts of those groups: onsets and the voice curve are not shown, and only close views need the finest waveform. */
const WITHOUT = 'rhythm.onsets,content.voice_curve,waveform.finest';

/**
 * The requests of a song's page, all sent before the first response says whether the song is completed. Each is used once, by the first
 * load, and set to null then or when it failed: a second load must send its own, for the song may have changed or the user signed in since.
 */
type Prefetched = {
  jobId: string;
  job: ReturnType<typeof requestJob> | null;
  parts: ReturnType<typeof requestParts> | null;
};

let prefetched: Prefetched | null = null;

export function prefetchSong(jobId: string): Prefetched {
  const [job, parts] = [requestJob(jobId), requestParts(jobId)];
  const requests: Prefetched = { jobId, job, parts };
  job.catch(() => Object.assign(requests, { job: null }));
  parts.catch(() => Object.assign(requests, { parts: null }));
  prefetched = requests;
  return requests;
}

export type Job = Awaited<ReturnType<typeof requestJob>>;

export async function loadJob(jobId: string) {
  const requests = prefetched?.jobId === jobId ? prefetched : prefetchSong(jobId);
  // The first load may have left the parts unused, because its page was closed.
  if (requests.job === null) requests.parts = null;
  const response = requests.job ?? requestJob(jobId);
  requests.job = null;
  const job = await response;
  if (job.status !== 'completed') requests.parts = null;
  return job;
}

/** What the first view needs of the result, and the corrections: prefetched where possible, unless `refetch`. */
export async function loadParts(jobId: string, { refetch }: { refetch: boolean }) {
  const requests = prefetched?.jobId === jobId ? prefetched : null;
  const parts = refetch ? null : requests?.parts;
  if (requests) requests.parts = null;
  const responses = await (parts ?? requestParts(jobId));
  // The analysis may have ended after these parts were read, and before the job was.
  const [{ status }] = responses;
  return parts && (status === 'queued' || status === 'processing') ? requestParts(jobId) : responses;
}

function requestJob(jobId: string) {
  return earshot.request('getAnalysis', { params: { job_id: jobId } });
}

function requestParts(jobId: string) {
  const params = { job_id: jobId };
  return Promise.all([
    earshot.request('getAnalysisResult', { params, query: { groups: FIRST_GROUPS, without: WITHOUT } }),
    earshot.request('getCorrections', { params }),
  ]);
}
