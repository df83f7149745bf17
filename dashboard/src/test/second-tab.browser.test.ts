import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { pretendManySongs, scrollToSong } from './many-songs.ts';
import { goTo, openMenu } from './page-actions.ts';
import { signIn } from './sign-in.ts';
import { makeSong } from './test-songs.ts';
import { openVisit, type Visit } from './visit.ts';

/** Changes while a page is open: from another tab, by a broken connection, by songs that arrive. */

let visit: Visit;
beforeAll(async () => {
  visit = await openVisit({ width: 1440, height: 900, colorScheme: 'light' });
  await signIn(visit, 'second-tab@example.com');
});
afterAll(() => visit.context.close());
afterEach(() => expect(visit.takeFaults()).toEqual([]));

it('a file whose upload was interrupted can be sent again', async () => {
  const { page } = visit;
  await page.route(/./, (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionreset') : route.continue(),
  );
  await page
    .getByLabel('Audio files')
    .first()
    .setInputFiles(makeSong({ name: 'broken off.wav', bpm: 121, keynoteMidi: 64 }));
  await page.getByText('The connection broke while the file was on its way.').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  expect(visit.takeFaults()).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('1 done').waitFor();
  await page.getByRole('button', { name: 'Close the uploads' }).click();
});

async function openSong(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'broken off' }).first().click();
  await page.getByTestId('timeline').waitFor();
}

it('a correction does not overwrite one made in another tab since', async () => {
  const { page, context } = visit;
  await openSong(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByTestId('timeline').waitFor();

  await openMenu({ ...visit, page: other }, 'Correct the key');
  await other.getByRole('menuitem', { name: 'G minor', exact: true }).first().click();
  await other.getByText('Key is G minor.').waitFor();

  await page.getByRole('button', { name: 'double the tempo' }).click();
  await page.getByText('Not changed: the song was corrected elsewhere').waitFor();
  await page.locator('.facts').getByText(/^Gm/).waitFor();

  // The next correction builds on the one that is shown now.
  await page.getByRole('button', { name: 'double the tempo' }).click();
  await page.getByText('Tempo doubled.').waitFor();
  await other.reload();
  await other.locator('.facts').getByText(/^Gm/).waitFor();
  await other
    .locator('.facts')
    .getByText(/corrected; heard .* BPM/)
    .waitFor();
  await other.close();
});

it('a new song does not change how far the list is scrolled', async () => {
  const { page } = visit;
  const SONGS = 250;
  const stopPretending = await pretendManySongs(page, SONGS);
  await goTo(visit, 'Library');
  await page.getByText(`${SONGS} songs`).waitFor();
  const table = page.locator('.song-table');
  const last = await scrollToSong(page, SONGS);
  const scrolled = () => table.evaluate((element) => element.scrollTop);
  const before = await scrolled();
  // The new song makes the page read its list again, of which this is the third and last page.
  const lastPage = page.waitForResponse(/\/v1\/analyses\?.*after=200/);
  await page
    .getByLabel('Audio files')
    .first()
    .setInputFiles(makeSong({ name: 'late.wav', bpm: 133, keynoteMidi: 66 }));
  await page.getByText('1 done').waitFor();
  await (await lastPage).finished();
  await last.waitFor();
  expect(await scrolled()).toBe(before);
  await stopPretending();
});

it('a list whose end is reached while it is read again goes on', async () => {
  const { page } = visit;
  const SONGS = 150;
  const LIST = /\/v1\/analyses\?(?!.*sha256)/;
  const song = (number: number) => page.getByRole('link', { name: `Song ${number}`, exact: true });
  const stopPretending = await pretendManySongs(page, SONGS);
  await page.goto('/');
  await page.getByText(`${SONGS} songs`).waitFor();
  // The new song makes the page read its list again, which waits until the last song of the first page is visible.
  await page.route(LIST, async (route) => {
    await song(100).waitFor();
    await route.fallback();
  });
  const readAgain = page.waitForRequest(LIST);
  await page
    .getByLabel('Audio files')
    .first()
    .setInputFiles(makeSong({ name: 'later.wav', bpm: 139, keynoteMidi: 67 }));
  await readAgain;
  await page.locator('.song-table').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await song(101).waitFor();
  await stopPretending();
});

it('a song added in another tab shows its numbers once it is analysed', async () => {
  const { page } = visit;
  await goTo(visit, 'Library');
  let finished = false;
  await page.route(/\/v1\/analyses\?/, async (route) => {
    const response = await route.fetch();
    const songs = (await response.json()) as object[];
    const running = { status: 'processing', headline: null };
    await route.fulfill({
      response,
      json: finished ? songs : songs.map((song) => ({ ...song, ...running })),
    });
  });
  await page.reload();
  const row = page.getByRole('row', { name: /broken off/ });
  await row.getByText('processing').waitFor();
  finished = true;
  await row.getByText('processing').waitFor({ state: 'detached' });
  expect(await row.textContent()).toMatch(/\d+\.\d/);
  await page.unrouteAll({ behavior: 'wait' });
});

it('the page of a song that does not exist says so, and leads back to the library', async () => {
  const { page } = visit;
  await page.goto('/analyses/job_00000000000000000000000000');
  await page.getByText('It may have been deleted').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  // The service has neither the song nor its result nor its corrections, all requested at once. The song is requested again, with the same
  // message, if the first response arrived before the page's code.
  let faults = new Set<string>();
  await expect
    .poll(() => {
      faults = new Set([...faults, ...visit.takeFaults()]);
      return faults.size;
    })
    .toBe(3);
  for (const fault of faults) expect(fault).toContain('404');
  await page.getByRole('link', { name: 'Go to the library' }).click();
  await page.getByRole('heading', { name: 'Library', exact: true }).waitFor({ state: 'attached' });
});

it('signing out works in a tab whose session has ended in another one', async () => {
  const { page, context } = visit;
  await page.goto('/keys');
  const other = await context.newPage();
  await other.goto('/');
  const signOut = async (tab: Page) => {
    await openMenu({ ...visit, page: tab }, /^Account/);
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.getByText('no account needed').waitFor();
  };
  await signOut(other);
  await signOut(page);
  expect(visit.takeFaults()).toEqual([expect.stringContaining('401')]);
});
