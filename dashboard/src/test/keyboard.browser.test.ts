import type { Locator, Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { hasSidewaysScroll } from './page-actions.ts';
import { signIn } from './sign-in.ts';
import { expectAccessible, type Look, openVisit, type Visit } from './visit.ts';

/** Tasks done with the keyboard alone: Tab, Space, Enter and letters. */

const DESKTOP: Look = { width: 1280, height: 900, colorScheme: 'light' };

let visit: Visit;
afterEach(async () => {
  expect(visit.takeFaults()).toEqual([]);
  await expectAccessible(visit.page);
  expect(await hasSidewaysScroll(visit)).toBe(false);
  await visit.context.close();
});

it('an owner invites somebody, revokes the invitation, and changes how long audio is kept', async () => {
  visit = await openVisit(DESKTOP);
  await signIn(visit, 'keys-owner@example.com');
  const { page } = visit;
  await tabTo(page, page.getByRole('link', { name: 'Team' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Invite by e-mail'));
  await page.keyboard.type('keys-guest@example.com');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Revoke' }));
  await page.keyboard.press('Enter');
  await page.getByText('revoked').waitFor();
  await page.goto('/profile');
  await tabTo(page, page.getByLabel('Keep audio'));
  // Typing selects an option of a select element.
  await page.keyboard.type('Never');
  await tabTo(page, page.getByRole('button', { name: 'Change' }));
  await page.keyboard.press('Enter');
  await page.getByText('Retention changed.').first().waitFor();
});

it('a developer makes a key and revokes it', async () => {
  visit = await openVisit(DESKTOP);
  await signIn(visit, 'keys-developer@example.com');
  const { page } = visit;
  await tabTo(page, page.getByRole('link', { name: 'API keys' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Name'));
  await page.keyboard.type('script');
  await page.keyboard.press('Enter');
  const shownKey = page.getByText(/es_live_\w{36}/);
  await shownKey.waitFor();

  // A key without permissions is refused, and the previous key is not shown as if it were the new one.
  const ticked = page.getByRole('checkbox', { checked: true });
  while ((await ticked.count()) > 0) {
    await tabTo(page, ticked);
    await page.keyboard.press('Space');
  }
  await tabTo(page, page.getByLabel('Name'));
  await page.keyboard.type('reader');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Tick at least one permission.').waitFor();
  expect(await shownKey.count()).toBe(0);
  await tabTo(page, page.getByLabel('read results'));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await shownKey.waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);

  // The new key stays visible when another one is revoked, and disappears when it is revoked itself.
  for (const [name, shownCount] of [
    ['script', 1],
    ['reader', 0],
  ] as const) {
    const row = page.getByRole('row').filter({ hasText: name });
    await tabTo(page, row.getByRole('button', { name: 'Revoke' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
    await page.keyboard.press('Enter');
    await row.getByText('revoked').waitFor();
    expect(await shownKey.count()).toBe(shownCount);
  }
});

/** More than any page of the tests has. */
const TAB_STOPS_MAX = 120;

async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  for (let stop = 0; stop < TAB_STOPS_MAX; stop++) {
    if (await target.first().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}
