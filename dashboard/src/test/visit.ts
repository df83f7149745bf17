import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, expect, inject } from 'vitest';

/** How a person looks at the page. */
export type Look = { width: number; height: number; colorScheme: 'light' | 'dark' };

export type Visit = {
  page: Page;
  context: BrowserContext;
  /** Whatever went wrong since the last call: errors in the console or on the page, and requests to other origins. */
  takeFaults(): string[];
};

/** As long as a busy machine may take; nothing waits for it that is there earlier. */
const PATIENCE_MS = 120_000;

let browser: Promise<Browser> | null = null;

function openBrowser(): Promise<Browser> {
  if (browser) return browser;
  const { executablePath, env } = inject('chromium');
  browser = chromium.launch({
    executablePath,
    env: { ...definedOnly(process.env), ...env },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  afterAll(async () => (await browser)?.close());
  return browser;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** A browser of a new person: nothing cached, and no cookies but those of a session that is handed over. */
export async function openVisit(look: Look, session?: Visit): Promise<Visit> {
  const origin = inject('serviceUrl');
  const context = await (await openBrowser()).newContext({
    baseURL: origin,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colorScheme,
    reducedMotion: 'reduce',
    storageState: await session?.context.storageState(),
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => faults.push(`page: ${error.error()}`));
  context.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && asked !== origin) faults.push(`request: ${request.url()}`);
  });
  return { page: await context.newPage(), context, takeFaults: () => faults.splice(0) };
}

/** No serious or critical finding of axe on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      // It would copy style sheets into a document without our nonce, which the policy of the page rightly reports.
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
