import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** Answers questions by the last word of their address, and notes them. */
let answers: Record<string, () => Response>;
let asked: string[];

const REFUSED = () => Response.json({ detail: 'Sign in.' }, { status: 401 });

async function load() {
  const { askForSong, loadJob, loadParts } = await import('./song-requests.ts');
  return { askForSong, loadJob, loadParts };
}

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  asked = [];
  answers = {
    job_1: () => Response.json({ id: 'job_1', status: 'completed' }),
    result: () => Response.json({ status: 'completed', result: { bpm: 120 } }),
    corrections: () => Response.json({ tempo: null }),
  };
  vi.stubGlobal('fetch', async (url: URL | string) => {
    const word = new URL(url).pathname.split('/').at(-1)!;
    asked.push(word);
    return answers[word]!();
  });
});

afterEach(() => vi.unstubAllGlobals());

it('asks once for what is needed at once, and anew when it is asked again', async () => {
  const { askForSong, loadJob, loadParts } = await load();
  askForSong('job_1');
  await loadJob('job_1');
  const [answer] = await loadParts('job_1', { anew: false });
  expect(answer.result).toEqual({ bpm: 120 });
  expect(asked).toEqual(['job_1', 'result', 'corrections']);
  await loadJob('job_1');
  await loadParts('job_1', { anew: false });
  expect(asked).toHaveLength(6);
});

it('asks anew after signing in for what was refused before it', async () => {
  const { askForSong, loadJob, loadParts } = await load();
  const signedIn = { ...answers };
  answers = { job_1: REFUSED, result: REFUSED, corrections: REFUSED };
  const { job, parts } = askForSong('job_1');
  await Promise.allSettled([job, parts]);
  answers = signedIn;
  expect(await loadJob('job_1')).toMatchObject({ status: 'completed' });
  const [answer] = await loadParts('job_1', { anew: false });
  expect(answer.result).toEqual({ bpm: 120 });
});

it('asks anew for the parts of a song that was not analysed when they were asked for', async () => {
  const { loadJob, loadParts } = await load();
  const { result } = answers;
  answers.job_1 = () => Response.json({ id: 'job_1', status: 'processing' });
  answers.result = () => Response.json({ status: 'processing', result: null });
  await loadJob('job_1');
  answers.result = result!;
  const [answer] = await loadParts('job_1', { anew: false });
  expect(answer.result).toEqual({ bpm: 120 });
});
