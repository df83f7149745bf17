import { fileURLToPath } from 'node:url';
import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pretendManySongs, scrollToSong } from './many-songs.ts';
import { goTo, hasSidewaysScroll } from './page-actions.ts';
import { signIn, signInHere } from './sign-in.ts';
import { makeSong } from './test-songs.ts';
import { expectAccessible, openVisit, type Visit } from './visit.ts';
import { startReceiver } from './webhook-receiver.ts';

/** User complaints, without those about the song page (song-complaints) and of a DJ (dj-complaints): regression tests from the user's side. */

const SONG = fileURLToPath(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));

let visit: Visit;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver();
  visit = await openVisit({ width: 1440, height: 900, colorScheme: 'light' });
  await signIn(visit, 'complaints@example.com');
  await goTo(visit, 'Webhooks');
  await visit.page.getByLabel('Address that is called').fill(receiver.url);
  await visit.page.getByRole('button', { name: 'Add endpoint' }).click();
  await visit.page.getByText(/whsec_/).waitFor();
  await goTo(visit, 'Library');
  await visit.page.getByLabel('Audio files').first().setInputFiles(SONG);
  await visit.page.getByText('1 done').waitFor();
  await visit.page.getByRole('button', { name: 'Close the uploads' }).click();
});
afterAll(() => visit.context.close());
afterEach(async () => {
  expect(visit.takeFaults()).toEqual([]);
  expect(await hasSidewaysScroll(visit)).toBe(false);
});

it('an upload can be cancelled while it waits and while it runs', async () => {
  const { page } = visit;
  await goTo(visit, 'Library');
  const held: Route[] = [];
  const hold = (route: Route) =>
    void (route.request().method() === 'PUT' ? held.push(route) : route.continue());
  await page.route('**/*', hold);
  const songs = ['one', 'two', 'three', 'four'].map((name, k) =>
    makeSong({ name: `${name}.wav`, bpm: 120, keynoteMidi: 60 + k }),
  );
  await page.getByLabel('Audio files').first().setInputFiles(songs);
  const tray = page.getByRole('region', { name: 'Uploads' });
  await expect.poll(() => held.length).toBe(3);
  await expectAccessible(page);
  await tray.getByRole('button', { name: 'Cancel four.wav' }).click();
  for (const name of ['one', 'two', 'three']) {
    await tray.getByRole('button', { name: `Cancel ${name}.wav` }).click();
  }
  await expect.poll(() => tray.count()).toBe(0);
  for (const route of held) await route.continue();
  await page.unroute('**/*', hold);
  const answers = await Promise.all(held.map((route) => route.request().response()));
  expect(answers).toEqual([null, null, null]);
  const names = await page.evaluate(async () => {
    const songs = (await (await fetch('/v1/analyses')).json()) as { file_name: string }[];
    return songs.map(({ file_name }) => file_name);
  });
  expect(names).toEqual(['two-doors-down.mp3']);
});

it('deleting an endpoint asks first, and Cancel keeps it', async () => {
  const { page } = visit;
  await goTo(visit, 'Webhooks');
  const row = page
    .getByRole('region', { name: 'Endpoints' })
    .getByRole('row')
    .filter({ hasText: receiver.url });
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await row.waitFor();
});

