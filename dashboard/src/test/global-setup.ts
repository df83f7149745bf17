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

/** Today's dashboard, one service and one browser for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildDashboard();
  const chromium = await findChromium();
  const service = await startService().catch(async (error: unknown) => {
    await chromium.remove();
    throw error;
  });
  project.provide('serviceUrl', service.url);
  project.provide('chromium', { executablePath: chromium.executablePath, env: chromium.env });
  return async () => {
    await service.stop();
    await chromium.remove();
  };
}

/** As `npm run build` does it: in a process that does not believe to be a test, which would bundle React's development half. */
async function buildDashboard(): Promise<void> {
  const program = fileURLToPath(new URL('../../build.mjs', import.meta.url));
  await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, NODE_ENV: 'production' },
    timeout: 120_000,
  });
}
