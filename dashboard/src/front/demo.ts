import { ApiError, type RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import type { Result } from '../result.ts';
import { postFile } from '../uploads/send-file.ts';

type Accepted = RequestOutput<'analyzeDemoUrl'>;

/** Heard by our own engine when the dashboard was built (build.mjs). */
export const SAMPLE = {
  title: 'A sample: Two Doors Down',
  result: '/sample/result.json',
  audio: '/sample/two-doors-down.mp3',
};

export async function loadSample(): Promise<Result> {
  const response = await fetch(SAMPLE.result);
  if (!response.ok) throw new Error('The sample song is not there.');
  return (await response.json()) as Result;
}

/** Often enough to see the bar move; the service allows it. */
const POLL_MS = 700;
/** Of this tab: a reload finds the song again for as long as the service keeps it. */
const KEPT = 'earshot.demo';

/** Where a demo is found: whoever has the token may read it. */
type Place = { jobId: string; token: string };

/** One's own song through the demo, which needs no account and forgets it within the hour. */
export async function analyseDemo(
  file: File,
  onStage: (stage: string, fraction: number) => void,
): Promise<Result> {
  onStage('Uploading', 0);
  const form = new FormData();
  form.set('file', file);
  const onProgress = (fraction: number) => onStage('Uploading', fraction);
  const { job_id: jobId, poll_url } = JSON.parse(
    await postFile('/v1/demo/analyze/upload', form, { onProgress }),
  ) as Accepted;
  // Not its address: behind a proxy the service may know itself by another name than the browser does.
  const place = { jobId, token: new URL(poll_url).searchParams.get('token')! };
  for (;;) {
    const { status, result, error, progress } = await readDemo(place);
    if (result) {
      sessionStorage.setItem(KEPT, JSON.stringify({ name: file.name, ...place }));
      return result;
    }
    if (status !== 'processing') throw new Error(error ?? 'The song could not be heard.');
    onStage('Listening', progress);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The song of this tab's last demo, unless it has been forgotten. */
export async function restoreDemo(): Promise<{ name: string; result: Result } | null> {
  const kept = sessionStorage.getItem(KEPT);
  if (kept === null) return null;
  const { name, ...place } = JSON.parse(kept) as { name: string } & Place;
  try {
    const { result } = await readDemo(place);
    return result ? { name, result } : null;
  } catch (error) {
    // Out of reach, it may be there at the next reload.
    if (error instanceof ApiError && error.status === 404) sessionStorage.removeItem(KEPT);
    return null;
  }
}

function readDemo({ jobId, token }: Place) {
  return earshot.request('getDemoAnalysis', { params: { job_id: jobId }, query: { token } });
}