it('the attempts of a delivery open below it and within the screen', async () => {
  const { page } = visit;
  await goTo(visit, 'Webhooks');
  const row = page.getByRole('row').filter({ hasText: 'analysis.completed' }).first();
  await row.getByText('Two Doors Down').waitFor();
  await row.getByRole('button', { name: 'Attempts' }).click();
  const attempts = page.getByRole('region', { name: 'Attempts of' }).first();
  await attempts.getByText('204').waitFor();
  const [above, below] = [await row.boundingBox(), await attempts.boundingBox()];
  // But for the rounding of pixels.
  expect(below!.y).toBeGreaterThanOrEqual(above!.y + above!.height - 1);
  // At least the first 80 px are on the screen, which is 900 px high.
  expect(below!.y + 80).toBeLessThan(900);
  expect(below!.x + below!.width).toBeLessThanOrEqual(1440);
  // The body is wrapped over several lines, not one that leaves the screen.
  const body = attempts.locator('pre');
  expect(await body.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  expect(((await body.textContent()) ?? '').split('\n').length).toBeGreaterThan(5);
  await page.setViewportSize({ width: 390, height: 844 });
  const onPhone = await attempts.boundingBox();
  expect(onPhone!.x).toBeGreaterThanOrEqual(0);
  expect(onPhone!.x + onPhone!.width).toBeLessThanOrEqual(390);
  const deliveries = page.getByRole('region', { name: 'Deliveries' });
  expect(await deliveries.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('an error is shown once, and what was typed stays', async () => {
  const { page } = visit;
  await goTo(visit, 'Webhooks');
  await page.getByLabel('Address that is called').fill(receiver.url);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  const message = (await alert.textContent()) ?? '';
  expect(message).toMatch(
    /^The endpoint \S+ already has this address\. Change that one, or delete it first\.$/,
  );
  expect(await page.getByText(message, { exact: true }).count()).toBe(1);
  expect(visit.takeFaults()).toEqual([expect.stringContaining('409')]);
  expect(await page.getByLabel('Address that is called').inputValue()).toBe(receiver.url);
});

describe('a list longer than one page of the API', () => {
  const CRATE_COUNT = 103;
  const SONG_COUNT = 250;

  it('shows all songs', async () => {
    const { page } = visit;
    const stopPretending = await pretendManySongs(page, SONG_COUNT);
    await goTo(visit, 'Library');
    await page.getByText(`${SONG_COUNT} songs`).waitFor();
    await scrollToSong(page, SONG_COUNT);
    await stopPretending();
  });

  it('shows all crates', async () => {
    const { page } = visit;
    await page.evaluate(async (count) => {
      for (let number = 1; number <= count; number++) {
        await fetch('/v1/collections', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: `Crate ${number}` }),
        });
      }
    }, CRATE_COUNT);
    await page.goto('/crates');
    await page.getByRole('cell', { name: `Crate ${CRATE_COUNT}`, exact: true }).waitFor();
    await page.getByRole('cell', { name: 'Crate 1', exact: true }).waitFor();
  });

  it('shows the whole audit log, within 1440 pixels', async () => {
    const { page } = visit;
    await goTo(visit, 'Audit log');
    const log = page.getByRole('region', { name: 'Audit log' });
    await log.getByRole('row').nth(100).waitFor();
    expect(await log.getByText('account.create').count()).toBe(0);
    await page.getByRole('button', { name: 'Older' }).click();
    await log.getByText('account.create').waitFor();
    await log.getByRole('cell', { name: 'complaints@example.com' }).first().waitFor();
    expect(await log.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    expect(await log.evaluate(overlappingCells)).toEqual([]);
  });
});

it('the field for the code is empty and has the focus', async () => {
  const { page, context } = await openVisit({ width: 1440, height: 900, colorScheme: 'light' });
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').fill('code@example.com');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByText('Your code is').waitFor();
  const field = page.getByLabel('Code');
  expect(await field.inputValue()).toBe('');
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await context.close();
});

it('signing in shows no front page before the library, and Back does not return to the form', async () => {
  const guest = await openVisit({ width: 1440, height: 900, colorScheme: 'light' });
  const { page, context } = guest;
  try {
    const held: Route[] = [];
    await page.goto('/sign-in');
    await page.route('**/v1/account/profile', (route) => void held.push(route));
    const entryCount = await page.evaluate(() => window.history.length);
    await signInHere(guest, 'straight@example.com');
    await expect.poll(() => held.length).toBe(1);
    expect(await page.getByText('no account needed').count()).toBe(0);
    await held[0]!.continue();
    await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await page.evaluate(() => window.history.length)).toBe(entryCount);
    expect(guest.takeFaults()).toEqual([]);
  } finally {
    await context.close();
  }
});

it('the front page does not keep the title of the sign-in page', async () => {
  const { page, context } = await openVisit({ width: 1440, height: 900, colorScheme: 'light' });
  try {
    await page.goto('/sign-in');
    await expect.poll(() => page.title()).toBe('Sign in · Earshot');
    await page.getByRole('link', { name: 'Earshot' }).click();
    await page.getByText('no account needed').waitFor();
    await expect.poll(() => page.title()).toBe('Earshot');
  } finally {
    await context.close();
  }
});

it('an ended session is reported, and signing in leads back to the same page', async () => {
  const guest = await openVisit({ width: 1440, height: 900, colorScheme: 'light' });
  try {
    await signIn(guest, 'ended@example.com');
    await guest.context.clearCookies();
    await guest.page.getByRole('navigation').getByRole('link', { name: 'Team', exact: true }).click();
    await guest.page.getByText('Your session has ended.').waitFor();
    await expectAccessible(guest.page);
    await guest.page.getByRole('button', { name: 'Sign in again' }).click();
    await signInHere(guest, 'ended@example.com');
    await guest.page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    expect(new URL(guest.page.url()).pathname).toBe('/team');
    expect(guest.takeFaults().filter((fault) => !fault.includes('401'))).toEqual([]);
  } finally {
    await guest.context.close();
  }
});

it('clearing filters empties their fields for good', async () => {
  const { page } = visit;
  await goTo(visit, 'Library');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const filters = page.getByRole('complementary', { name: 'Filters' });
  const [from, tag] = [filters.getByLabel('From'), filters.getByLabel('Tag')];
  const search = page.getByLabel('Search the library');
  const songs = page.getByRole('link', { name: 'Two Doors Down' }).first();
  for (const clear of ['Show all songs', 'Clear filters']) {
    await from.fill('300');
    await tag.fill('nowhere');
    await search.fill('nobody');
    await page.waitForURL(/q=nobody&bpm_min=300&tag=nowhere/);
    await page.getByRole('button', { name: clear }).click();
    await songs.waitFor();
    expect([await from.inputValue(), await tag.inputValue(), await search.inputValue()]).toEqual([
      '',
      '',
      '',
    ]);
    for (const field of [from, tag]) {
      await field.focus();
      await field.blur();
    }
    expect(new URL(page.url()).search).toBe('');
  }
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
});

it('Escape leaves the search field and clears the search', async () => {
  const { page } = visit;
  await goTo(visit, 'Library');
  await page.keyboard.press('/');
  await page.keyboard.type('nobody');
  await page.waitForURL(/q=nobody/);
  await page.keyboard.press('Escape');
  // Chromium itself clears a search field at Escape, but keeps the focus in it.
  const search = page.getByLabel('Search the library');
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(false);
  await page.getByRole('link', { name: 'Two Doors Down' }).first().waitFor();
  expect([await search.inputValue(), new URL(page.url()).search]).toEqual(['', '']);
});

it('a file that is dropped twice at once is uploaded once', async () => {
  const { page } = visit;
  await goTo(visit, 'Library');
  const song = makeSong({ name: 'once.wav', bpm: 117, keynoteMidi: 62 });
  const drop = [song, { ...song, name: 'once (copy).wav' }];
  await page.getByLabel('Audio files').first().setInputFiles(drop);
  await page.getByText('1 done, 1 already there').waitFor();
  await page.getByRole('button', { name: 'Close the uploads' }).click();
});

it('a crate that cannot be created says why', async () => {
  const { page } = visit;
  await goTo(visit, 'Library');
  await page.getByRole('checkbox', { name: 'Select Two Doors Down' }).first().check();
  await page.route('**/v1/collections', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, json: { detail: 'No more crates.', code: 'conflict' } })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Add to a crate' }).click();
  await page.getByRole('menuitem', { name: 'New crate' }).click();
  await page.getByRole('button', { name: 'Make the crate' }).click();
  await page.getByText('No more crates.').waitFor();
  await page.unroute('**/v1/collections');
  expect(visit.takeFaults()).toEqual([expect.stringContaining('409')]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
});

/** Runs in the page: the texts of cells that overflow into the next cell. */
function overlappingCells(table: Element): string[] {
  return [...table.querySelectorAll('td')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
    .map((cell) => cell.textContent ?? '');
}
