import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from './sign-in.ts';
import { type Look, openVisit, type Visit } from './visit.ts';

/**
 * A song of ten minutes must not make the page slower than one of three. What makes a page fast is asserted in bytes and
 * elements, which are the same on every machine; the clock is only told.
 */

const SONG = fileURLToPath(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));
const LONG_SONG = join(tmpdir(), `earshot-long-song-${process.pid}.mp3`);
const SCRIPT_BYTES_MAX = 350_000;
const FIRST_PIECE_BYTES_MAX = 20_000;
const ELEMENTS_MAX = 1_500;

type Piece = { url: string; kind: string; bytes: number };

let visit: Visit;
let address = '';
const pieces: Piece[] = [];

beforeAll(async () => {
  // Frames of an MP3 stand on their own: ten times the sample is a song of ten minutes.
  const song = await readFile(SONG);
  await writeFile(LONG_SONG, Buffer.concat(Array.from({ length: 10 }, () => song)));
  // Low enough that the curves are far below the fold, whatever the fonts of the machine.
  const look: Look = { width: 1280, height: 480, colorScheme: 'light' };
  const earlier = await openVisit(look);
  await signIn(earlier, 'long-song@example.com');
  await earlier.page.getByLabel('Audio files').setInputFiles(LONG_SONG);
  await earlier.page.getByRole('row').getByText('completed').waitFor();
  address = (await earlier.page.getByRole('cell').getByRole('link').first().getAttribute('href')) ?? '';
  visit = await openVisit(look, earlier);
  await earlier.context.close();
});
afterAll(async () => {
  await visit.context.close();
  await rm(LONG_SONG, { force: true });
});

it('shows a song of ten minutes piece by piece', async () => {
  const { page } = visit;
  page.on('requestfinished', (request) => {
    const keep = ({ responseBodySize }: { responseBodySize: number }) =>
      pieces.push({ url: request.url(), kind: request.resourceType(), bytes: responseBodySize });
    // What ends as the page is closed cannot be measured any more, and nobody asks for it.
    request.sizes().then(keep, () => {});
  });
  const startMs = performance.now();
  await page.goto(address);
  await page.getByRole('definition').filter({ hasText: 'BPM' }).waitFor();
  const headlineMs = performance.now() - startMs;
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  const usableMs = performance.now() - startMs;
  console.log(`Headline after ${Math.round(headlineMs)} ms, player after ${Math.round(usableMs)} ms`);

  const asked = () => pieces.filter(({ url }) => url.includes('/result?groups='));
  await expect.poll(() => asked().length, { timeout: 120_000 }).toBe(2);
  const [first, second] = asked();
  expect(first?.url).toMatch(/groups=file$/);
  expect(first?.bytes).toBeLessThan(FIRST_PIECE_BYTES_MAX);
  expect(decodeURIComponent(second?.url ?? '')).toMatch(/groups=rhythm,tonal,structure,waveform$/);
  expect(await page.locator('.unseen').count()).toBeGreaterThan(0);
  expect(pieces.filter(({ url }) => /plots-|spectrogram|loudness/.test(url))).toEqual([]);
});

it('loads curves when they come into view, and stays light enough to scroll', async () => {
  const { page } = visit;
  await page.waitForFunction(() => {
    window.scrollBy(0, 400);
    return document.querySelectorAll('.unseen, [aria-busy="true"]').length === 0;
  });
  await page.getByRole('heading', { name: 'Quality' }).waitFor();
  await expect
    .poll(() => pieces.map(({ url }) => decodeURIComponent(url)), { timeout: 120_000 })
    .toContainEqual(expect.stringMatching(/groups=loudness,quality$/));
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(ELEMENTS_MAX);
});

it('runs on little JavaScript', async () => {
  const scripts = () => pieces.filter(({ kind }) => kind === 'script');
  await expect
    .poll(() => scripts().map(({ url }) => url), { timeout: 120_000 })
    .toContainEqual(expect.stringContaining('plots-'));
  const bytes = scripts().reduce((sum, script) => sum + script.bytes, 0);
  console.log(`${Math.round(bytes / 1000)} kB of JavaScript, as sent`);
  // React alone is more: less would mean that nothing was counted.
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(SCRIPT_BYTES_MAX);
});
