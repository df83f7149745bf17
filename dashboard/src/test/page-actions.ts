import { expect } from 'vitest';
import type { Look, Visit } from './visit.ts';

export const LOOKS: [string, Look][] = [
  ['desktop, light', { width: 1280, height: 900, colorScheme: 'light' }],
  ['desktop, dark', { width: 1280, height: 900, colorScheme: 'dark' }],
  ['phone, light', { width: 390, height: 844, colorScheme: 'light' }],
  ['phone, dark', { width: 390, height: 844, colorScheme: 'dark' }],
];

/** Opens a page by its link: in the navigation, or on a phone, for the settings, in the account menu. */
export async function goTo(visit: Visit, name: string): Promise<void> {
  const { page } = visit;
  const link = page.getByRole('navigation').getByRole('link', { name, exact: true });
  if (await link.isVisible()) await link.click();
  else {
    await openMenu(visit, /^Account/);
    await page.getByRole('menuitem', { name, exact: true }).click();
  }
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

export async function openMenu({ page }: Visit, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('menu').waitFor();
}

/** Seeks to a share of the song by a click on the ruler, repeated until the audio has loaded and the position changes. */
export async function seekTo({ page }: Visit, share: number): Promise<void> {
  const timeline = page.getByTestId('timeline');
  const place = page.getByLabel('Bar and beat');
  const before = await place.textContent();
  await expect
    .poll(
      async () => {
        const width = (await timeline.boundingBox())?.width ?? 0;
        await timeline.click({ position: { x: share * width, y: 8 } });
        return place.textContent();
      },
      { timeout: 60_000 },
    )
    .not.toBe(before);
}

/** Plays with the click track until three clicks have sounded and the bar and the chord are shown, then pauses. */
export async function listen({ page }: Visit): Promise<void> {
  const transport = page.getByRole('region', { name: 'Transport' });
  const clicks = () => page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks);
  const before = await clicks();
  await transport.getByRole('button', { name: 'Click', exact: true }).click();
  await transport.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(
    (count) => (globalThis as unknown as { clicks: number }).clicks >= count + 3,
    before,
  );
  await page.waitForFunction(() =>
    /bar \d+, beat/.test(document.querySelector('.place-bar')?.textContent ?? ''),
  );
  await page.waitForFunction(() => /[A-G]/.test(document.querySelector('.chord-now')?.textContent ?? ''));
  await transport.getByRole('button', { name: 'Pause' }).click();
  await transport.getByRole('button', { name: 'Click', exact: true }).click();
}

/** Whether the page is wider than the screen; wide tables and pictures should scroll inside their own boxes instead. */
export function hasSidewaysScroll({ page }: Visit): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
