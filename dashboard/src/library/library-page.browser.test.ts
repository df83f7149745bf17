import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from '../test/sign-in.ts';
import { openVisit, type Visit } from '../test/visit.ts';

let visit: Visit;
beforeAll(async () => {
  visit = await openVisit({ width: 1280, height: 900, colorScheme: 'light' });
  await signIn(visit, 'library-page@example.com');
});
afterAll(() => visit.context.close());

it('after a search without results, a library is called empty only once its songs were read', async () => {
  const { page } = visit;
  await page.goto('/?q=nothing');
  await page.getByText('No song matches this search.').waitFor();
  const held: Route[] = [];
  await page.route(/\/v1\/analyses\?/, (route) => void held.push(route));
  await page.getByRole('button', { name: 'Show all songs' }).click();
  await expect.poll(() => held).toHaveLength(1);
  expect(await page.getByText('Your library is empty').count()).toBe(0);
  await page.getByText('Loading…').waitFor();
  await held[0]!.continue();
  await page.getByText('Your library is empty').waitFor();
  expect(visit.takeFaults()).toEqual([]);
});
