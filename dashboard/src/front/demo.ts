import type { RequestOutput } from '@earshot/sdk';
import type { Result } from '../result.ts';
import { postFile } from '../uploads/send-file.ts';

type Accepted = RequestOutput<'analyzeDemoUrl'>;
type Polled = RequestOutput<'getDemoAnalysis'>;

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

const POLL_MS = 700;
/** Of this tab: a reload finds the song again for as long as the service keeps it. */
const KEPT = 'earshot.demo';

/** One's own song through the demo, which needs no account and forgets it within the hour. */
export async function analyseDemo(
  file: File,
  onStage: (stage: string, fraction: number) => void,
): Promise<Result> {
  onStage('Uploading', 0);
  const form = new FormData();
  form.set('file', file);
  const onProgress = (fraction: number) => onStage('Uploading', fraction);
  const answer = await postFile('/v1/demo/analyze/upload', form, { onProgress });
  // Only its path: behind a proxy the service may know itself by another name than the browser does.
  const { pathname, search } = new URL((JSON.parse(answer) as Accepted).poll_url);
  const poll = `${pathname}${search}`;
  for (;;) {
    const polled = await readPoll(poll);
    if (polled.result) {
      sessionStorage.setItem(KEPT, JSON.stringify({ name: file.name, poll }));
      return polled.result;
    }
    if (polled.status !== 'processing') throw new Error(messageOf(polled));
    onStage('Listening', polled.progress);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The song of this tab's last demo, unless it has been forgotten. */
export async function keptDemo(): Promise<{ name: string; result: Result } | null> {
  try {
    const { name, poll } = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as {
      name: string;
      poll: string;
    };
    const { result } = await readPoll(poll);
    return result ? { name, result } : null;
  } catch {
    sessionStorage.removeItem(KEPT);
    return null;
  }
}

async function readPoll(path: string): Promise<Polled> {
  const response = await fetch(path);
  if (!response.ok) throw new Error('The song is no longer there.');
  return (await response.json()) as Polled;
}

function messageOf({ error }: Polled): string {
  return error ?? 'The song could not be heard.';
}
