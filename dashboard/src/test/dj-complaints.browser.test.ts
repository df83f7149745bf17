import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { goTo, hasSidewaysScroll, openMenu } from './page-actions.ts';
import { signIn } from './sign-in.ts';
import { makeSong } from './test-songs.ts';
import { expectAccessible, openVisit, type Visit } from './visit.ts';

/** Complaints from a DJ's test session, each as a regression test from the user's side. */

let visit: Visit;
beforeAll(async () => {
  visit = await openVisit({ width: 1440, height: 900, colorScheme: 'dark' });
  await signIn(visit, 'dj-complaints@example.com');
  await visit.page
    .getByLabel('Audio files')
    .first()
    .setInputFiles([
      makeSong({ name: 'early.wav', bpm: 122, keynoteMidi: 60 }),
      makeSong({ name: 'late.wav', bpm: 126, keynoteMidi: 67 }),
    ]);
  await visit.page.getByText('2 done').waitFor();
  await visit.page.getByRole('button', { name: 'Close the uploads' }).click();
});
afterAll(() => visit.context.close());
afterEach(async () => {
  expect(visit.takeFaults()).toEqual([]);
  expect(await hasSidewaysScroll(visit)).toBe(false);
});

async function openSong(name: string): Promise<void> {
  await goTo(visit, 'Library');
  await visit.page.getByRole('link', { name }).first().click();
  await visit.page.getByTestId('timeline').waitFor();
}

it('a search that finds nothing has a button of the usual height', async () => {
  const { page } = visit;
  await page.goto('/?q=zzzz');
  const heightPx = async (name: string) =>
    (await page.getByRole('button', { name, exact: true }).boundingBox())!.height;
  expect(await heightPx('Show all songs')).toBe(await heightPx('Filters'));
});

it('all columns fit beside the open filters', async () => {
  const { page } = visit;
  await page.goto('/');
  await page.getByRole('row').nth(2).waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  const beyond = await page
    .getByRole('region', { name: 'Songs' })
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(beyond).toBe(0);
  await page.getByRole('button', { name: 'Filters' }).click();
});

