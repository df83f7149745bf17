import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from './sign-in.ts';
import { expectAccessible, type Look, openVisit, type Visit } from './visit.ts';
import { startReceiver } from './webhook-receiver.ts';

/** One person's first day, from the demo to the door, by every kind of screen. */

const SONG = fileURLToPath(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));

const LOOKS: [string, Look][] = [
  ['desktop, light', { width: 1280, height: 900, colorScheme: 'light' }],
  ['desktop, dark', { width: 1280, height: 900, colorScheme: 'dark' }],
  ['phone, light', { width: 390, height: 844, colorScheme: 'light' }],
  ['phone, dark', { width: 390, height: 844, colorScheme: 'dark' }],
];

describe.each(LOOKS)('%s', (name, look) => {
  let visit: Visit;
  const receiver = { url: '', events: [] as string[] };
  beforeAll(async () => {
    Object.assign(receiver, await startReceiver());
    visit = await openVisit(look);
    await visit.page.addInitScript(countClicks);
  });
  afterAll(() => visit.context.close());
  afterEach(async () => {
    expect(visit.takeFaults()).toEqual([]);
    await expectAccessible(visit.page);
    expect(await hasSidewaysScroll(visit)).toBe(false);
  });

  it('shows a sample song to a stranger, with a real result that plays', async () => {
    const { page } = visit;
    await page.goto('/');
    await page.getByText('A sample: Two Doors Down').waitFor();
    await page
      .getByRole('definition')
      .filter({ hasText: /1\d\d\.\d\d BPM/ })
      .waitFor();
    await listen(visit);
    await seeWholePage(visit);
    await page.getByRole('heading', { name: 'Quality' }).waitFor();
  });

  // The demo is limited per client and hour, and all of these visits are one client.
  if (name === 'desktop, light' || name === 'phone, dark') {
    it("hears a stranger's own song", async () => {
      const { page } = visit;
      await page.getByLabel('Audio file').setInputFiles(SONG);
      await page.getByRole('heading', { name: 'two-doors-down.mp3' }).waitFor();
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    });
  }

  it('signs in by a code', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').waitFor();
    await expectAccessible(page);
    await signIn(visit, `${name.replace(', ', '-')}@example.com`);
  });

  it('adds a webhook and tests it', async () => {
    const { page } = visit;
    await open(visit, 'Webhooks');
    await page.getByLabel('Address that is called').fill(receiver.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText(/whsec_/).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('row').filter({ hasText: 'webhook.test' }).getByText('delivered').waitFor();
    expect(receiver.events).toEqual(['webhook.test']);
  });

  it('uploads a song and follows it live to the end', async () => {
    const { page } = visit;
    await open(visit, 'Analyses');
    const stages: string[] = [];
    await page.exposeFunction('noteStage', (stage: string) => stages.push(stage));
    await page.evaluate(watchStages);
    await page.getByLabel('Audio files').setInputFiles(SONG);
    await page.getByRole('cell', { name: 'two-doors-down.mp3' }).waitFor();
    await expect.poll(() => stages, { timeout: 120_000 }).toContain('Done');
    expect(stages).toContain('Uploading');
    expect(new Set(stages).size).toBeGreaterThan(3);
    await page.getByRole('row').filter({ hasText: 'two-doors-down.mp3' }).getByText('completed').waitFor();
  });

  it('plays the song with the click track and follows its chords', async () => {
    const { page } = visit;
    await page.getByRole('cell', { name: 'two-doors-down.mp3' }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Two Doors Down' }).waitFor();
    await listen(visit);
    await page.getByRole('button', { name: 'Zoom in' }).click();
  });

  it('is told the truth, and keeps it beside the estimate', async () => {
    const { page } = visit;
    await seeWholePage(visit);
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Is it right?' }) });
    await card.getByLabel('True tempo').fill('56');
    await card.getByLabel('True key').selectOption('E minor');
    await card.getByRole('button', { name: 'Take the playhead' }).click();
    await card.getByRole('button', { name: 'Keep the correction' }).click();
    await card.getByText('56 BPM, E minor, first bar at').waitFor();
    await page.reload();
    await seeWholePage(visit);
    expect(await card.getByLabel('True tempo').inputValue()).toBe('56');
    await card.getByText(/We heard 1\d\d\.\d\d BPM, G major/).waitFor();
  });

  it('shares the report with a stranger, and takes it back', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = await page.getByText(/\/shared\/[\w-]{43}/).textContent();
    const stranger = await openVisit(look);
    await stranger.page.goto(new URL(link ?? '').pathname);
    await stranger.page.getByRole('heading', { level: 1, name: 'Two Doors Down' }).waitFor();
    await expectAccessible(stranger.page);
    expect(stranger.takeFaults()).toEqual([]);
    await page.getByRole('region', { name: 'Links' }).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('revoked').waitFor();
    const answer = await stranger.page.reload();
    expect(answer?.status()).toBe(404);
    await stranger.page.getByText('This link leads nowhere').waitFor();
    await stranger.context.close();
  });

  it('compares two songs', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByLabel('Second song').selectOption({ label: 'two-doors-down.mp3' });
    await page.getByRole('cell', { name: 'the same' }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Two Doors Down' }).waitFor();
    await seeWholePage(visit);
  });

  it('downloads an export', async () => {
    const { page } = visit;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'JAMS' }).click(),
    ]);
    const jams = JSON.parse(await readFile(await download.path(), 'utf8')) as { annotations: unknown[] };
    expect(jams.annotations.length).toBeGreaterThan(0);
  });

  it('makes an API key and sees it once', async () => {
    const { page } = visit;
    await open(visit, 'API keys');
    await page.getByLabel('Name').fill('nightly');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/es_live_\w{36}/).waitFor();
    await page.getByRole('cell', { name: 'nightly' }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'nightly' }).waitFor();
    expect(await page.getByText(/es_live_\w{36}/).count()).toBe(0);
  });

  it('invites a colleague', async () => {
    const { page } = visit;
    await open(visit, 'Team');
    await page.getByLabel('Invite by e-mail').fill('colleague@example.com');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('row').filter({ hasText: 'colleague@example.com' }).getByText('pending').waitFor();
  });

  it('upgrades in the sandbox', async () => {
    const { page } = visit;
    await open(visit, 'Usage and billing');
    await page.getByRole('button', { name: 'Move to pro' }).click();
    await page.getByRole('button', { name: 'Pay with play money' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Pay with play money' }).click();
    await page.getByRole('heading', { name: 'Usage and billing' }).waitFor();
    await page.getByRole('definition').filter({ hasText: 'pro' }).waitFor();
  });

  it('reads of the delivery of the analysis and resends it', async () => {
    const { page } = visit;
    await open(visit, 'Webhooks');
    const outcomes = page.getByRole('row').filter({ hasText: 'analysis.completed' });
    await outcomes.getByText('delivered').waitFor();
    await outcomes.getByRole('button', { name: 'Attempts' }).click();
    await page.getByRole('region', { name: 'Attempts of' }).getByText('204').waitFor();
    await page.getByText('"type": "analysis.completed"').waitFor();
    await outcomes.getByRole('button', { name: 'Resend' }).click();
    await expect
      .poll(() => receiver.events.filter((type) => type === 'analysis.completed').length, {
        timeout: 120_000,
      })
      .toBe(2);
    await outcomes.nth(1).waitFor();
  });

  it.each([
    ['Audit log', 'api_key.create'],
    ['Profile', 'Mail me'],
  ])('reads the page %s', async (link, words) => {
    await open(visit, link);
    await visit.page.getByText(words).first().waitFor();
  });

  it('signs out', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('no account needed').waitFor();
    await page.goto('/keys');
    await page.getByLabel('E-mail address').waitFor();
  });
});

