import { earshot } from '../api.ts';

/** What the time line and the tabs need at once; the rest comes with the tab that shows it. */
const FIRST_GROUPS = 'rhythm,tonal,structure,waveform,loudness,content,tags';
/** Half of those groups: nobody sees onsets and the curve of the voice, and the finest waveform only from close by. */
const WITHOUT = 'rhythm.onsets,content.voice_curve,waveform.finest';

/** A song's page needs three answers. They are asked for together, before anybody knows whether the first says that it is completed. */
type Ahead = {
  jobId: string;
  /** Null once taken or failed: whoever asks again wants to know anew, and may have signed in since. */
  job: ReturnType<typeof requestJob> | null;
  parts: ReturnType<typeof requestParts> | null;
};

let ahead: Ahead | null = null;

export function askForSong(jobId: string): Ahead {
  const [job, parts] = [requestJob(jobId), requestParts(jobId)];
  const mine: Ahead = { jobId, job, parts };
  job.catch(() => Object.assign(mine, { job: null }));
  parts.catch(() => Object.assign(mine, { parts: null }));
  ahead = mine;
  return mine;
}

export async function loadJob(jobId: string) {
  const mine = ahead?.jobId === jobId ? ahead : askForSong(jobId);
  const asked = mine.job ?? requestJob(jobId);
  mine.job = null;
  const job = await asked;
  if (job.status !== 'completed') mine.parts = null;
  return job;
}

/** The result with what its first screen shows, and its corrections: as they were asked for with the job, unless `anew`. */
export async function loadParts(jobId: string, { anew }: { anew: boolean }) {
  const mine = ahead?.jobId === jobId ? ahead : null;
  const asked = (!anew && mine?.parts) || requestParts(jobId);
  if (mine) mine.parts = null;
  return asked;
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
