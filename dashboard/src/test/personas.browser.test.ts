import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { goTo, hasSidewaysScroll, openMenu } from './page-actions.ts';
import { canRunPython, type Language, runProgram } from './run-program.ts';
import { signIn } from './sign-in.ts';
import { makeSong } from './test-songs.ts';
import { expectAccessible, type Look, openVisit, type Visit } from './visit.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Five kinds of users at their tasks, on a desktop and on a phone. */

const DESKTOP: Look = { width: 1280, height: 900, colorScheme: 'light' };
const PHONE: Look = { width: 390, height: 844, colorScheme: 'dark' };
const SONG = fileURLToPath(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));

const visits: Visit[] = [];
async function startVisit(look: Look, session?: Visit): Promise<Visit> {
  const visit = await openVisit(look, session);
  visits.push(visit);
  return visit;
}
afterAll(() => Promise.all(visits.map(({ context }) => context.close())));
afterEach(async () => {
  for (const visit of visits) {
    expect(visit.takeFaults()).toEqual([]);
    await expectAccessible(visit.page);
    expect(await hasSidewaysScroll(visit)).toBe(false);
  }
});

/** Closes all windows, so that `afterEach` does not check them in the next tests. */
async function closeVisits(): Promise<void> {
  for (const { context } of visits.splice(0)) await context.close();
}

describe('a DJ', () => {
  const songs = Array.from({ length: 30 }, (_, index) =>
    makeSong({
      name: `set ${String(index + 1).padStart(2, '0')}.wav`,
      bpm: 100 + index,
      keynoteMidi: 60 + ((index * 7) % 12),
    }),
  );
  let dj: Visit;
  afterAll(closeVisits);

  it('uploads thirty songs, and is warned before a reload would lose some', async () => {
    dj = await startVisit(DESKTOP);
    await signIn(dj, 'dj@example.com');
    const { page } = dj;
    const dialogTypes: string[] = [];
    page.on('dialog', async (dialog) => {
      dialogTypes.push(dialog.type());
      await dialog.dismiss();
    });
    await page.getByLabel('Audio files').first().setInputFiles(songs);
    await page.getByText(/of 30 on the way/).waitFor();
    // Browsers warn only after a user gesture; dismissing the dialog cancels the reload.
    await page.getByLabel('Search the library').click();
    await page.evaluate(() => window.location.reload());
    await expect.poll(() => dialogTypes).toEqual(['beforeunload']);
    await page.getByText('30 done').waitFor({ timeout: 280_000 });
    await page.getByText('30 songs').waitFor();
    await page.getByRole('button', { name: 'Close the uploads' }).click();
  });

  it('sorts by key around the Camelot wheel, and the order survives a reload', async () => {
    const { page } = dj;
    await page.getByRole('columnheader', { name: 'Key' }).getByRole('button').click();
    const keys = async () =>
      (await page.locator('td[data-column=key]').allTextContents()).map((text) => parseInt(text, 10));
    await expect.poll(async () => isSorted(await keys())).toBe(true);
    await page.reload();
    await page.locator('.song-link').first().waitFor();
    expect(isSorted(await keys())).toBe(true);
  });

  it('finds a song by name with the keyboard alone, and doubles its tempo', async () => {
    const { page } = dj;
    await page.keyboard.press('/');
    await page.keyboard.type('set 05');
    await page.getByText('1 song found').waitFor();
    await page.getByLabel('Search the library').blur();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'set 05' }).waitFor();
    const tempo = page.getByRole('definition').filter({ hasText: 'BPM' }).first();
    const shown = async () => parseFloat((await tempo.textContent()) ?? '');
    const detectedBpm = await shown();
    await page.keyboard.press('d');
    // Both are rounded to 0.01 BPM: up to 0.005 off for the doubled tempo, and twice that for the detected one.
    await expect.poll(async () => Math.abs((await shown()) - 2 * detectedBpm)).toBeLessThan(0.015);
  });

  it('adds all to a crate, orders it harmonically with reasons, and exports it to rekordbox', async () => {
    const { page } = dj;
    await goTo(dj, 'Library');
    await page.getByText('30 songs').waitFor();
    await page.getByLabel('Select all songs that are loaded').check();
    await openMenu(dj, 'Add to a crate');
    await page.getByRole('menuitem', { name: 'New crate' }).click();
    await page.getByRole('button', { name: 'Make the crate' }).click();
    await page.getByText(/30 songs in Crate of/).waitFor();
    await page.getByRole('link', { name: /^Crate of/ }).click();
    await page.locator('.crate li').nth(29).waitFor();
    await openMenu(dj, 'Order');
    await page.getByRole('menuitem', { name: 'Harmonic' }).click();
    await page.getByText('Songs put in order.').waitFor();
    await page
      .getByText(/to \d+[AB], /)
      .first()
      .waitFor();
    await openMenu(dj, 'Export');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'rekordbox (XML)' }).click(),
    ]);
    const xml = await readFile(await download.path(), 'utf8');
    expect(xml.match(/<TRACK TrackID/g)).toHaveLength(30);
    expect(xml.match(/<TRACK Key=/g)).toHaveLength(30);
    // The doubled one: the other songs are at 129 BPM at most.
    const temposBpm = [...xml.matchAll(/AverageBpm="([\d.]+)"/g)].map(([, bpm]) => Number(bpm));
    expect(temposBpm.filter((bpm) => bpm > 190)).toHaveLength(1);
  });

  it('sees the crate on a phone in the same order', async () => {
    const { page } = dj;
    const titles = (visit: Visit) => visit.page.locator('.crate .song-title-line').allTextContents();
    const expected = await titles(dj);
    const phone = await startVisit(PHONE, dj);
    await phone.page.goto(new URL(page.url()).pathname);
    await phone.page.locator('.crate li').nth(29).waitFor();
    expect(await titles(phone)).toEqual(expected);
  });
});

