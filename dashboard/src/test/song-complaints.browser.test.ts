import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formatClock } from '../format.ts';
import { LANE_HEIGHTS_PX } from '../timeline/lanes.ts';
import { toPixels } from '../timeline/viewport.ts';
import { goTo, hasSidewaysScroll, openMenu, seekTo } from './page-actions.ts';
import { signIn } from './sign-in.ts';
import { expectAccessible, openVisit, type Visit } from './visit.ts';

/** User complaints about the song page, each as a regression test from the user's side. */

const SAMPLES = new URL('../../../examples/sample-song/', import.meta.url);
const SONG = fileURLToPath(new URL('two-doors-down.mp3', SAMPLES));

let visit: Visit;
beforeAll(async () => {
  visit = await openVisit({ width: 1440, height: 900, colorScheme: 'light' });
  await visit.page.addInitScript(collectMedia);
  await signIn(visit, 'song-complaints@example.com');
  await visit.page.getByLabel('Audio files').first().setInputFiles(SONG);
  await visit.page.getByText('1 done').waitFor();
  await visit.page.getByRole('button', { name: 'Close the uploads' }).click();
});
afterAll(() => visit.context.close());
afterEach(async () => {
  expect(visit.takeFaults()).toEqual([]);
  expect(await hasSidewaysScroll(visit)).toBe(false);
});

async function openSong(): Promise<void> {
  await goTo(visit, 'Library');
  await visit.page.getByRole('link', { name: 'Two Doors Down' }).first().click();
  await visit.page.getByTestId('timeline').waitFor();
}

