import type { RequestOutput } from '@earshot/sdk';
import type { Result } from './result.ts';
import { postFile } from './send-file.ts';

type Accepted = RequestOutput<'analyzeDemoUrl'>;
type Polled = RequestOutput<'getDemoAnalysis'>;

/** Heard by our own engine when the dashboard was built (build-sample.mjs). */
export const SAMPLE = { result: '/sample/result.json', audio: '/sample/two-doors-down.mp3' };

export async function loadSample(): Promise<Result> {
  const response = await fetch(SAMPLE.result);
  if (!response.ok) throw new Error('The sample song is not there.');
  return (await response.json()) as Result;
}

const POLL_MS = 700;

/** One's own song through the demo, which needs no account and forgets it within the hour. */
export async function analyseDemo(
  file: File,
  onStage: (stage: string, fraction: number) => void,
): Promise<Result> {
  onStage('Uploading', 0);
  const form = new FormData();
  form.set('file', file);
  const answer = await postFile('/v1/demo/analyze/upload', form, (fraction) =>
    onStage('Uploading', fraction),
  );
  // Only its path: behind a proxy the service may know itself by another name than the browser does.
  const { pathname, search } = new URL((JSON.parse(answer) as Accepted).poll_url);
  for (;;) {
    const polled = (await (await fetch(`${pathname}${search}`)).json()) as Polled;
    if (polled.result) return polled.result;
    if (polled.status !== 'processing')
      throw new Error(polled.error?.message ?? 'The song could not be heard.');
    onStage('Listening', polled.progress);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
