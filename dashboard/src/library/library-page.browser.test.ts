import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from '../test/sign-in.ts';
import { openVisit, type Visit } from '../test/visit.ts';

const LIST = /\/v1\/analyses\?/;

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
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(LIST, async (route) => {
    await released;
    await route.continue();
  });
  const requested = page.waitForRequest(LIST);
  await page.getByRole('button', { name: 'Show all songs' }).click();
  await requested;
  expect(await page.getByText('Your library is empty').count()).toBe(0);
  await page.getByText('Loading…').waitFor();
  release();
  await page.getByText('Your library is empty').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  expect(visit.takeFaults()).toEqual([]);
});
