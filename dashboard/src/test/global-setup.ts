import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { startService } from '../../../scripts/start-service.mjs';
import { findChromium } from './chromium.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: module augmentation works only with an interface.
  export interface ProvidedContext {
    serviceUrl: string;
    chromium: { executablePath: string; env: Record<string, string> };
  }
}

/** The tests are many clients on one machine. */
const LIMITS = { REQUESTS_PER_MINUTE: '1000000', REGISTRATIONS_PER_HOUR: '1000' };

/** Builds the dashboard, and provides one service and one browser program for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildDashboard();
  const chromium = await findChromium();
  const service = await startService(LIMITS).catch(async (error: unknown) => {
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

/** Builds like `npm run build`, in a process with NODE_ENV=production: the tests' NODE_ENV would bundle React's development build. */
async function buildDashboard(): Promise<void> {
  const program = fileURLToPath(new URL('../../build.mjs', import.meta.url));
  await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, NODE_ENV: 'production' },
    timeout: 120_000,
  });
}
