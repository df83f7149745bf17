import { ApiError, type RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { readStored, store } from '../browser-storage.ts';
import type { Result } from '../result.ts';
import { postFile } from '../uploads/send-file.ts';

type Accepted = RequestOutput<'analyzeDemoUrl'>;

/** Put into dist/sample when the dashboard is built (build.mjs). */
export const SAMPLE = {
  title: 'A sample: Two Doors Down',
  result: '/sample/result.json',
  audio: '/sample/two-doors-down.mp3',
};

export async function loadSample(): Promise<Result> {
  const response = await fetch(SAMPLE.result);
  if (!response.ok) throw new Error('The sample song could not be loaded.');
  return (await response.json()) as Result;
}

/** Often enough for the progress bar to move smoothly: 86 requests a minute, far below the default REQUESTS_PER_MINUTE of 3,000. */
const POLL_MS = 700;
/** In sessionStorage, so that reloading the tab shows the song again for as long as the service keeps its result. */
const STORAGE_KEY = 'earshot.demo';

/** An analysed song; its id is that of the job. */
export type Demo = { id: string; name: string; result: Result };

/** The token authorises reading the result. */
type DemoReference = { jobId: string; token: string };

/** Uploads a song to the demo, which needs no account, and polls for its result. */
export async function analyseDemo(
  file: File,
  onStage: (stage: string, fraction: number) => void,
): Promise<Demo> {
  onStage('Uploading', 0);
  const form = new FormData();
  form.set('file', file);
  const onProgress = (fraction: number) => onStage('Uploading', fraction);
  const { job_id: jobId, poll_url } = JSON.parse(
    await postFile('/v1/demo/analyze/upload', form, { onProgress }),
  ) as Accepted;
  // Not `poll_url` itself: behind a proxy, its host may differ from the one this page was loaded from.
  const reference = { jobId, token: new URL(poll_url).searchParams.get('token')! };
  for (;;) {
    const { status, result, error, progress } = await readDemo(reference);
    if (result) {
      store('sessionStorage', STORAGE_KEY, JSON.stringify({ name: file.name, ...reference }));
      return { id: jobId, name: file.name, result };
    }
    if (status !== 'processing') throw new Error(error ?? 'The song could not be analysed.');
    onStage('Analysing', progress);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The result of this tab's last demo; null when there was none or the service no longer has it. */
export async function restoreDemo(): Promise<Demo | null> {
  const stored = readStored('sessionStorage', STORAGE_KEY);
  if (stored === null) return null;
  const { name, ...reference } = JSON.parse(stored) as { name: string } & DemoReference;
  try {
    const { result } = await readDemo(reference);
    return result ? { id: reference.jobId, name, result } : null;
  } catch (error) {
    // Any other failure may be temporary: the next reload tries again.
    if (error instanceof ApiError && error.status === 404) store('sessionStorage', STORAGE_KEY, null);
    return null;
  }
}

function readDemo({ jobId, token }: DemoReference) {
  return earshot.request('getDemoAnalysis', { params: { job_id: jobId }, query: { token } });
}
