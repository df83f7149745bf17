import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startJourneyService } from './journey-service.ts';

/** The programs in examples/ are what people paste: each runs here against a started service. */

const service = await startJourneyService();

it('first-road.mjs walks the whole road', { timeout: 120_000 }, async () => {
  const program = fileURLToPath(new URL('../../../../examples/first-road.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, service.url]);
  expect(stdout).toMatch(/112\.\d\d BPM, G, -16\.\d LUFS/);
  expect(stdout).toContain('webhook analysis.completed verified');
  expect(stdout).toContain('usage 1 of 100 this month');
});
