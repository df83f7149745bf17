import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from './sign-in.ts';
import { type Look, openVisit, type Visit } from './visit.ts';

/**
 * The page of a ten-minute song must be fast. Most limits are in bytes, elements and round trips, which do not depend on the machine; times
 * are the minimum of several rounds. The limits are goals; each test prints what it measured.
 */

const SONG = fileURLToPath(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));
const LONG_SONG = join(tmpdir(), `earshot-long-song-${process.pid}.mp3`);
/** All scripts up to the library, as sent. */
const SCRIPT_BYTES_MAX = 200_000;
/** The first result request of the song, gzipped. It was 58 kB when the limit was set (docs/benchmarks.md). */
const RESULT_BYTES_MAX = 80_000;
const ELEMENTS_MAX = 1_500;
/** Half of what Web Vitals calls good (0.1). */
const LAYOUT_SHIFT_MAX = 0.05;

/** From the navigation to the time line, in wall-clock time. */
const INTERACTIVE_MS_MAX = 1_000;
/** The main thread's work for one step of the zoom: about two frames at 60 Hz. */
const FRAME_MS_MAX = 32;
/** Enough from the whole song of ten minutes to less than a second. */
const ZOOM_STEPS = 20;
/** More rounds make it likelier that one ran undisturbed by the rest of the machine. */
const ROUND_COUNT = 3;
/** The requests of a song's page, which must all be sent before any is answered: profile, script, job, result, corrections. */
const PARALLEL_REQUESTS = [
  /\/v1\/account\/profile$/,
  /\/assets\/song-page-/,
  /\/v1\/analyses\/\w+$/,
  /\/v1\/analyses\/\w+\/result\?/,
  /\/v1\/analyses\/\w+\/corrections$/,
];

type Download = { kind: string; bytes: number };

let visit: Visit;
let songPath: string;
const downloads: Download[] = [];

beforeAll(async () => {
  // MP3 frames are independent: seven copies of the sample are a valid song of ten minutes.
  const song = await readFile(SONG);
  await writeFile(LONG_SONG, Buffer.concat(Array.from({ length: 7 }, () => song)));
  const look: Look = { width: 1280, height: 900, colorScheme: 'light' };
  const earlier = await openVisit(look);
  await signIn(earlier, 'long-song@example.com');
  await earlier.page.getByLabel('Audio files').first().setInputFiles(LONG_SONG);
  await earlier.page.getByText('1 done').waitFor();
  songPath = (await earlier.page.locator('.song-link').first().getAttribute('href')) ?? '';
  visit = await openVisit(look, earlier);
  await visit.page.addInitScript(sumLayoutShifts);
  await earlier.context.close();
});
afterAll(async () => {
  await visit.context.close();
  await rm(LONG_SONG, { force: true });
});

it('shows the library with little JavaScript', async () => {
  const { page } = visit;
  page.on('requestfinished', (request) => {
    const keep = ({ responseBodySize }: { responseBodySize: number }) =>
      downloads.push({ kind: request.resourceType(), bytes: responseBodySize });
    // Requests that finish while the page closes have no sizes any more, and do not matter.
    request.sizes().then(keep, () => {});
  });
  await page.goto('/');
  await page.locator('.song-link').first().waitFor();
  await page.waitForLoadState('networkidle');
  const bytes = downloads
    .filter(({ kind }) => kind === 'script')
    .reduce((sum, script) => sum + script.bytes, 0);
  console.log(`${Math.round(bytes / 1000)} kB of JavaScript, as sent`);
  // React alone is larger: less would mean that scripts were not counted.
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(SCRIPT_BYTES_MAX);
});

it('shows a ten-minute song soon, with few elements, and streams its audio by ranges', async () => {
  const { page } = visit;
  const rounds: { wallMs: number; workMs: number }[] = [];
  for (let round = 0; round < ROUND_COUNT; round++) {
    const work = await startWorkMeter(page);
    const startMs = performance.now();
    await page.goto(songPath);
    await page.getByRole('definition').filter({ hasText: 'BPM' }).first().waitFor();
    await page.getByTestId('timeline').waitFor();
    rounds.push({ wallMs: performance.now() - startMs, workMs: await work() });
  }
  // Other load on the machine only adds time, so the minimum is the page's own.
  const [wallMs, workMs] = [
    Math.min(...rounds.map((round) => round.wallMs)),
    Math.min(...rounds.map((round) => round.workMs)),
  ];
  console.log(`Time line after ${Math.round(wallMs)} ms, ${Math.round(workMs)} ms of them work of the page`);
  expect(workMs).toBeGreaterThan(0);
  expect(wallMs).toBeLessThan(INTERACTIVE_MS_MAX);
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(ELEMENTS_MAX);
  const audioRange = page.waitForResponse((response) => response.url().includes('/artifacts/source'));
  await page.getByRole('region', { name: 'Transport' }).getByRole('button', { name: 'Play' }).click();
  expect((await audioRange).status()).toBe(206);
});

