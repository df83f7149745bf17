import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const LIST = /\/v1\/analyses\?/;

/** One song under so many names, in pages as the service gives them (which are tested there, server/src/library). Returns what ends it. */
export async function pretendManySongs(page: Page, count: number): Promise<() => Promise<void>> {
  await page.route(LIST, async (route) => {
    const asked = new URL(route.request().url());
    // Whether a file that is dropped is there already.
    if (asked.searchParams.has('sha256')) return route.continue();
    const [song] = (await (
      await route.fetch({ url: `${asked.origin}/v1/analyses?limit=1` })
    ).json()) as object[];
    const first = Number(asked.searchParams.get('after') ?? 0);
    const end = Math.min(count, first + Number(asked.searchParams.get('limit')));
    const link = `<${asked.origin}/v1/analyses?after=${end}>; rel="next"`;
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
  // A question that is being answered is answered first, or it would be twice.
  return () => page.unrouteAll({ behavior: 'wait' });
}

/** Down the library, page after page, until it is there: the last of so many. */
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
