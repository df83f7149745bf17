/**
 * Pictures of every room of the dashboard, light and dark, on a desktop and a phone: `npm run screenshots -- FOLDER`. Starts the
 * built service on a data folder of its own, so nothing of yours is touched.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const folder = resolve(process.argv[2] ?? 'screenshots');
const root = new URL('..', import.meta.url).pathname;
const songs = [
  ...process.argv.slice(3).map((path) => resolve(path)),
  // The newest is on top of the library, and the one whose page is shown.
  ...['night-bus', 'three-lamps', 'two-doors-down'].map((name) =>
    join(root, `examples/sample-song/${name}.mp3`),
  ),
];
const LOOKS = [
  ['desktop-light', { width: 1440, height: 900 }, 'light'],
  ['desktop-dark', { width: 1440, height: 900 }, 'dark'],
  ['phone-light', { width: 390, height: 844 }, 'light'],
  ['phone-dark', { width: 390, height: 844 }, 'dark'],
];

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-screenshots-'));
const service = spawn(process.execPath, [join(root, 'server/dist/earshot.js'), 'all'], {
  env: {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    REQUESTS_PER_MINUTE: '100000',
    // Pictures can wait: on a busy machine nothing is to be refused.
    SHED_LOOP_DELAY_MS: '60000',
    SHED_POOL_WAIT_MS: '60000',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const baseURL = await new Promise((found, failed) => {
  createInterface({ input: service.stdout }).on('line', (line) => {
    const url = /listens on (\S+)/.exec(line)?.[1];
    if (url) found(url);
  });
  service.once('close', () => failed(new Error('The service ended before it listened')));
});
await mkdir(folder, { recursive: true });
const executablePath =
  process.env.CHROMIUM_PATH ??
  ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});

try {
  const { storageState, crateId, songIds } = await prepare();
  for (const [look, viewport, colorScheme] of LOOKS) {
    const visitor = await browser.newContext({ baseURL, viewport, colorScheme });
    await shoot(await visitor.newPage(), look, 'front', '/', '.timeline');
    await shoot(await visitor.newPage(), look, 'sign-in', '/sign-in', 'form');
    await visitor.close();
    const member = await browser.newContext({ baseURL, viewport, colorScheme, storageState });
    const page = await member.newPage();
    await shoot(page, look, 'library', '/', '.song-row');
    const song = await page.locator('.song-link').first().getAttribute('href');
    await shoot(page, look, 'song', song ?? '/', '.timeline');
    for (const tab of ['Chords', 'Mastering', 'Mix', 'Data', 'Share']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.waitForTimeout(600);
      await page.screenshot({ path: join(folder, `${look}-song-${tab.toLowerCase()}.png`), fullPage: true });
    }
    for (const room of ['crates', 'keys', 'webhooks', 'team', 'billing', 'audit', 'profile']) {
      await shoot(page, look, room, `/${room}`, 'h1');
    }
    await shoot(page, look, 'crate', `/crates/${crateId}`, 'tbody tr, ol li');
    await shoot(page, look, 'compare', `/compare/${songIds[0]}/${songIds[1]}`, 'tbody tr');
    await member.close();
  }
} finally {
  await browser.close();
  service.kill('SIGTERM');
  await new Promise((done) => service.once('close', done));
  await rm(dataDir, { recursive: true, force: true });
}

/** Somebody with songs, a crate, a key, an endpoint and a guest; answers with their session. */
async function prepare() {
  const context = await browser.newContext({ baseURL });
  context.setDefaultTimeout(180_000);
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  const code = /(\d{6})/.exec((await page.getByText(/Your code is/).textContent()) ?? '')?.[1] ?? '';
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Audio files').first().setInputFiles(songs);
  await page.getByText(`${songs.length} done`).waitFor();
  await page.goto('/keys');
  await page.getByLabel('Name').fill('nightly import');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText(/es_live_\w{36}/).waitFor();
  await page.goto('/webhooks');
  await page.getByLabel('Address that is called').fill('https://example.com/hooks/earshot');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByText(/whsec_/).waitFor();
  const { crateId, songIds } = await page.evaluate(async () => {
    const read = async (path) => (await fetch(path)).json();
    const send = async (path, body) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    };
    const songIds = (await read('/v1/analyses')).map(({ id }) => id);
    const crate = await send('/v1/collections', { name: 'Friday, first hour', items: songIds.slice(0, 12) });
    await send('/v1/account/team/invitations', { email: 'grace@example.com', role: 'admin' });
    return { crateId: crate.id, songIds };
  });
  const storageState = await context.storageState();
  await context.close();
  return { storageState, crateId, songIds };
}

async function shoot(page, look, name, path, ready) {
  await page.goto(path);
  await page.locator(ready).first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.screenshot({ path: join(folder, `${look}-${name}.png`), fullPage: true });
}