it('a correction is undone by Ctrl+Z, and all of them can be reverted after a reload', async () => {
  const { page } = visit;
  await openSong('early');
  const tempo = page.getByText(/^\d+\.\d\d BPM$/);
  const heard = await tempo.textContent();
  const corrections = page.getByRole('button', { name: 'Corrections' });
  const revertAll = async () => {
    await corrections.click();
    await page.getByRole('menuitem', { name: 'Revert all to what was heard' }).click();
  };
  expect(await corrections.count()).toBe(0);
  await page.getByRole('button', { name: '×2' }).click();
  await page.getByText('Tempo doubled.').waitFor();
  await openMenu(visit, 'Correct the key');
  await page.getByRole('menuitem', { name: 'G minor', exact: true }).first().click();
  await page.getByText('corrected; heard C').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('corrected; heard C').waitFor({ state: 'detached' });
  await expect.poll(() => tempo.textContent()).toMatch(/^24\d/);
  await page.keyboard.press('Control+z');
  await expect.poll(() => tempo.textContent()).toBe(heard);
  // Nothing is left to undo: this must not change anything.
  await page.keyboard.press('Control+z');

  await page.getByRole('button', { name: '÷2' }).click();
  await page.getByText('Tempo halved.').waitFor();
  await openMenu(visit, 'Correct the key');
  await page.getByRole('menuitem', { name: 'G minor', exact: true }).first().click();
  await page.getByText('corrected; heard C').waitFor();
  await page.reload();
  for (const width of [390, 800, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await corrections.waitFor();
    expect(await corrections.evaluate(isUncovered), `at ${width} pixels`).toBe(true);
  }
  await revertAll();
  await expect.poll(() => tempo.textContent()).toBe(heard);
  await page.getByText('Reverted: all as heard.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => tempo.textContent()).toMatch(/^6\d/);
  await revertAll();
  await expect.poll(() => tempo.textContent()).toBe(heard);
  await expectAccessible(page);
});

it('a crate is named when it is created, and renamed later', async () => {
  const { page } = visit;
  await goTo(visit, 'Library');
  await page.getByLabel('Select all songs that are loaded').check();
  await openMenu(visit, 'Add to a crate');
  await page.getByRole('menuitem', { name: 'New crate' }).click();
  const dialog = page.getByRole('dialog', { name: 'New crate' });
  await dialog.getByLabel('Name').fill('Friday, 2 am');
  await expectAccessible(page);
  await dialog.getByLabel('Name').press('Enter');
  await page.getByText('2 songs in Friday, 2 am.').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Friday, 2 am' }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename the crate' });
  expect(await rename.getByLabel('Name').inputValue()).toBe('Friday, 2 am');
  await rename.getByLabel('Name').fill('Saturday');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { level: 1, name: 'Saturday' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Saturday' }).waitFor();
});

it('a song is added to a crate from its own page', async () => {
  const { page } = visit;
  await openSong('late');
  // Crates that could not be listed must not look like no crates.
  const lists = '**/v1/collections?*';
  await page.route(lists, (route) =>
    route.fulfill({ status: 403, json: { detail: 'No crates today.', code: 'forbidden' } }),
  );
  await openMenu(visit, 'Add to a crate');
  await page.getByRole('menuitem', { name: 'No crates today.' }).waitFor();
  await page.unroute(lists);
  expect(visit.takeFaults()).toEqual([expect.stringContaining('403')]);
  await page.getByRole('menuitem', { name: 'New crate' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Closing');
  await page.getByRole('dialog').getByRole('button', { name: 'Make the crate' }).click();
  await page.getByText('1 song in Closing.').waitFor();
});

it('songs are added to an existing crate, from a menu that offers nothing before its crates have loaded', async () => {
  const { page } = visit;
  await goTo(visit, 'Library');
  await page.getByLabel('Select early', { exact: true }).check();
  const lists = '**/v1/collections?*';
  const held: Route[] = [];
  await page.route(lists, (route) => void held.push(route));
  await openMenu(visit, 'Add to a crate');
  await expect.poll(() => held.length).toBe(1);
  const choices = page.getByRole('menuitem', { disabled: false });
  expect(await choices.count()).toBe(0);
  await held[0]!.continue();
  await page.unroute(lists);
  const crate = page.getByRole('menuitem', { name: 'Closing' });
  await crate.waitFor();
  expect(await choices.first().textContent()).toBe('New crate');
  await expectAccessible(page);
  await crate.click();
  await page.getByText('1 song in Closing.').last().waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Closing' }).click();
  await page.getByRole('heading', { level: 1, name: 'Closing' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'early' }).waitFor();
});

it('adding songs to a crate that was deleted while the menu was open says so, and keeps the selection', async () => {
  const { page } = visit;
  await goTo(visit, 'Library');
  const id = await page.evaluate(async () => {
    const response = await fetch('/v1/collections', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Short-lived' }),
    });
    return ((await response.json()) as { id: string }).id;
  });
  await page.getByLabel('Select early', { exact: true }).check();
  await openMenu(visit, 'Add to a crate');
  await page.getByRole('menuitem', { name: 'Short-lived' }).waitFor();
  await page.evaluate((gone) => fetch(`/v1/collections/${gone}`, { method: 'DELETE' }), id);
  await page.getByRole('menuitem', { name: 'Short-lived' }).click();
  await page.getByText('There is nothing here that you can see.').waitFor();
  expect(visit.takeFaults()).toEqual([expect.stringContaining('404')]);
  // The songs are still selected, for another crate.
  expect(await page.getByLabel('Select early', { exact: true }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
});

it('the reasons of an order are shown in the ordered crate only', async () => {
  const { page } = visit;
  await page.getByRole('navigation').getByRole('link', { name: 'Saturday' }).click();
  await openMenu(visit, 'Order');
  await page.getByRole('menuitem', { name: 'By tempo' }).click();
  await page.getByText('Songs put in order.').waitFor();
  const late = page.getByRole('listitem').filter({ hasText: 'late' }).locator('.song-names .small');
  await expect.poll(() => late.textContent()).not.toBe('');
  await page.getByRole('navigation').getByRole('link', { name: 'Closing' }).click();
  await page.getByRole('heading', { level: 1, name: 'Closing' }).waitFor();
  expect(await late.textContent()).toBe('');
});

it('title, artist, tags and note of a song are edited on its page', async () => {
  const { page } = visit;
  await openSong('late');
  const dialog = page.getByRole('dialog', { name: 'Details' });
  const open = async () => {
    await openMenu(visit, 'More actions');
    await page.getByRole('menuitem', { name: 'Edit details' }).click();
  };
  const edit = async (fields: Record<string, string>) => {
    await open();
    for (const [name, text] of Object.entries(fields)) await dialog.getByLabel(name).fill(text);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await edit({
    Title: 'Blue Monday (12" Mix)',
    Artist: 'New Order',
    'Tags, with commas between': 'closing, vinyl',
    Note: 'loud',
  });
  await page.getByRole('heading', { level: 1, name: 'Blue Monday (12" Mix)' }).waitFor();
  await page.getByText('New Order · closing, vinyl').waitFor();
  await edit({ 'Tags, with commas between': 'vinyl', Artist: '' });
  await page.getByText('vinyl · audio kept').waitFor();
  await page.reload();
  await open();
  expect(await dialog.getByLabel('Note').inputValue()).toBe('loud');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await goTo(visit, 'Library');
  const row = page.getByRole('row').filter({ hasText: 'Blue Monday (12" Mix)' });
  await row.waitFor();
  expect(await row.textContent()).not.toMatch(/closing|New Order/);
});

it('selected songs hidden by a search are counted, also in the question before deleting', async () => {
  const { page } = visit;
  await page.goto('/');
  await page.getByLabel('Select early', { exact: true }).check();
  await page
    .getByRole('checkbox', { name: /^Select (?!all|early)/ })
    .first()
    .check();
  const bar = page.getByRole('region', { name: 'Selected songs' });
  await bar.getByText('2 songs', { exact: true }).waitFor();
  await page.getByLabel('Search the library').fill('early');
  await bar.getByText('2 songs, 1 not shown').waitFor();
  await bar.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 songs?' });
  await dialog.getByText('1 of them is not shown in the list.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await bar.getByRole('button', { name: 'Clear' }).click();
});

it.each([
  ['on a desktop', { width: 1440, height: 900 }],
  ['on a phone', { width: 390, height: 844 }],
])('%s no action for selected songs is covered, not even by a message', async (_, size) => {
  const { page } = visit;
  await page.setViewportSize(size);
  await page.goto('/');
  const bar = page.getByRole('region', { name: 'Selected songs' });
  const expectUncovered = async () => {
    await page.getByLabel('Select all songs that are loaded').check();
    const buttons = await bar.getByRole('button').all();
    expect(buttons.length).toBeGreaterThan(1);
    for (const button of buttons) {
      expect(await button.evaluate(isUncovered), (await button.textContent()) ?? '').toBe(true);
    }
  };
  await expectUncovered();
  await bar.getByRole('button', { name: 'Add to a crate' }).click();
  await page.getByRole('menuitem', { name: 'Closing' }).click();
  const message = page.getByText('2 songs in Closing.');
  await message.waitFor();
  await expectUncovered();
  expect(await message.isVisible()).toBe(true);
  await bar.getByRole('button', { name: 'Clear' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('a closed dialog returns the focus to what opened it', async () => {
  const { page } = visit;
  await openSong('early');
  const more = page.getByRole('button', { name: 'More actions' });
  const hasFocus = () => more.evaluate((element) => element === document.activeElement);
  const choose = async (item: string) => {
    await more.press('Enter');
    await page.getByRole('menuitem', { name: item }).press('Enter');
    await page.getByRole('dialog').waitFor();
  };
  await choose('Edit details');
  await page.keyboard.press('Escape');
  await expect.poll(hasFocus).toBe(true);
  await choose('Edit details');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter');
  await expect.poll(hasFocus).toBe(true);
  await choose('Delete the song');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect.poll(hasFocus).toBe(true);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(hasFocus).toBe(true);
});

it('a dialog cannot be closed while it saves', async () => {
  const { page } = visit;
  await openSong('early');
  await openMenu(visit, 'More actions');
  await page.getByRole('menuitem', { name: 'Edit details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Details' });
  const release = await holdRequests(page, /\/v1\/analyses\/job_\w+$/);
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await sent;
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  release();
  await dialog.waitFor({ state: 'detached' });
  await page.unrouteAll({ behavior: 'wait' });
});

it('while a search runs, the previous songs are not counted as found', async () => {
  const { page } = visit;
  await page.goto('/');
  const status = page.locator('.library-count');
  await expect.poll(() => status.textContent()).toBe('2 songs');
  const release = await holdRequests(page, /\/v1\/analyses\?q=/);
  await page.getByRole('searchbox').fill('early');
  await expect.poll(() => status.textContent()).toBe('Searching…');
  release();
  await expect.poll(() => status.textContent()).toBe('1 song found');
  await page.unrouteAll({ behavior: 'wait' });
});

it('saving after the session has ended says so, and keeps what was typed', async () => {
  const guest = await openVisit({ width: 1440, height: 900, colorScheme: 'light' }, visit);
  const { page } = guest;
  await page.goto('/');
  await page.getByRole('link', { name: 'early' }).first().click();
  await page.getByTestId('timeline').waitFor();
  await guest.context.clearCookies();
  await openMenu(guest, 'More actions');
  await page.getByRole('menuitem', { name: 'Edit details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Details' });
  await dialog.getByLabel('Note').fill('warm-up');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Your session has ended. Sign in again in another tab, then repeat this.').waitFor();
  expect(await dialog.getByLabel('Note').inputValue()).toBe('warm-up');
  await guest.context.close();
});

/** Holds the requests to matching addresses until the returned function is called. */
async function holdRequests(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Runs in the page: whether nothing covers the ends or the middle of the element. */
function isUncovered(element: Element): boolean {
  element.scrollIntoView({ block: 'center' });
  const { left, width, top, height } = element.getBoundingClientRect();
  return [0.1, 0.5, 0.9].every((share) =>
    element.contains(document.elementFromPoint(left + share * width, top + height / 2)),
  );
}
