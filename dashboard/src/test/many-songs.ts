import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const LIST = /\/v1\/analyses\?/;

/**
 * Answers list requests with `count` copies of the newest song under different names, paged as the service pages (tested in
 * server/src/library). Returns a function that stops it; by then the page must have read its list to the end, because the service refuses
 * the cursors of the pretended pages.
 */
export async function pretendManySongs(page: Page, count: number): Promise<() => Promise<void>> {
  await page.route(LIST, async (route) => {
    const requested = new URL(route.request().url());
    // An upload's request for whether the file is in the library already.
    if (requested.searchParams.has('sha256')) return route.continue();
    const [song] = (await (
      await route.fetch({ url: `${requested.origin}/v1/analyses?limit=1` })
    ).json()) as object[];
    const first = Number(requested.searchParams.get('after') ?? 0);
    const end = Math.min(count, first + Number(requested.searchParams.get('limit')));
    const link = `<${requested.origin}/v1/analyses?after=${end}>; rel="next"`;
    await route.fulfill({
      json: Array.from({ length: end - first }, (_, index) => ({
        ...song,
        id: `job_${first + index + 1}`,
        headline: null,
        file_name: `Song ${first + index + 1}.mp3`,
        metadata: {},
      })),
      headers: { 'x-total-count': String(count), ...(end < count && { link }) },
    });
  });
  // Waits for running handlers, or their requests would be answered twice.
  return () => page.unrouteAll({ behavior: 'wait' });
}

/** Scrolls down the library, page after page, until the song with this number is visible. */
export async function scrollToSong(page: Page, number: number): Promise<Locator> {
  const song = page.getByRole('link', { name: `Song ${number}`, exact: true });
  const table = page.locator('.song-table');
  await expect
    .poll(
      async () => {
        await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return song.isVisible();
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  return song;
}
