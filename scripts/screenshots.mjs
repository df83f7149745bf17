/**
 * Screenshots of every page of the dashboard, light and dark, desktop and phone: `npm run screenshots -- FOLDER [SONG …]`, limited to
 * some by `--rooms song-mix,compare`. `-- --docs` writes those of docs/images instead, with our own songs only (needs ffmpeg). The service
 * runs on a temporary data folder.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startService } from './start-service.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rooms: { type: 'string' }, docs: { type: 'boolean' } },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = values.docs ? join(root, 'docs/images') : resolve(positionals[0] ?? 'screenshots');
const chosen = values.rooms?.split(',');
const isChosen = (room) => chosen?.includes(room) ?? true;
const songFolder = await mkdtemp(join(tmpdir(), 'earshot-screenshots-'));
/** Our songs at other speeds and pitches, to fill a library: name, title, and speed as a factor. */
const VERSIONS = [
  ['night-bus', 'Night Bus (slowed)', 0.891],
  ['two-doors-down', 'Two Doors Down (late)', 0.944],
  ['three-lamps', 'Three Lamps (quick)', 1.122],
  ['night-bus', 'Night Bus (peak)', 1.059],
  ['two-doors-down', 'Two Doors Down (early)', 1.059],
  ['three-lamps', 'Three Lamps (low)', 0.841],
];
const songs = [
  ...(values.docs ? VERSIONS.map(makeVersion) : positionals.slice(1).map((path) => resolve(path))),
  // The last one is shown on the song page.
  ...['night-bus', 'three-lamps', 'two-doors-down'].map((name) =>
    join(root, `examples/sample-song/${name}.mp3`),
  ),
];
/** A row of the webhook log. */
const DELIVERY = '[aria-label=Deliveries] tbody tr';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const desktop = (widthPx, heightPx) => ({ viewport: { width: widthPx, height: heightPx } });
const LOOKS = [
  ['desktop-light', { ...desktop(1440, 900), colorScheme: 'light' }],
  ['desktop-dark', { ...desktop(1440, 900), colorScheme: 'dark' }],
  ['phone-light', { ...PHONE, colorScheme: 'light' }],
  ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
];

const service = await startService({ REQUESTS_PER_MINUTE: '100000' });
const baseURL = service.url;
await mkdir(folder, { recursive: true });
const executablePath =
  process.env.CHROMIUM_PATH ??
  ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});

// One webhook endpoint that accepts calls, and one that fails.
const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(request.url === '/hooks/earshot' ? 204 : 500).end();
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const receiverURL = `http://127.0.0.1:${receiver.address().port}`;

try {
  const prepared = await prepare();
  if (values.docs) await takeForDocs(prepared);
  else for (const look of LOOKS) await takeRooms(look, prepared);
} finally {
  await browser.close();
  receiver.close();
  receiver.closeAllConnections();
  await service.stop();
  await rm(songFolder, { recursive: true, force: true });
}

function makeVersion([name, title, speed]) {
  const path = join(songFolder, `${title}.mp3`);
  const source = join(root, `examples/sample-song/${name}.mp3`);
  const filter = `aresample=44100,asetrate=${Math.round(44_100 * speed)},aresample=44100`;
  const tags = ['-metadata', `title=${title}`, '-b:a', '128k'];
  execFileSync('ffmpeg', ['-loglevel', 'error', '-i', source, '-af', filter, ...tags, path]);
  return path;
}

async function takeRooms([look, options], { storageState, crateId, songIds }) {
  const visitor = await browser.newContext({ baseURL, ...options });
  await shoot(await visitor.newPage(), look, 'front', '/', '.timeline', seekToChorus);
  await shoot(await visitor.newPage(), look, 'sign-in', '/sign-in', 'form');
  await visitor.close();
  const member = await browser.newContext({ baseURL, ...options, storageState });
  const page = await member.newPage();
  await shoot(page, look, 'library', '/', '.song-row');
  const song = `/analyses/${songIds[0]}`;
  await shoot(page, look, 'song', song, '.timeline', seekToChorus);
  for (const tab of ['Chords', 'Mastering', 'Mix', 'Data', 'Share']) {
    await shoot(page, look, `song-${tab.toLowerCase()}`, song, '.timeline', async () => {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel', { name: tab }).waitFor();
      await page.mouse.move(0, 0);
    });
  }
  for (const room of ['crates', 'keys', 'team', 'billing', 'audit', 'profile']) {
    await shoot(page, look, room, `/${room}`, 'h1');
  }
  await shoot(page, look, 'webhooks', '/webhooks', DELIVERY, openDelivery);
  await shoot(page, look, 'crate', `/crates/${crateId}`, 'tbody tr, ol li');
  await shoot(page, look, 'compare', `/compare/${songIds[0]}/${songIds[1]}`, 'tbody tr');
  await member.close();
}

