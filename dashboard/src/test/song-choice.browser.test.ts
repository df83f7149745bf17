import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasSidewaysScroll } from './page-actions.ts';
import { signIn } from './sign-in.ts';
import { makeSong } from './test-songs.ts';
import { expectAccessible, openVisit, type Visit } from './visit.ts';

/** The second song of a comparison is chosen, by mouse, by keys and by finger, and where the service does not answer. */

/** More than the list has room for. */
const TITLES = Array.from({ length: 12 }, (_, index) => `Song ${index + 1}`);
const SEARCH = /\/v1\/analyses\?/;

let visit: Visit;
let page: Page;
let firstId: string;
beforeAll(async () => {
  visit = await openVisit({ width: 1280, height: 900, colorScheme: 'light' });
  ({ page } = visit);
  await signIn(visit, 'song-choice@example.com');
  const song = makeSong({ name: 'first.wav', bpm: 120, keynoteMidi: 60 });
  await page.getByLabel('Audio files').first().setInputFiles(song);
  await page.getByText('1 done').waitFor();
  firstId = await page.evaluate(async () => {
    const [first] = (await (await fetch('/v1/analyses?limit=1')).json()) as [{ id: string }];
    return first.id;
  });
});
afterAll(() => visit.context.close());
beforeEach(async () => {
  await page.route(/\/v1\/analyses(\?|\/job_\d+\b)/, pretendSongs);
  await page.goto(`/compare/${firstId}`);
  await expect.poll(() => field('First song').inputValue()).toBe('first');
});
afterEach(async () => {
  await page.unrouteAll({ behavior: 'wait' });
  expect(visit.takeFaults()).toEqual([]);
  expect(await hasSidewaysScroll(visit)).toBe(false);
});

/** The song that is there, under every one of the titles. */
async function pretendSongs(route: Route): Promise<void> {
  const asked = new URL(route.request().url());
  const number = /job_(\d+)/.exec(asked.pathname)?.[1];
  if (asked.pathname.endsWith('/result')) {
    return route.continue({ url: asked.href.replace(/job_\d+/, firstId) });
  }
  const song = (await (
    await route.fetch({ url: `${asked.origin}/v1/analyses/${firstId}` })
  ).json()) as object;
  const named = TITLES.map((title, index) => ({
    ...song,
    id: `job_${index + 1}`,
    headline: null,
    file_name: `${title}.mp3`,
    metadata: {},
  }));
  const words = asked.searchParams.get('q') ?? '';
  return route.fulfill({
    json: number ? named[Number(number) - 1] : named.filter(({ file_name }) => file_name.startsWith(words)),
  });
}

const field = (name = 'Second song') => page.getByRole('combobox', { name });
const option = (name: string) => page.getByRole('option', { name, exact: true });
const path = () => new URL(page.url()).pathname;

describe('what is not there and what did not come', () => {
  it('a search that failed says so and is tried again; one that finds nothing says that', async () => {
    const fail = (route: Route) => route.fulfill({ status: 500, json: { detail: 'The search is broken.' } });
    await page.route(SEARCH, fail);
    await field().fill('Song 7');
    await page.getByRole('alert').getByText('The search is broken.').waitFor();
    await expectAccessible(page);
    await page.unroute(SEARCH, fail);
    await page.getByRole('button', { name: 'Try again' }).click();
    await option('Song 7').waitFor();
    await field().fill('nobody');
    await page.getByText('No song matches this search.').waitFor();
    await expectAccessible(page);
    expect(visit.takeFaults().every((fault) => fault.includes('500'))).toBe(true);
  });

  it('a song that could not be loaded is not said to be missing', async () => {
    const fail = (route: Route) => route.fulfill({ status: 429, json: { detail: 'Too many requests.' } });
    await page.route(/analyses\/job_2$/, fail);
    await page.goto('/compare/job_2');
    await page.getByRole('alert').getByText('Too many requests.').waitFor();
    expect(await field('First song').inputValue()).toBe('');
    await page.unroute(/analyses\/job_2$/, fail);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => field('First song').inputValue()).toBe('Song 2');
    expect(visit.takeFaults().every((fault) => fault.includes('429'))).toBe(true);
  });

  it('a song that is not there is said to be missing', async () => {
    await page.goto('/compare/00000000-0000-4000-8000-000000000000');
    await expect.poll(() => field('First song').inputValue()).toBe('A song that is not there');
    expect(visit.takeFaults()).toEqual([expect.stringContaining('404')]);
  });
});