describe.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('a musician, on a %s', (name, look) => {
  let musician: Visit;
  afterAll(closeVisits);

  it('loops the chorus at 70 % of its speed, after a reload on a slow network', async () => {
    musician = await startVisit(look);
    await signIn(musician, `musician-${name}@example.com`);
    const { page, context } = musician;
    await page.getByLabel('Audio files').first().setInputFiles(SONG);
    await page.getByText('1 done').waitFor();
    await page.getByRole('button', { name: 'Close the uploads' }).click();
    await page.getByRole('link', { name: 'Two Doors Down' }).first().click();
    await page.getByTestId('timeline').waitFor();
    // 50 kB/s, which is 400 kbit/s, and half a second of latency.
    const slow = await context.newCDPSession(page);
    await slow.send('Network.enable');
    await slow.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 500,
      downloadThroughput: 50_000,
      uploadThroughput: 50_000,
    });
    await page.reload();
    await page.getByTestId('timeline').waitFor();
    await slow.detach();
    const loop = page.getByRole('button', { name: /^Loop chorus/ }).first();
    await loop.focus();
    await page.keyboard.press('Enter');
    expect(await loop.getAttribute('aria-pressed')).toBe('true');
    const speed = page.getByLabel('Speed');
    await speed.focus();
    for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowLeft');
    await page.getByText('70 %').first().waitFor();
    const transport = page.getByRole('region', { name: 'Transport' });
    await transport.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForFunction(() => /chorus/.test(document.querySelector('.place-bar')?.textContent ?? ''));
    await transport.getByRole('button', { name: 'Pause' }).click();
  });

  it('transposes the chords for a capo on the third fret and prints the sheet', async () => {
    const { page } = musician;
    await page.getByRole('tab', { name: 'Chords' }).click();
    await page.getByLabel('Capo').selectOption('3');
    // With a capo on the third fret, E minor is fingered as C sharp minor.
    await page.locator('.sheet-chord').first().getByText('C#m', { exact: true }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.sheet').isVisible()).toBe(true);
    expect(await page.getByRole('region', { name: 'Transport' }).isVisible()).toBe(false);
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
  });
});

describe.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('a mastering engineer, on a %s', (name, look) => {
  let engineer: Visit;
  afterAll(closeVisits);

  it('compares the loudness of an album', async () => {
    engineer = await startVisit(look);
    await signIn(engineer, `engineer-${name}@example.com`);
    const { page } = engineer;
    const album = [0.1, 0.2, 0.4].map((amplitudeRatio, index) =>
      makeSong({
        name: `track ${index + 1}.wav`,
        bpm: 96 + index,
        keynoteMidi: 62,
        amplitudeRatio,
        clippedAtSeconds: index === 2 ? 6 : undefined,
      }),
    );
    await page.getByLabel('Audio files').first().setInputFiles(album);
    await page.getByText('3 done').waitFor();
    await page.getByRole('button', { name: 'Close the uploads' }).click();
    await page.getByRole('link', { name: 'track 1' }).first().click();
    await page.getByRole('link', { name: 'Compare' }).click();
    // With the keyboard: typed, and chosen with Enter.
    const second = page.getByRole('combobox', { name: 'Second song' });
    await second.fill('track 2');
    await page.getByRole('option', { name: 'track 2' }).waitFor();
    await second.press('Enter');
    const loudness = page
      .getByRole('row')
      .filter({ hasText: /^Loudness/ })
      .first();
    await loudness.waitFor();
    // Track 2 has twice the amplitude of track 1: +6.02 dB.
    await expect.poll(() => loudness.textContent()).toMatch(/\+6\.0 LU$/);
  });

  it('seeks to the clipped second by a click', async () => {
    const { page } = engineer;
    await goTo(engineer, 'Library');
    await page.getByRole('link', { name: 'track 3' }).first().click();
    await page.getByRole('tab', { name: 'Mastering' }).click();
    await page
      .getByRole('button', { name: /^clipping at 0:06/ })
      .first()
      .click();
    // Half a second before the clipping, which is between the two.
    await page
      .getByLabel('Time')
      .getByText('0:06')
      .or(page.getByLabel('Time').getByText('0:05'))
      .first()
      .waitFor();
  });
});