/** Plays with the click track until clicks were heard and the chord and the bar are told, then stops. */
async function listen({ page }: Visit): Promise<void> {
  const clicks = () => page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks);
  const before = await clicks();
  await page.getByRole('button', { name: 'Click track' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(
    (count) => (globalThis as unknown as { clicks: number }).clicks >= count + 3,
    before,
  );
  await page.waitForFunction(() =>
    /bar \d+, beat/.test(document.querySelector('.player output')?.textContent ?? ''),
  );
  await page.waitForFunction(() => /[A-G]/.test(document.querySelector('.chord-now')?.textContent ?? ''));
  await page.getByRole('button', { name: 'Pause' }).click();
}

/** Scrolls to the end, so that everything is loaded that waits to be seen. */
async function seeWholePage({ page }: Visit): Promise<void> {
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await page.waitForFunction(() => {
    window.scrollBy(0, 400);
    return (
      document.querySelectorAll('.unseen, [aria-busy="true"]').length === 0 &&
      window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1
    );
  });
}

async function open({ page }: Visit, link: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: link }).click();
  await page.getByRole('heading', { level: 1, name: link }).waitFor();
}

/** A page wider than the screen is wrong on a phone; tables and pictures scroll inside their own boxes. */
function hasSidewaysScroll({ page }: Visit): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

/** Runs in the page before its scripts: how often the click track has asked for a tone. */
function countClicks(): void {
  const page = globalThis as unknown as { clicks: number };
  page.clicks = 0;
  const create = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function (this: AudioContext) {
    page.clicks += 1;
    return create.call(this);
  };
}

/** Runs in the page: tells every stage a person could have read. */
function watchStages(): void {
  const { noteStage } = globalThis as unknown as { noteStage: (stage: string) => void };
  new MutationObserver(() => {
    for (const stage of document.querySelectorAll('.upload .soft')) noteStage(stage.textContent ?? '');
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}
