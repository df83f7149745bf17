import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { armError, disarmError, PLANTED_BANNER } from './planted-errors.ts';

const root = mkdtempSync(join(tmpdir(), 'earshot-planted-'));
vi.stubEnv('PLANTED_FOLDER', root);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

// The banner runs as it does at the beginning of the service's program.
writeFileSync(join(root, 'banner.mjs'), PLANTED_BANNER);
await import(join(root, 'banner.mjs'));
const { failIfArmed, plantIfArmed } = globalThis as unknown as {
  failIfArmed(kind: string, code: string): void;
  plantIfArmed(kind: string, code: string): Error | null;
};

// More than ten uses: token 10 must be taken before token 9.
it.each([1, 2, 12])('fails at use %i alone, once', async (nth) => {
  await armError(root, 'file', nth);
  for (let use = 1; use < nth; use += 1) expect(() => failIfArmed('file', 'EIO')).not.toThrow();
  expect(() => failIfArmed('file', 'EIO')).toThrow(expect.objectContaining({ code: 'EIO' }));
  expect(() => failIfArmed('file', 'EIO')).not.toThrow();
  expect(await disarmError(root, 'file')).toBe(true);
});

it('reports that there were too few uses, and can be armed again', async () => {
  await armError(root, 'request', 2);
  expect(plantIfArmed('request', 'ECONNRESET')).toBeNull();
  expect(await disarmError(root, 'request')).toBe(false);
  await armError(root, 'request', 1);
  expect(plantIfArmed('answer', 'ECONNRESET')).toBeNull();
  expect(plantIfArmed('request', 'ECONNRESET')).toMatchObject({ code: 'ECONNRESET' });
});