describe.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('a developer, on a %s', (name, look) => {
  let developer: Visit;
  afterAll(closeVisits);

  it('adds a webhook whose receiver fails, sees the status, and resends once it is fixed', async () => {
    const receiver = await startReceiver();
    receiver.status = 500;
    developer = await startVisit(look);
    await signIn(developer, `developer-${name}@example.com`);
    const { page } = developer;
    await goTo(developer, 'Webhooks');
    await page.getByLabel('Address that is called').fill(receiver.url);
    await page.keyboard.press('Enter');
    await page.getByText(/whsec_/).waitFor();
    await goTo(developer, 'Library');
    await page
      .getByLabel('Audio files')
      .first()
      .setInputFiles(makeSong({ name: 'probe.wav', bpm: 120, keynoteMidi: 60 }));
    await page.getByText('1 done').waitFor();
    await goTo(developer, 'Webhooks');
    const delivery = page.getByRole('row').filter({ hasText: 'analysis.completed' }).first();
    await expect
      .poll(async () => {
        await page.reload();
        await delivery.waitFor();
        return delivery.textContent();
      })
      .toContain('500');
    receiver.status = 204;
    await delivery.getByRole('button', { name: 'Resend' }).click();
    await page.getByRole('row').filter({ hasText: 'delivered' }).first().waitFor();
  });

  it('runs the code of the Data tab unchanged', async () => {
    const { page } = developer;
    await goTo(developer, 'API keys');
    await page.getByLabel('Name').fill('script');
    await page.getByRole('button', { name: 'Create' }).click();
    const key =
      /es_live_\w{36}/.exec((await page.getByText(/es_live_\w{36}/).textContent()) ?? '')?.[0] ?? '';
    await goTo(developer, 'Library');
    await page.getByRole('link', { name: 'probe' }).first().click();
    await page.getByRole('tab', { name: 'Data' }).click();
    const run = async (language: Language) => {
      await page.getByRole('button', { name: language }).click();
      return runProgram((await page.locator('pre code').first().textContent()) ?? '', language, key);
    };
    const { result } = JSON.parse(await run('curl'));
    // Detected, so not exactly the 120 BPM of the song.
    expect(result.bpm).toBeCloseTo(120, 0);
    const tempoAndKey = `${result.bpm} ${result.key_notation}\n`;
    expect(await run('TypeScript')).toBe(tempoAndKey);
    if (canRunPython()) expect(await run('Python')).toBe(tempoAndKey);
  });
});

describe.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('an admin, on a %s', (name, look) => {
  afterAll(closeVisits);

  it('invites a guest, changes their role, reads the audit log, and deletes the workspace', async () => {
    const admin = await startVisit(look);
    await signIn(admin, `admin-${name}@example.com`);
    await goTo(admin, 'Team');
    const newcomer = `new-${name}@example.com`;
    await admin.page.getByLabel('Invite by e-mail').fill(newcomer);
    await admin.page.keyboard.press('Enter');
    await admin.page.getByText('pending').waitFor();

    const guest = await startVisit(PHONE);
    await signIn(guest, newcomer);
    await admin.page.reload();
    await admin.page.getByLabel(`Role of ${newcomer}`).selectOption('viewer');
    await goTo(admin, 'Audit log');
    await admin.page.getByText('member.update_role').first().waitFor();

    await goTo(admin, 'Profile and data');
    const button = admin.page.getByRole('button', { name: 'Delete the workspace' });
    expect(await button.isDisabled()).toBe(true);
    await admin.page.getByLabel(/type its name/).fill(`admin-${name}'s workspace`);
    await button.click();
    await admin.page.getByText('no account needed').waitFor();
    // The session ended with the workspace; the front page requested the profile once.
    expect(admin.takeFaults()).toEqual([expect.stringContaining('401')]);
    // The guest is back in their own workspace, without an error.
    await guest.page.reload();
    await guest.page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
  });
});

function isSorted(values: readonly number[]): boolean {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length > 1 && known.every((value, index) => index === 0 || value >= known[index - 1]!);
}