it('sends all requests of a song’s page before any is answered', async () => {
  const { page } = visit;
  let sentCount = 0;
  let releaseAll = () => {};
  const allSent = new Promise<void>((resolve) => {
    releaseAll = resolve;
  });
  // Nothing is answered until all are sent: a request that waits for another's response would time out.
  const hold = async (route: Route) => {
    sentCount += 1;
    if (sentCount === PARALLEL_REQUESTS.length) releaseAll();
    await allSent;
    await route.continue();
  };
  for (const url of PARALLEL_REQUESTS) await page.route(url, hold, { times: 1 });
  const resultResponse = page.waitForResponse(PARALLEL_REQUESTS[3]!);
  await page.goto(songPath);
  await page.getByTestId('timeline').waitFor();
  const { responseBodySize: bytes } = await (await resultResponse).request().sizes();
  console.log(`${Math.round(bytes / 1000)} kB of results, as sent`);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(RESULT_BYTES_MAX);
});

it('has little layout shift while it loads', async () => {
  const { page } = visit;
  for (const path of ['/', songPath, '/billing', '/audit']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    const shift = await page.evaluate(() => (globalThis as unknown as { layoutShift: number }).layoutShift);
    console.log(`Layout shift of ${path.replace(/job_.*/, '…')}: ${shift.toFixed(3)}`);
    expect(shift, path).toBeLessThan(LAYOUT_SHIFT_MAX);
  }
  // The check can fail: inserting a block of 300 px above everything is a large shift.
  await page.evaluate(() => {
    const block = document.createElement('div');
    block.style.height = '300px';
    document.body.prepend(block);
  });
  await page.waitForFunction(
    (shiftMax) => (globalThis as unknown as { layoutShift: number }).layoutShift > shiftMax,
    LAYOUT_SHIFT_MAX,
  );
  await page.goto(songPath);
  await page.getByTestId('timeline').waitFor();
});

it('zooms to a beat and back without a long frame, and loads the finest waveform once', async () => {
  const { page } = visit;
  const timeline = page.getByTestId('timeline');
  const spanSeconds = async () =>
    Number(await timeline.getAttribute('data-end')) - Number(await timeline.getAttribute('data-start'));
  /** Returns the milliseconds of work. */
  const press = async (key: string): Promise<number> => {
    const work = await startWorkMeter(page);
    await page.keyboard.press(key);
    // The second frame begins when the drawing of the first is done.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
    );
    return work();
  };
  const waveforms: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/result?groups=waveform')) waveforms.push(request.url());
  });
  const roundsMs: number[][] = [];
  for (let round = 0; round < ROUND_COUNT; round++) {
    const stepsMs: number[] = [];
    for (let step = 0; step < ZOOM_STEPS; step++) stepsMs.push(await press('+'));
    await expect.poll(spanSeconds).toBeLessThan(1);
    for (let step = 0; step < ZOOM_STEPS; step++) stepsMs.push(await press('-'));
    await expect.poll(spanSeconds).toBeGreaterThan(600);
    roundsMs.push(stepsMs);
  }
  // Other load on the machine only adds time, so the minimum over the rounds is the step's own.
  const leastMs = roundsMs[0]!.map((_, step) => Math.min(...roundsMs.map((stepsMs) => stepsMs[step]!)));
  const sortedMs = leastMs.toSorted((a, b) => a - b);
  const worstMs = Math.max(...roundsMs.flat());
  console.log(
    `A step of the zoom takes ${sortedMs[ZOOM_STEPS]!.toFixed(1)} ms of work, ${sortedMs.at(-1)!.toFixed(1)} ms at most; ${worstMs.toFixed(1)} ms in the worst of ${ROUND_COUNT} rounds`,
  );
  expect(sortedMs.at(-1)).toBeLessThan(FRAME_MS_MAX);
  // The finest level is loaded with the first close view, and kept.
  expect(waveforms).toHaveLength(1);
});

/** Starts measuring the main thread's processor time; the returned function gives the milliseconds since. */
async function startWorkMeter(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  const beforeMs = await readMs();
  return async () => {
    const afterMs = await readMs();
    await session.detach();
    // After a navigation the counter starts again from 0.
    return afterMs >= beforeMs ? afterMs - beforeMs : afterMs;
  };
}

/** Runs in the page before its scripts: sums the layout shifts that do not follow user input. */
function sumLayoutShifts(): void {
  const page = globalThis as unknown as { layoutShift: number };
  page.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
      if (!entry.hadRecentInput) page.layoutShift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
