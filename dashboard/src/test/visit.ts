import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, expect, inject } from 'vitest';

/** The size, in CSS pixels, and the colour scheme of a browser window. */
export type Look = { width: number; height: number; colorScheme: 'light' | 'dark' };

export type Visit = {
  page: Page;
  context: BrowserContext;
  /** The faults since the last call: console errors, uncaught errors, and requests to other origins. */
  takeFaults(): string[];
};

/** For a busy machine; a wait ends as soon as its condition holds. */
const TIMEOUT_MS = 120_000;

let browser: Promise<Browser> | null = null;
// At the top level of the module: vitest ignores a hook that is registered while a test or another hook runs.
afterAll(async () => (await browser)?.close());

function openBrowser(): Promise<Browser> {
  if (browser) return browser;
  const { executablePath, env } = inject('chromium');
  browser = chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    // Machines that run tests have no graphics card.
    args: ['--disable-gpu'],
  });
  return browser;
}

/** A fresh browser context: nothing cached, and no cookies except those of `session`. */
export async function openVisit(look: Look, session?: Visit): Promise<Visit> {
  const origin = inject('serviceUrl');
  const context = await (await openBrowser()).newContext({
    baseURL: origin,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colorScheme,
    reducedMotion: 'reduce',
    storageState: await session?.context.storageState(),
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const faults: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => faults.push(`page: ${error.error()}`));
  context.on('request', (request) => {
    const { protocol, origin: requestedOrigin } = new URL(request.url());
    if (protocol.startsWith('http') && requestedOrigin !== origin) faults.push(`request: ${request.url()}`);
  });
  return { page: await context.newPage(), context, takeFaults: () => faults.splice(0) };
}

/** Expects axe to find no serious or critical violation on the current page. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      // Preloading inserts style elements without the page's nonce, which its content security policy reports.
      preload: false,
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
      );
  });
  expect(found, new URL(page.url()).pathname).toEqual([]);
}
