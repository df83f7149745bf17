import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMenu } from '../test/page-actions.ts';
import { signIn } from '../test/sign-in.ts';
import { makeSong } from '../test/test-songs.ts';
import { openVisit, type Visit } from '../test/visit.ts';

let visit: Visit;
beforeAll(async () => {
  visit = await openVisit({ width: 1440, height: 900, colorScheme: 'light' });
  await signIn(visit, 'use-canvas@example.com');
  const { page } = visit;
  await page
    .getByLabel('Audio files')
    .first()
    .setInputFiles(makeSong({ name: 'painted.wav', bpm: 121, keynoteMidi: 64 }));
  await page.getByText('1 done').waitFor();
  await page.getByRole('button', { name: 'Close the uploads' }).click();
});
afterAll(() => visit.context.close());

it('the time line of an open song takes on a new theme, of the system or from the menu', async () => {
  const { page } = visit;
  await page.getByRole('link', { name: 'painted' }).first().click();
  await page.getByTestId('timeline').waitFor();
  /** The pixel in the top right corner of the lanes, and the colour that the theme gives it. */
  const colours = () =>
    page.getByTestId('timeline').evaluate((timeline) => {
      const canvas = timeline.querySelector('canvas')!;
      const pixel = canvas.getContext('2d')!.getImageData(canvas.width - 1, 0, 1, 1).data;
      const drawn = `rgb(${pixel.slice(0, 3).join(', ')})`;
      return { drawn, paper: getComputedStyle(timeline).getPropertyValue('--paper') };
    });
  const light = (await colours()).paper;
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = (await colours()).paper;
  expect(dark).not.toBe(light);
  await expect.poll(colours).toEqual({ drawn: dark, paper: dark });
  await openMenu(visit, /^Account/);
  await page.getByRole('menuitemradio', { name: 'Theme: light' }).click();
  await expect.poll(colours).toEqual({ drawn: light, paper: light });
  expect(visit.takeFaults()).toEqual([]);
});