it('Space plays and does not scroll', async () => {
  await openSong();
  const { page } = visit;
  await page.setViewportSize({ width: 1440, height: 500 });
  // Space would press a focused button instead.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Space');
  const transport = page.getByRole('region', { name: 'Transport' });
  await transport.getByRole('button', { name: 'Pause' }).waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('a held key pauses once but zooms on, and AltGr types the bracket that skips a section', async () => {
  const { page } = visit;
  const transport = page.getByRole('region', { name: 'Transport' });
  // Playwright reports a second press without a release as a repetition.
  await page.keyboard.down('Space');
  await page.keyboard.down('Space');
  await page.keyboard.up('Space');
  await transport.getByRole('button', { name: 'Play', exact: true }).waitFor();
  const endSeconds = async () => Number(await page.getByTestId('timeline').getAttribute('data-end'));
  const wholeSeconds = await endSeconds();
  await page.keyboard.down('+');
  await expect.poll(endSeconds).toBeLessThan(wholeSeconds);
  const closerSeconds = await endSeconds();
  await page.keyboard.down('+');
  await expect.poll(endSeconds).toBeLessThan(closerSeconds);
  await page.keyboard.up('+');
  // German keyboards have brackets on AltGr, which Windows reports as Ctrl and Alt.
  const altGraph = { ctrlKey: true, altKey: true, modifierAltGraph: true };
  await page.evaluate(
    (modifiers) => window.dispatchEvent(new KeyboardEvent('keydown', { key: ']', ...modifiers })),
    altGraph,
  );
  await expect.poll(() => transport.getByLabel('Time').textContent()).not.toMatch(/^0:0[0-3]/);
});

it('a song that has to wait for the service says so, and loads on a retry', async () => {
  await openSong();
  const { page } = visit;
  const address = page.url();
  await page.goto('/');
  const results = '**/v1/analyses/*/result?*';
  const headers = { 'retry-after': '60' };
  await page.route(results, (route) =>
    route.fulfill({ status: 429, headers, json: { detail: 'Too many requests.', code: 'rate_limited' } }),
  );
  await page.goto(address);
  await page.getByText('The service is slow or has too many requests.').waitFor({ timeout: 30_000 });
  await expectAccessible(page);
  await page.unroute(results);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByTestId('timeline').waitFor({ timeout: 30_000 });
  expect(visit.takeFaults().join()).toMatch(/^console: .*429/);
});

it('on a phone the buttons of a number are on its line', async () => {
  await openSong();
  const { page } = visit;
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of [/halve the tempo/, /double the tempo/, 'Correct the key', 'Correct the meter']) {
    const button = page.getByRole('button', { name });
    const value = page.locator('.facts dd').filter({ has: button }).locator('.fact-value');
    const [buttonBox, valueBox] = [(await button.boundingBox())!, (await value.boundingBox())!];
    const middle = buttonBox.y + buttonBox.height / 2;
    expect(middle, String(name)).toBeGreaterThan(valueBox.y);
    expect(middle, String(name)).toBeLessThan(valueBox.y + valueBox.height);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('on a tablet the four cards of a song fill two columns', async () => {
  await openSong();
  const { page } = visit;
  await page.setViewportSize({ width: 1024, height: 768 });
  const cards = await page.locator('.overview .card').evaluateAll((all) =>
    all.map((card) => {
      const { left, top } = card.getBoundingClientRect();
      return { left, top };
    }),
  );
  // Two columns with two cards each.
  expect(cards).toHaveLength(4);
  expect(new Set(cards.map(({ left }) => left)).size).toBe(2);
  expect(new Set(cards.map(({ top }) => top)).size).toBe(2);
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('screen readers do not read out the position on every beat', async () => {
  for (const name of ['Time', 'Bar and beat', 'Chord']) {
    const words = visit.page.locator('.place').getByLabel(name, { exact: true });
    expect(await words.getAttribute('aria-live'), name).toBe('off');
  }
});

it('panning by touch from near a boundary corrects nothing, and a right click does not seek', async () => {
  const { page } = visit;
  const timeline = page.getByTestId('timeline');
  const [view, song] = await Promise.all([
    timeline.evaluate(({ dataset }) => ({
      startSeconds: Number(dataset.start),
      endSeconds: Number(dataset.end),
    })),
    page.evaluate(async () => {
      const answer = await fetch(`/v1${window.location.pathname}/result`);
      return (await answer.json()) as { result: { structure: { sections: { start_seconds: number }[] } } };
    }),
  ]);
  const box = (await timeline.boundingBox())!;
  const boundarySeconds = song.result.structure.sections[1]!.start_seconds;
  const x = box.x + toPixels(view, boundarySeconds, box.width);
  const y = box.y + LANE_HEIGHTS_PX.ruler + LANE_HEIGHTS_PX.sections / 2;
  const place = () => page.getByLabel('Time', { exact: true }).textContent();
  const before = await place();
  await page.mouse.click(x + 200, box.y + 100, { button: 'right' });
  expect(await place()).toBe(before);
  const corrected: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && corrected.push(request.url()));
  const finger = await visit.context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [{ x, y }]);
  for (const rightPx of [10, 20, 30, 40]) await touch('touchMove', [{ x: x + rightPx, y }]);
  await touch('touchEnd', []);
  await page.evaluate(() => fetch(`/v1${window.location.pathname}`));
  expect(corrected).toEqual([]);
});

it('a correction can be reverted long after its toast is gone', async () => {
  const { page } = visit;
  const tempo = page.locator('.facts > div').filter({ hasText: 'Tempo' });
  await tempo.getByRole('button', { name: 'double the tempo' }).click();
  await tempo.getByText('corrected; heard 112').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Corrections' }).click();
  await page.getByRole('menuitem', { name: 'Revert tempo to what was heard' }).click();
  await tempo.getByText('sure').waitFor();
  expect(await tempo.textContent()).toContain('112.00 BPM');
  expect(await page.getByRole('button', { name: 'Corrections' }).count()).toBe(0);
});

it('a section is split at the playhead, its second part renamed, and both can be reverted', async () => {
  const { page } = visit;
  const names = page.getByLabel(/^Name of the section at /);
  const sections = () =>
    names.evaluateAll((selects) =>
      selects.map(
        (select) => `${select.ariaLabel!.split(' ').at(-1)} ${(select as HTMLSelectElement).value}`,
      ),
    );
  const heard = await sections();
  await seekTo(visit, 0.4);
  const clock = (await page.getByLabel('Time', { exact: true }).textContent())!.split(' ')[0]!;
  const whole = (await page.getByLabel('Bar and beat').textContent())!.split(' · ')[1]!;
  await page.getByRole('button', { name: 'Split at the playhead' }).click();
  await expect.poll(sections).toHaveLength(heard.length + 1);
  const split = await sections();
  const index = split.indexOf(`${clock} ${whole}`);
  expect(split.toSpliced(index, 1)).toEqual(heard);
  expect(split[index - 1]).toMatch(new RegExp(` ${whole}$`));
  await names.nth(index).selectOption('bridge');
  const renamed = split.with(index, `${clock} bridge`);
  await expect.poll(sections).toEqual(renamed);
  await page.reload();
  await expect.poll(sections).toEqual(renamed);
  await page.getByRole('button', { name: 'Corrections' }).click();
  await page.getByRole('menuitem', { name: 'Revert sections to what was heard' }).click();
  await expect.poll(sections).toEqual(heard);
});

it('audio that fails to load is not reported as deleted, and can be retried', async () => {
  const { page } = visit;
  await page.route('**/artifacts/source', (route) => route.abort());
  await page.reload();
  const transport = page.getByRole('region', { name: 'Transport' });
  await transport.getByText('The audio could not be loaded').waitFor();
  expect(await page.getByText('not kept').count()).toBe(0);
  await page.unroute('**/artifacts/source');
  await transport.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => transport.getByText('The audio could not be loaded').count()).toBe(0);
  expect(visit.takeFaults().filter((fault) => !fault.includes('artifacts/source'))).toEqual([]);
});

it('an MP3 is not reported as made from a lossy file', async () => {
  const { page } = visit;
  await page.getByRole('tab', { name: 'Mastering' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Mastering' });
  await panel.getByText('Bandwidth').waitFor();
  expect(await panel.textContent()).not.toMatch(/lossy/i);
});

it('a part of the page that cannot be loaded says so, and the rest stays', async () => {
  const { page } = visit;
  await page.route('**/assets/data-tab-*', (route) => route.abort());
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByText('This part of the page could not be loaded').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Two Doors Down' }).waitFor();
  await page.getByTestId('timeline').waitFor();
  await expectAccessible(page);
  await page.route('**/assets/billing-page-*', (route) => route.abort());
  await page.getByRole('navigation').getByRole('link', { name: 'Usage and billing' }).click();
  await page.getByText('This part of the page could not be loaded').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Library', exact: true }).waitFor();
  // Both failed loads are in the console, each logged by the browser and by the page.
  expect(visit.takeFaults().join('\n')).toMatch(/data-tab[\s\S]*billing-page/);
  await page.unroute('**/assets/data-tab-*');
  await page.unroute('**/assets/billing-page-*');
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Usage and billing' }).waitFor();
});

it('a new link stays visible while another one is revoked, which asks first', async () => {
  await openSong();
  const { page } = visit;
  await page.getByRole('tab', { name: 'Share' }).click();
  const make = page.getByRole('button', { name: 'Make a link' });
  const links = page.getByRole('region', { name: 'Links' });
  await make.click();
  const first = await page.getByText(/\/shared\//).textContent();
  await make.click();
  await links.getByRole('row').nth(2).waitFor();
  const shown = page.getByText(/\/shared\//);
  await expect.poll(() => shown.textContent()).not.toBe(first);
  const revokeLast = async () => {
    await links.getByRole('button', { name: 'Revoke' }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  };
  // The list has the newest first.
  await revokeLast();
  await links.getByText(/^revoked/).waitFor();
  await shown.waitFor();
  await revokeLast();
  await shown.waitFor({ state: 'detached' });
});

it('without clipboard access, a text can be copied by hand', async () => {
  const { page } = visit;
  // As on a page loaded over plain HTTP from another machine.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = await page.getByText(/\/shared\//).textContent();
  const asked = page.waitForEvent('dialog');
  const pressed = page.getByRole('button', { name: 'Copy', exact: true }).click();
  const dialog = await asked;
  expect(dialog.defaultValue()).toBe(link);
  await dialog.dismiss();
  await pressed;
});

it('the sample of the front page has the sections it was composed with, and seeking works', async () => {
  const truth = JSON.parse(await readFile(new URL('truth.json', SAMPLES), 'utf8')) as {
    sections: { start: number; label: string }[];
  };
  const stranger = await openVisit({ width: 1440, height: 900, colorScheme: 'light' });
  try {
    await stranger.page.goto('/');
    const list = stranger.page.getByRole('button', { name: /^Go to / });
    await list.first().waitFor();
    const shown = await list.evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label')),
    );
    expect(shown).toEqual(
      truth.sections.map(({ start, label }) => `Go to ${label} at ${formatClock(start)}`),
    );
    await seekTo(stranger, 0.4);
    expect(await stranger.page.getByLabel('Bar and beat').textContent()).toMatch(/bar 1\d, beat \d · chorus/);
    expect(stranger.takeFaults()).toEqual([]);
  } finally {
    await stranger.context.close();
  }
});

describe('two songs at once', () => {
  it('play with their bars aligned, and the fader goes from one to the other', async () => {
    const { page } = visit;
    await goTo(visit, 'Library');
    const second = fileURLToPath(new URL('night-bus.mp3', SAMPLES));
    await page.getByLabel('Audio files').first().setInputFiles(second);
    await page.getByText('1 done').waitFor();
    await page.getByRole('button', { name: 'Close the uploads' }).click();
    await openSong();
    await page.getByRole('tab', { name: 'Mix' }).click();
    await page.getByRole('button', { name: 'Play both, this song and Night Bus' }).first().click();
    const both = page.getByRole('region', { name: 'Playing both' });
    await both.getByText('9.7 % slower').waitFor();
    // The second song, at 124 BPM, is played at 112 / 124 of its speed.
    await page.waitForFunction(() => {
      const [first, other] = (globalThis as unknown as { media: HTMLMediaElement[] }).media;
      return first && other && !first.paused && !other.paused && first.currentTime > 1;
    });
    const rates = await page.evaluate(() =>
      (globalThis as unknown as { media: HTMLMediaElement[] }).media.map(({ playbackRate }) => playbackRate),
    );
    // To 0.005: both tempos are detected.
    expect(rates[1]! / rates[0]!).toBeCloseTo(112 / 124, 2);
    const fader = both.getByLabel('Fader');
    await fader.focus();
    await page.keyboard.press('Home');
    const volumes = await page.evaluate(() =>
      (globalThis as unknown as { media: HTMLMediaElement[] }).media.map(({ volume }) => volume),
    );
    expect(volumes).toEqual([1, 0]);
    await expectAccessible(page);
    await both.getByRole('button', { name: 'Stop' }).click();
    await both.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Transport' }).getByRole('button', { name: 'Pause' }).click();
  });

  it('while another song plays, the page keeps the position of its own, and its bars cannot be corrected', async () => {
    const { page } = visit;
    const transport = page.getByRole('region', { name: 'Transport' });
    const time = transport.getByLabel('Time');
    await page.getByTestId('timeline').click({ position: { x: 700, y: 8 } });
    const before = await time.textContent();
    expect(before).not.toMatch(/^0:00/);
    await page.getByRole('button', { name: 'Play Night Bus' }).first().click();
    await page.waitForFunction(() => {
      const [first] = (globalThis as unknown as { media: HTMLMediaElement[] }).media;
      return first && !first.paused && first.currentTime > 1;
    });
    expect(await time.textContent()).toBe(before);
    await transport.getByText('Night Bus is in the player').waitFor();
    expect(await page.getByRole('button', { name: 'This is the one' }).isDisabled()).toBe(true);
    // Saving its details does not load its song into the player either.
    await openMenu(visit, 'More actions');
    await page.getByRole('menuitem', { name: 'Edit details' }).click();
    const saved = page.waitForResponse(/\/v1\/analyses\/job_\w+$/);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await saved;
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    expect(await time.textContent()).toBe(before);
    await transport.getByText('Night Bus is in the player').waitFor({ timeout: 5_000 });
    // The page's Play button continues its own song from where it was left.
    await transport.getByRole('button', { name: 'Play', exact: true }).click();
    await transport.getByRole('button', { name: 'Pause' }).click();
    expect(await page.getByText('is in the player').count()).toBe(0);
    // The minute and the tens of seconds: it has played on for a moment.
    expect(await time.textContent()).toMatch(new RegExp(`^${before!.slice(0, 3)}`));
    expect(await page.getByRole('button', { name: 'This is the one' }).isDisabled()).toBe(false);
  });

  it('a playing song continues when its page is opened from that of the other', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Play Night Bus' }).first().click();
    await page.waitForFunction(() => {
      const [first] = (globalThis as unknown as { media: HTMLMediaElement[] }).media;
      return first && !first.paused && first.currentTime > 1;
    });
    await page.getByRole('link', { name: 'Night Bus' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Night Bus' }).waitFor();
    await page.getByTestId('timeline').waitFor();
    const heard = await page.evaluate(() => {
      const [first] = (globalThis as unknown as { media: HTMLMediaElement[] }).media;
      return { paused: first!.paused, fromItsStart: first!.currentTime < 1 };
    });
    expect(heard).toEqual({ paused: false, fromItsStart: false });
    await page.getByRole('region', { name: 'Transport' }).getByRole('button', { name: 'Pause' }).click();
  });
});

/** Runs in the page before its scripts: collects its audio elements in order of creation. */
function collectMedia(): void {
  const page = globalThis as unknown as { media: HTMLMediaElement[]; Audio: typeof Audio };
  page.media = [];
  const Plain = page.Audio;
  page.Audio = class extends Plain {
    constructor(source?: string) {
      super(source);
      page.media.push(this);
    }
  };
}
