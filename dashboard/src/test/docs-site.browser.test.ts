import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { hasSidewaysScroll } from './page-actions.ts';
import { openVisit, type Visit } from './visit.ts';

/** The documentation pages in a browser: their layout, and what their script adds. */

let visit: Visit;
beforeAll(async () => {
  visit = await openVisit({ width: 1440, height: 900, colorScheme: 'dark' });
});
afterAll(() => visit.context.close());
afterEach(() => expect(visit.takeFaults()).toEqual([]));

it('the logo is small, and nothing scrolls sideways on a phone', async () => {
  const { page } = visit;
  await page.goto('/docs');
  const box = await page.locator('header .brand img').boundingBox();
  expect([box?.width, box?.height]).toEqual([22, 22]);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await hasSidewaysScroll(visit)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('the search works with the keyboard alone', async () => {
  const { page } = visit;
  await page.goto('/docs');
  await page.keyboard.press('/');
  await page.keyboard.type('idempotency');
  const results = page.getByRole('dialog').getByRole('link');
  await results.first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => results.nth(1).evaluate((link) => link === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  const address = await results.first().getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${address}`);
});

it('the search works where site data is blocked', async () => {
  const page = await visit.context.newPage();
  await page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    }),
  );
  await page.goto('/docs');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('idempotency');
  await page.getByRole('dialog').getByRole('link', { name: 'Idempotency' }).first().waitFor();
  await page.close();
});

it('a search that cannot be loaded says so, and works when it is opened again', async () => {
  const { page } = visit;
  await page.goto('/docs');
  await page.route('**/docs/search.json', (route) => route.abort());
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('The search could not be loaded. Close it and try again.').waitFor();
  // The failed request; a rejected promise would be a fault of the page.
  expect(visit.takeFaults()).toEqual([expect.stringMatching(/^console: .*search\.json/)]);
  await page.unroute('**/docs/search.json');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('Type a word').waitFor();
});

it('the language of an example is kept on other pages', async () => {
  const { page } = visit;
  await page.goto('/docs/quickstart');
  const python = page.locator('.tabs input[value=python]');
  expect(await python.first().isChecked()).toBe(false);
  await page.locator('.tabs label', { hasText: 'Python' }).first().click();
  const checked = () =>
    python.evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).checked));
  expect(new Set(await checked())).toEqual(new Set([true]));
  await page.reload();
  expect(new Set(await checked())).toEqual(new Set([true]));
});

it('an example can be copied', async () => {
  const { page, context } = visit;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/quickstart');
  const block = page.locator('.code').filter({ visible: true }).first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    await block.locator('code').textContent(),
  );
  await block.getByRole('button', { name: 'Copy', exact: true }).waitFor();
});