async function takeForDocs({ storageState, songIds }) {
  const song = `/analyses/${songIds[0]}`;
  const pictures = [
    ['analysis-page', { ...desktop(1400, 900), storageState }, song, '.timeline', seekToChorus],
    ['first-visit', desktop(1180, 860), '/', '.timeline', seekToChorus],
    ['library', { ...desktop(1280, 620), storageState }, '/', '.song-row'],
    ['phone', { ...PHONE, colorScheme: 'dark', storageState }, song, '.timeline', seekToChorus],
    ['webhooks', { ...desktop(1180, 760), storageState }, '/webhooks', DELIVERY, openDelivery],
  ];
  for (const [name, options, path, ready, prepareIt] of pictures) {
    const context = await browser.newContext({ baseURL, ...options });
    const page = await context.newPage();
    await visit(page, path, ready, prepareIt);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await context.close();
  }
}

/** Moves the playhead into a chorus, so that bar, section and chord are shown. */
async function seekToChorus(page) {
  const timeline = page.locator('.timeline');
  const placeBar = page.locator('.place-bar');
  // Seeking works only once the browser knows the length of the song, for which ten seconds are ample.
  for (let round = 0; round < 50 && !/bar/.test((await placeBar.textContent()) ?? ''); round++) {
    // At 40 % of our songs there is a chorus.
    await timeline.click({ position: { x: 0.4 * (await timeline.boundingBox()).width, y: 10 } });
    await page.waitForTimeout(200);
  }
  await page.mouse.move(0, 0);
  await page.evaluate(() => window.scrollTo(0, 0));
}

async function openDelivery(page) {
  const failed = page.getByRole('row').filter({ hasText: '500' }).first();
  await failed.getByRole('button', { name: 'Attempts' }).click();
  await page.getByRole('region', { name: 'Attempts of' }).first().waitFor();
  await page.mouse.move(0, 0);
}

/** Creates an account with songs, a crate, a key, endpoints and an invitation; returns its session. */
async function prepare() {
  const context = await browser.newContext({ baseURL });
  // Long enough for the analysis of all songs.
  context.setDefaultTimeout(180_000);
  const page = await context.newPage();
  await signIn(page);
  await addEndpoints(page);
  await page.goto('/');
  await page.getByLabel('Audio files').first().setInputFiles(songs);
  await page.getByText(`${songs.length} done`).waitFor();
  await page.goto('/keys');
  await page.getByLabel('Name').fill('nightly import');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText(/es_live_\w{36}/).waitFor();
  const prepared = await page.evaluate(fillLibrary);
  const storageState = await context.storageState();
  await context.close();
  return { storageState, ...prepared };
}

async function signIn(page) {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  const code = /(\d{6})/.exec((await page.getByText(/Your code is/).textContent()) ?? '')?.[1] ?? '';
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Your library is empty' }).waitFor();
}

async function addEndpoints(page) {
  await page.goto('/webhooks');
  for (const path of ['/hooks/earshot', '/hooks/staging']) {
    await page.getByLabel('Address that is called').fill(`${receiverURL}${path}`);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('cell', { name: path }).waitFor();
  }
}

/** Runs in the page: creates a crate and an invitation, and returns the ids of the songs, the one shown first in front. */
async function fillLibrary() {
  const read = async (path) => (await fetch(path)).json();
  const send = async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const shownFirst = ({ headline }) => Number(headline?.title === 'Two Doors Down');
  const listed = (await read('/v1/analyses')).sort((one, other) => shownFirst(other) - shownFirst(one));
  const songIds = listed.map(({ id }) => id);
  const crate = await send('/v1/collections', { name: 'Friday, first hour', items: songIds.slice(0, 12) });
  await send('/v1/account/team/invitations', { email: 'grace@example.com', role: 'admin' });
  return { crateId: crate.id, songIds };
}

async function shoot(page, look, name, path, ready, prepareIt) {
  if (!isChosen(name)) return;
  await visit(page, path, ready, prepareIt);
  // As tall as the page, so that elements fixed to the bottom of the window do not appear in the middle.
  const viewport = page.viewportSize();
  const heightPx = await page.evaluate(() => document.documentElement.scrollHeight);
  if (heightPx > viewport.height) await page.setViewportSize({ ...viewport, height: heightPx });
  await settle(page);
  await page.screenshot({ path: join(folder, `${look}-${name}.png`) });
  await page.setViewportSize(viewport);
}

async function visit(page, path, ready, prepareIt) {
  await page.goto(path);
  await page.locator(ready).first().waitFor();
  await prepareIt?.(page);
  await settle(page);
}

/** Waits until everything has been loaded and drawn. */
async function settle(page) {
  await page.waitForLoadState('networkidle').catch(() => {});
  // Loading has this attribute as long as it lasts; it is false once it takes long.
  await page.waitForFunction(() => !document.querySelector('[aria-busy]'));
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}
