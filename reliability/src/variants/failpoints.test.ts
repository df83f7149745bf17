import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import {
  armFailpoint,
  countTokens,
  disarmFailpoint,
  FAILPOINT_BANNER,
  FAILPOINT_NAMES,
  FAILPOINT_PATCHES,
} from './failpoints.ts';

const root = mkdtempSync(join(tmpdir(), 'earshot-failpoints-'));
vi.stubEnv('FAILPOINT_FOLDER', root);
const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
afterEach(() => kill.mockClear());
afterAll(() => {
  vi.unstubAllEnvs();
  kill.mockRestore();
  rmSync(root, { recursive: true });
});

// The banner runs as it does at the beginning of the service's program.
writeFileSync(join(root, 'banner.mjs'), FAILPOINT_BANNER);
await import(join(root, 'banner.mjs'));
const { dieIfArmed } = globalThis as unknown as { dieIfArmed(name: string): void };

it.each(FAILPOINT_NAMES)('kills with -9 at the armed failpoint alone: %s', async (name) => {
  await armFailpoint(root, name, 1);
  for (const other of FAILPOINT_NAMES) if (other !== name) dieIfArmed(other);
  expect(kill).not.toHaveBeenCalled();
  dieIfArmed(name);
  expect(kill.mock.calls).toEqual([[process.pid, 'SIGKILL']]);
  expect(await countTokens(root, name)).toBe(0);
  await disarmFailpoint(root, name);
});

it('takes one token for each death', async () => {
  const [name] = FAILPOINT_NAMES as [string];
  await armFailpoint(root, name, 3);
  // A killed process takes no further step.
  kill.mockImplementationOnce(() => {
    throw new Error('dead');
  });
  expect(() => dieIfArmed(name)).toThrow('dead');
  expect(await countTokens(root, name)).toBe(2);
  await disarmFailpoint(root, name);
});

it('has a token for each death that is left, and none after it is disarmed', async () => {
  const [name] = FAILPOINT_NAMES as [string];
  await armFailpoint(root, name, 3);
  expect(await countTokens(root, name)).toBe(3);
  await disarmFailpoint(root, name);
  dieIfArmed(name);
  expect(kill).not.toHaveBeenCalled();
});

it('dies before the line that it finds, which stays', () => {
  const died = FAILPOINT_PATCHES.map(({ find, replace }) => {
    expect(replace.endsWith(`;\n${find}`)).toBe(true);
    return /^globalThis\.dieIfArmed\("([^"]+)"\)/.exec(replace)?.[1];
  });
  expect(died).toEqual(FAILPOINT_NAMES);
});
