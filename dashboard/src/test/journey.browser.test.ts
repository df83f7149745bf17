import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { goTo, hasSidewaysScroll, LOOKS, listen, openMenu } from './page-actions.ts';
import { signIn } from './sign-in.ts';
import { expectAccessible, openVisit, type Visit } from './visit.ts';
import { startReceiver } from './webhook-receiver.ts';

/** A user's first visit from the demo to signing out, on each kind of screen. */

const SONG = fileURLToPath(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));

describe.each(LOOKS)('%s', (name, look) => {
  let visit: Visit;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    receiver = await startReceiver();
    visit = await openVisit(look);
    await visit.page.addInitScript(countClicks);
  });
  afterAll(() => visit.context.close());
  afterEach(async () => {
    expect(visit.takeFaults()).toEqual([]);
    await expectAccessible(visit.page);
    expect(await hasSidewaysScroll(visit)).toBe(false);
  });

  it('shows a visitor a sample song with a real result that plays', async () => {
    const { page } = visit;
    await page.goto('/');
    await page.getByRole('heading', { name: 'A sample: Two Doors Down' }).waitFor();
    await page.getByRole('definition').filter({ hasText: '112.00 BPM' }).waitFor();
    await listen(visit);
    await page.getByRole('heading', { name: 'For musicians' }).waitFor();
  });

  // The demo is limited per client and hour, and all these visits come from one address.
  if (name === 'desktop, light' || name === 'phone, dark') {
    it("analyses a visitor's own song without an account, shows it after a reload, and plays it when it is chosen again", async () => {
      const { page } = visit;
      const silent = page.getByText('The audio was not kept');
      await page.getByLabel('Audio file').setInputFiles(SONG);
      await page.getByRole('heading', { name: 'two-doors-down.mp3' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'two-doors-down.mp3' }).waitFor();
      await page.getByTestId('timeline').waitFor();
      await silent.first().waitFor();
      await page.getByLabel('Audio file').setInputFiles(SONG);
      await page.getByRole('status').getByText('two-doors-down.mp3').waitFor();
      await page.getByRole('status').getByText('two-doors-down.mp3').waitFor({ state: 'detached' });
      await expect.poll(() => silent.count()).toBe(0);
      await page.getByRole('heading', { name: 'two-doors-down.mp3' }).waitFor();
    });
  }

  it('signs in with a code', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').waitFor();
    await expectAccessible(page);
    await signIn(visit, `${name.replace(', ', '-')}@example.com`);
    await page.getByRole('heading', { name: 'Your library is empty' }).waitFor();
  });

  it('adds a webhook and tests it', async () => {
    const { page } = visit;
    await goTo(visit, 'Webhooks');
    await page.getByLabel('Address that is called').fill(receiver.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText(/whsec_/).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('row').filter({ hasText: 'webhook.test' }).getByText('delivered').waitFor();
    expect(receiver.events).toEqual(['webhook.test']);
  });

  it('uploads a song and follows it live to the end, also from another page', async () => {
    const { page } = visit;
    await goTo(visit, 'Library');
    const stages: string[] = [];
    await page.exposeFunction('noteStage', (stage: string) => stages.push(stage));
    await page.evaluate(watchStages);
    await page.getByLabel('Audio files').first().setInputFiles(SONG);
    const tray = page.getByRole('region', { name: 'Uploads' });
    await tray.getByText('two-doors-down.mp3').waitFor();
    await goTo(visit, 'Team');
    await tray.getByText('1 done').waitFor();
    expect(stages).toContain('Uploading');
    // The upload and at least three stages of the analysis; which ones are seen depends on the speed of the machine.
    expect(new Set(stages).size).toBeGreaterThan(3);
    await tray.getByRole('button', { name: 'Close the uploads' }).click();
    await goTo(visit, 'Library');
    await page.getByRole('row').filter({ hasText: 'Two Doors Down' }).getByText('112.0').waitFor();
  });

  it('refuses a file that is not audio before it creates a job', async () => {
    const { page } = visit;
    const buffer = Buffer.from('<h1>not a song</h1>');
    await page
      .getByLabel('Audio files')
      .first()
      .setInputFiles({ name: 'notes.mp3', mimeType: 'audio/mpeg', buffer });
    await page.getByText('This is not an audio file.').waitFor();
    await page.getByRole('button', { name: 'Close the uploads' }).click();
    expect(await page.getByRole('link', { name: 'notes' }).count()).toBe(0);
  });

  it('plays the song with the click track, follows its chords, and zooms in', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Two Doors Down' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Two Doors Down' }).waitFor();
    await listen(visit);
    const timeline = page.getByTestId('timeline');
    const endSeconds = async () => Number(await timeline.getAttribute('data-end'));
    const beforeSeconds = await endSeconds();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(endSeconds).toBeLessThan(beforeSeconds);
  });

  it('doubles the tempo with one press, in the library too, and halves it back', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: /double the tempo/ }).click();
    const tempo = page.getByRole('definition').filter({ hasText: 'BPM' }).first();
    // Twice the unrounded tempo: the last digit may differ from twice the displayed one.
    await tempo.getByText(/^224\.0[01] BPM/).waitFor();
    await tempo.getByText('heard 112.00').waitFor();
    await goTo(visit, 'Library');
    await page.getByRole('row').filter({ hasText: 'Two Doors Down' }).getByText('224.0').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: /halve the tempo/ }).click();
    await tempo.getByText('112.00 BPM').waitFor();
    await tempo.getByText(/% sure/).waitFor();
  });

  it('writes a lead sheet for a capo', async () => {
    const { page } = visit;
    await page.getByRole('tab', { name: 'Chords' }).click();
    const first = page.locator('.sheet-chord').first();
    await first.getByText('Em', { exact: true }).waitFor();
    await page.getByLabel('Capo').selectOption('2');
    // With a capo on the second fret, E minor is fingered as D minor.
    await first.getByText('Dm', { exact: true }).waitFor();
    await page.getByLabel('Capo').selectOption('0');
  });

  it('shares the report with a visitor, and revokes the link', async () => {
    const { page } = visit;
    await page.getByRole('tab', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = await page.getByText(/\/shared\/[\w-]{43}/).textContent();
    const stranger = await openVisit(look);
    await stranger.page.goto(new URL(link ?? '').pathname);
    await stranger.page.getByRole('heading', { level: 1, name: 'Two Doors Down' }).waitFor();
    await expectAccessible(stranger.page);
    expect(stranger.takeFaults()).toEqual([]);
    await page.getByRole('region', { name: 'Links' }).getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('revoked').waitFor();
    const response = await stranger.page.reload();
    expect(response?.status()).toBe(404);
    await stranger.page.getByText('This link leads nowhere').waitFor();
    await stranger.context.close();
  });

  it('says that the audio is kept, and deletes it after confirmation; the song stays', async () => {
    const { page } = visit;
    await page.getByText('· audio kept').waitFor();
    await openMenu(visit, 'More actions');
    await page.getByRole('menuitem', { name: 'Delete the audio' }).click();
    await page.getByRole('button', { name: 'Delete the audio' }).click();
    await page.getByText('· audio not kept').waitFor();
    await page.reload();
    await page.getByText('· audio not kept').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Two Doors Down' }).waitFor();
  });

  it('downloads an export', async () => {
    const { page } = visit;
    await openMenu(visit, 'Export');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'JAMS' }).click(),
    ]);
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
      file_metadata: { title: 'Two Doors Down' },
      annotations: expect.arrayContaining([expect.objectContaining({ namespace: 'chord' })]),
    });
  });

  it('downloads a format for several songs, with the one song', async () => {
    const { page } = visit;
    await openMenu(visit, 'Export');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Traktor (NML)' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('<COLLECTION ENTRIES="1">');
  });

  it('compares two songs', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('combobox', { name: 'Second song' }).fill('two do');
    await page.getByRole('option', { name: 'Two Doors Down' }).click();
    await page.getByRole('cell', { name: 'the same' }).waitFor();
  });

  it('puts a song into a crate', async () => {
    const { page } = visit;
    await goTo(visit, 'Library');
    await page.getByLabel('Select Two Doors Down').check();
    await openMenu(visit, 'Add to a crate');
    await page.getByRole('menuitem', { name: 'New crate' }).click();
    await page.getByRole('button', { name: 'Make the crate' }).click();
    await page.getByText(/1 song in Crate of/).waitFor();
  });

  it('creates an API key, which is shown once, and is asked before revoking it', async () => {
    const { page } = visit;
    await goTo(visit, 'API keys');
    await page.getByLabel('Name').fill('nightly');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/es_live_\w{36}/).waitFor();
    await page.getByRole('cell', { name: 'nightly' }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'nightly' }).waitFor();
    expect(await page.getByText(/es_live_\w{36}/).count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Revoke' }).waitFor();
  });

  it('invites a colleague', async () => {
    const { page } = visit;
    await goTo(visit, 'Team');
    await page.getByLabel('Invite by e-mail').fill('colleague@example.com');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('row').filter({ hasText: 'colleague@example.com' }).getByText('pending').waitFor();
  });

  it('upgrades in the sandbox', async () => {
    const { page } = visit;
    await goTo(visit, 'Usage and billing');
    await page.getByRole('button', { name: 'Move to Pro' }).click();
    await page.getByRole('button', { name: 'Pay with play money' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Pay with play money' }).click();
    await page.getByRole('heading', { name: 'Usage and billing' }).waitFor();
    await page.getByRole('definition').filter({ hasText: 'pro' }).waitFor();
  });

  it('shows the delivery of the analysis with its attempts, and resends it', async () => {
    const { page } = visit;
    await goTo(visit, 'Webhooks');
    const outcomes = page.getByRole('row').filter({ hasText: 'analysis.completed' });
    await outcomes.getByText('delivered').waitFor();
    await outcomes.getByText(receiver.url).waitFor();
    await outcomes.getByRole('button', { name: 'Attempts' }).click();
    await page.getByRole('region', { name: 'Attempts of' }).first().getByText('204').waitFor();
    await page.getByText('"type": "analysis.completed"').waitFor();
    await outcomes.first().getByRole('button', { name: 'Resend' }).click();
    await expect
      .poll(() => receiver.events.filter((type) => type === 'analysis.completed').length, {
        timeout: 120_000,
      })
      .toBe(2);
  });

  it.each([
    ['Audit log', 'api_key.create'],
    ['Profile and data', 'Mail me'],
  ])('shows the page %s', async (link, text) => {
    await goTo(visit, link);
    await visit.page.getByText(text).first().waitFor();
  });

  it('signs out', async () => {
    const { page } = visit;
    await openMenu(visit, /^Account/);
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('no account needed').waitFor();
    await page.goto('/keys');
    await page.getByLabel('E-mail address').waitFor();
  });
});

/** Runs in the page before its scripts: counts the tones of the click track. */
function countClicks(): void {
  const page = globalThis as unknown as { clicks: number };
  page.clicks = 0;
  const create = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function (this: AudioContext) {
    page.clicks += 1;
    return create.call(this);
  };
}

/** Runs in the page: reports every stage that the upload tray shows. */
function watchStages(): void {
  const { noteStage } = globalThis as unknown as { noteStage: (stage: string) => void };
  new MutationObserver(() => {
    for (const stage of document.querySelectorAll('.tray li .soft')) noteStage(stage.textContent ?? '');
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}
