import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { formatClock } from '../format.ts';
import { signIn } from '../test/sign-in.ts';
import { openVisit, type Visit } from '../test/visit.ts';
import { LANE_HEIGHTS_PX } from './lanes.ts';
import { spanOf, toPixels, toSeconds } from './viewport.ts';

/** Heights of the first lanes' middles, from the top of the time line. */
const RULER_PX = LANE_HEIGHTS_PX.ruler / 2;
const SECTIONS_PX = LANE_HEIGHTS_PX.ruler + LANE_HEIGHTS_PX.sections / 2;
const WAVEFORM_PX = LANE_HEIGHTS_PX.ruler + LANE_HEIGHTS_PX.sections + LANE_HEIGHTS_PX.waveform / 2;

type Song = { structure: { sections: { start_seconds: number; end_seconds: number }[] } };

const SAMPLE = fileURLToPath(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));

let visit: Visit;
let song: Song;
let box: { x: number; y: number; width: number };
beforeAll(async () => {
  visit = await openVisit({ width: 1440, height: 900, colorScheme: 'light' });
  await signIn(visit, 'use-gestures@example.com');
  const { page } = visit;
  await page.getByLabel('Audio files').first().setInputFiles(SAMPLE);
  await page.getByText('1 done').waitFor();
  await page.getByRole('button', { name: 'Close the uploads' }).click();
  await page.locator('.song-link').first().click();
  await page.getByTestId('timeline').waitFor();
  song = await page.evaluate(async () => {
    const answer = await fetch(`/v1${window.location.pathname}/result`);
    return ((await answer.json()) as { result: Song }).result;
  });
});
beforeEach(async () => {
  const timeline = visit.page.getByTestId('timeline');
  await visit.page.reload();
  await timeline.waitFor();
  box = (await timeline.boundingBox())!;
});
afterAll(() => visit.context.close());
afterEach(() => expect(visit.takeFaults()).toEqual([]));

const view = () =>
  visit.page.getByTestId('timeline').evaluate(({ dataset }) => ({
    startSeconds: Number(dataset.start),
    endSeconds: Number(dataset.end),
  }));
const loop = () =>
  visit.page.getByRole('region', { name: 'Transport' }).getByRole('button', { name: /–|Loop/ });

async function drag(yPx: number, ...xsPx: number[]): Promise<void> {
  const { mouse } = visit.page;
  await mouse.move(box.x + xsPx[0]!, box.y + yPx);
  await mouse.down();
  for (const xPx of xsPx.slice(1)) await mouse.move(box.x + xPx, box.y + yPx);
  await mouse.up();
}

it('the wheel zooms around the pointer with Ctrl, pans sideways, and otherwise scrolls the page', async () => {
  const { page } = visit;
  const whole = await view();
  const pointerPx = box.width / 4;
  await page.mouse.move(box.x + pointerPx, box.y + RULER_PX);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  // 1.0025 to the power of 400.
  await expect.poll(async () => spanOf(whole) / spanOf(await view())).toBeCloseTo(1.0025 ** 400, 2);
  const zoomed = await view();
  // The event of a wheel has whole pixels.
  const driftSeconds = toSeconds(zoomed, pointerPx, box.width) - toSeconds(whole, pointerPx, box.width);
  expect(Math.abs(driftSeconds)).toBeLessThan(spanOf(whole) / box.width);
  await page.mouse.wheel(100, 0);
  await expect
    .poll(async () => (await view()).startSeconds)
    .toBeCloseTo(toSeconds(zoomed, 100, box.width), 2);
  const panned = await view();
  await page.mouse.wheel(0, 100);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  expect(await view()).toEqual(panned);
});

it('a drag on the ruler loops what it covers, and back to its start nothing; a press seeks', async () => {
  const { page } = visit;
  const at = async (seconds: number) => toPixels(await view(), seconds, box.width);
  const [two, five, nine] = [await at(2), await at(5), await at(9)];
  await drag(RULER_PX, five, nine, two);
  await expect.poll(() => loop().textContent()).toBe('0:02–0:05');
  await drag(RULER_PX, five, nine, five);
  await expect.poll(() => loop().textContent()).toBe('Loop');
  await page.mouse.click(box.x + nine, box.y + RULER_PX);
  await expect.poll(() => page.getByLabel('Time', { exact: true }).textContent()).toMatch(/^0:09/);
});

it('a press on a section loops it, and another ends the loop', async () => {
  const { page } = visit;
  const [section] = song.structure.sections;
  const middleSeconds = (section!.start_seconds + section!.end_seconds) / 2;
  const x = box.x + toPixels(await view(), middleSeconds, box.width);
  await page.mouse.click(x, box.y + SECTIONS_PX);
  const span = `${formatClock(section!.start_seconds)}–${formatClock(section!.end_seconds)}`;
  await expect.poll(() => loop().textContent()).toBe(span);
  await page.mouse.click(x, box.y + SECTIONS_PX);
  await expect.poll(() => loop().textContent()).toBe('Loop');
});

it('two fingers zoom by their distance', async () => {
  const whole = await view();
  const finger = await visit.context.newCDPSession(visit.page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', xsPx: number[]) => {
    const touchPoints = xsPx.map((xPx, id) => ({ id, x: box.x + xPx, y: box.y + WAVEFORM_PX }));
    return finger.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  await touch('touchStart', [400]);
  await touch('touchStart', [400, 500]);
  await touch('touchMove', [400, 600]);
  await touch('touchEnd', []);
  // From 100 px apart to 200 px.
  await expect.poll(async () => spanOf(whole) / spanOf(await view())).toBeCloseTo(2, 2);
});

it('a boundary that is dragged moves there, and sets no loop', async () => {
  const { page } = visit;
  const fromSeconds = song.structure.sections[1]!.start_seconds;
  const fromPx = toPixels(await view(), fromSeconds, box.width);
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await drag(SECTIONS_PX, fromPx, fromPx + 15);
  const { sections } = (await sent).postDataJSON() as Song['structure'];
  const wantedSeconds = toSeconds(await view(), fromPx + 15, box.width);
  // A pointer event may have whole pixels.
  const pixelSeconds = spanOf(await view()) / box.width;
  expect(Math.abs(sections[1]!.start_seconds - wantedSeconds)).toBeLessThan(pixelSeconds);
  expect(sections[0]!.end_seconds).toBe(sections[1]!.start_seconds);
  await page.getByText('Boundary moved.').waitFor();
  expect(await loop().textContent()).toBe('Loop');
});
