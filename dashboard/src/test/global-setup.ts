import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium.ts';
import { startService } from './service.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to from outside.
  export interface ProvidedContext {
    serviceUrl: string;
    chromium: { executablePath: string; env: Record<string, string> };
  }
}

const VITE = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url));

/** Today's dashboard, one service and one browser for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildDashboard();
  const chromium = await findChromium();
  const service = await startService();
  project.provide('serviceUrl', service.url);
  project.provide('chromium', { executablePath: chromium.executablePath, env: chromium.env });
  return async () => {
    await service.stop();
    await chromium.remove();
  };
}

/** As `npm run build` does it: in processes that do not believe to be a test, which would bundle React's development half. */
async function buildDashboard(): Promise<void> {
  const options = {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, NODE_ENV: 'production' },
    timeout: 120_000,
  };
  const run = promisify(execFile);
  await run(process.execPath, [VITE, 'build', '--logLevel', 'warn'], options);
  await run(process.execPath, ['build-sample.mjs'], options);
}
