import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasSidewaysScroll } from './page-actions.ts';
import { signIn } from './sign-in.ts';
import { makeSong } from './test-songs.ts';
import { expectAccessible, openVisit, type Visit } from './visit.ts';

/** Choosing the songs of a comparison: with mouse, keyboard and touch, and when requests fail. */

/** More than fit into the list without scrolling. */
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

/** Answers for the one real song under each of the titles. */
async function pretendSongs(route: Route): Promise<void> {
  const requested = new URL(route.request().url());
  const number = /job_(\d+)/.exec(requested.pathname)?.[1];
  if (requested.pathname.endsWith('/result')) {
    return route.continue({ url: requested.href.replace(/job_\d+/, firstId) });
  }
  const song = (await (
    await route.fetch({ url: `${requested.origin}/v1/analyses/${firstId}` })
  ).json()) as object;
  const named = TITLES.map((title, index) => ({
    ...song,
    id: `job_${index + 1}`,
    headline: null,
    file_name: `${title}.mp3`,
    metadata: {},
  }));
  const prefix = requested.searchParams.get('q') ?? '';
  return route.fulfill({
    json: number ? named[Number(number) - 1] : named.filter(({ file_name }) => file_name.startsWith(prefix)),
  });
}

const field = (name = 'Second song') => page.getByRole('combobox', { name });
const option = (name: string) => page.getByRole('option', { name, exact: true });
const path = () => new URL(page.url()).pathname;

describe('missing songs and failed requests', () => {
  it('a failed search shows why and can be retried; an empty one says that nothing matches', async () => {
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
    expect(visit.takeFaults().filter((fault) => !fault.includes('500'))).toEqual([]);
  });

  it('a song that could not be loaded is not reported as missing', async () => {
    const fail = (route: Route) => route.fulfill({ status: 429, json: { detail: 'Too many requests.' } });
    await page.route(/analyses\/job_2$/, fail);
    await page.goto('/compare/job_2');
    await page.getByRole('alert').getByText('Too many requests.').waitFor();
    expect(await field('First song').inputValue()).toBe('');
    await page.unroute(/analyses\/job_2$/, fail);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => field('First song').inputValue()).toBe('Song 2');
    expect(visit.takeFaults().filter((fault) => !fault.includes('429'))).toEqual([]);
  });

  it('a song that does not exist is reported as missing', async () => {
    await page.goto('/compare/00000000-0000-4000-8000-000000000000');
    await expect.poll(() => field('First song').inputValue()).toBe('A song that is not there');
    expect(visit.takeFaults()).toEqual([expect.stringContaining('404')]);
  });
});

describe('with the keyboard', () => {
  it('Escape closes the list and keeps the chosen song', async () => {
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

  it('Enter does not choose from the results of an earlier search', async () => {
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
    // Enter that confirms a word in an input method (Japanese, Chinese) chooses nothing.
    await field().dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    expect(path()).toBe(`/compare/${firstId}`);
    await field().press('Enter');
    await expect.poll(path).toBe(`/compare/${firstId}/job_7`);
  });

  it('the active option is scrolled into view', async () => {
    await field().focus();
    await option('Song 1').waitFor();
    for (const _ of TITLES.slice(1)) await field().press('ArrowDown');
    await expectInView('Song 12');
    for (const _ of TITLES.slice(1)) await field().press('ArrowUp');
    await expectInView('Song 1');
  });

  it('ArrowDown opens a closed list at its first song, whichever was chosen before', async () => {
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

  it('typing after a choice starts a new search', async () => {
    await field().focus();
    await option('Song 1').waitFor();
    await field().press('Enter');
    await expect.poll(() => field().inputValue()).toBe('Song 1');
    await field().pressSequentially('Song 9');
    await option('Song 9').waitFor();
    expect(await field().inputValue()).toBe('Song 9');
  });
});

describe('with mouse and touch', () => {
  it('touch scrolls the list, and a right click chooses nothing', async () => {
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
    await expect.poll(() => option('Song 1').evaluate(isInView)).toBe(false);
    await option('Song 4').click({ button: 'right' });
    expect(path()).toBe(`/compare/${firstId}`);
    expect(await field().getAttribute('aria-expanded')).toBe('true');
    await option('Song 12').click();
    await expect.poll(path).toBe(`/compare/${firstId}/job_12`);
    expect(await field().getAttribute('aria-expanded')).toBe('false');
  });

  it('the list closes when the field loses the focus', async () => {
    await field().focus();
    await option('Song 1').waitFor();
    await page.getByRole('heading', { name: 'Compare' }).click();
    expect(await field().getAttribute('aria-expanded')).toBe('false');
  });
});

async function expectInView(name: string): Promise<void> {
  expect(await field().getAttribute('aria-activedescendant')).toBe(await option(name).getAttribute('id'));
  await expect.poll(() => option(name).evaluate(isInView)).toBe(true);
}

/** Runs in the page: whether the element is entirely within the visible part of the list. */
function isInView(element: Element): boolean {
  const list = element.closest('[role="listbox"]')!.getBoundingClientRect();
  const { top, bottom } = element.getBoundingClientRect();
  return top >= list.top && bottom <= list.bottom;
}