describe('by keys', () => {
  it('Escape closes the list, also when a song is chosen', async () => {
    await page.goto(`/compare/${firstId}/job_2`);
    await expect.poll(() => field().inputValue()).toBe('Song 2');
    await field().focus();
    await option('Song 1').waitFor();
    for (const _ of ['the list', 'the closed field']) {
      await field().press('Escape');
      expect(await field().getAttribute('aria-expanded')).toBe('false');
      expect(await field().inputValue()).toBe('Song 2');
    }
  });

  it('Enter takes no song of the question before', async () => {
    await field().focus();
    await option('Song 1').waitFor();
    const held: Route[] = [];
    const hold = (route: Route) => void held.push(route);
    await page.route(SEARCH, hold);
    await field().pressSequentially('Song 7');
    await field().press('Enter');
    await expect.poll(() => held.length).toBe(1);
    await field().press('ArrowDown');
    await field().press('Enter');
    expect(path()).toBe(`/compare/${firstId}`);
    await page.unroute(SEARCH, hold);
    await pretendSongs(held[0]!);
    await option('Song 7').waitFor();
    // Enter that ends the writing of a word (Japanese, Chinese) chooses nothing.
    await field().dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    expect(path()).toBe(`/compare/${firstId}`);
    await field().press('Enter');
    await expect.poll(path).toBe(`/compare/${firstId}/job_7`);
  });

  it('the option that Enter would take is in sight', async () => {
    await field().focus();
    await option('Song 1').waitFor();
    for (const _ of TITLES.slice(1)) await field().press('ArrowDown');
    await expectInSight('Song 12');
    for (const _ of TITLES.slice(1)) await field().press('ArrowUp');
    await expectInSight('Song 1');
  });

  it('ArrowDown opens a closed list at its first song, also after another was chosen', async () => {
    await field().focus();
    await option('Song 1').waitFor();
    for (const _ of TITLES.slice(0, 4)) await field().press('ArrowDown');
    await field().press('Enter');
    await expect.poll(path).toBe(`/compare/${firstId}/job_5`);
    await field().press('ArrowDown');
    await option('Song 1').waitFor();
    await field().press('Enter');
    await expect.poll(path).toBe(`/compare/${firstId}/job_1`);
  });

  it('what is typed after a choice is a new search', async () => {
    await field().focus();
    await option('Song 1').waitFor();
    await field().press('Enter');
    await expect.poll(() => field().inputValue()).toBe('Song 1');
    await field().pressSequentially('Song 9');
    await option('Song 9').waitFor();
    expect(await field().inputValue()).toBe('Song 9');
  });
});

describe('by mouse and finger', () => {
  it('a finger scrolls the list, and a right click chooses nothing', async () => {
    await field().focus();
    await option('Song 3').waitFor();
    const { x, y } = (await option('Song 3').boundingBox())!;
    const finger = await visit.context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', [{ x: x + 20, y: y + 10 }]);
    for (const upPx of [10, 20, 30, 40, 50, 60]) {
      await touch('touchMove', [{ x: x + 20, y: y + 10 - upPx }]);
    }
    await touch('touchEnd', []);
    await expect.poll(() => option('Song 1').evaluate(isInSight)).toBe(false);
    await option('Song 4').click({ button: 'right' });
    expect(path()).toBe(`/compare/${firstId}`);
    expect(await field().getAttribute('aria-expanded')).toBe('true');
    await option('Song 12').click();
    await expect.poll(path).toBe(`/compare/${firstId}/job_12`);
    expect(await field().getAttribute('aria-expanded')).toBe('false');
  });

  it('the list closes when the field is left', async () => {
    await field().focus();
    await option('Song 1').waitFor();
    await page.getByRole('heading', { name: 'Compare' }).click();
    expect(await field().getAttribute('aria-expanded')).toBe('false');
  });
});

async function expectInSight(name: string): Promise<void> {
  expect(await field().getAttribute('aria-activedescendant')).toBe(await option(name).getAttribute('id'));
  await expect.poll(() => option(name).evaluate(isInSight)).toBe(true);
}

/** Runs in the page: the whole of it lies within the list. */
function isInSight(element: Element): boolean {
  const list = element.closest('[role="listbox"]')!.getBoundingClientRect();
  const { top, bottom } = element.getBoundingClientRect();
  return top >= list.top && bottom <= list.bottom;
}
