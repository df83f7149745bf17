import { SANDBOX_WALLS, type SandboxWall } from '@earshot/decode';
import { describe, expect, it, vi } from 'vitest';
import { readConfig } from './config.ts';
import { checkDecoderWalls } from './decoder-walls.ts';
import { StartError } from './errors.ts';
import { createLogger } from './platform/log.ts';

const log = createLogger({ level: 'silent' });
const unfiltered = SANDBOX_WALLS.filter((wall) => wall !== 'syscall_filter');
const PRODUCTION = { NODE_ENV: 'production', SMTP_URL: 'smtp://localhost' };

function start(env: Record<string, string>, walls: SandboxWall[]): Promise<void> {
  const config = readConfig(env, () => 'key from the data directory');
  return checkDecoderWalls(config, log, async () => walls);
}

describe('a worker whose decoder lacks a required wall', () => {
  it('does not start in production, and names a setting with which it does, although one wall is optional already', async () => {
    const filesOpen = unfiltered.filter((wall) => !['empty_root', 'landlock'].includes(wall));
    const env = { ...PRODUCTION, DECODER_WALLS_OPTIONAL: 'landlock' };
    const refusal = await start(env, filesOpen).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    const [, setting = ''] = /DECODER_WALLS_OPTIONAL=([a-z_,]+)/.exec(String(refusal)) ?? [];
    expect(setting).toBe('landlock,syscall_filter');
    await start({ ...env, DECODER_WALLS_OPTIONAL: setting }, filesOpen);
  });

  it('starts in production only when the setting names that wall', async () => {
    await start({ ...PRODUCTION, DECODER_WALLS_OPTIONAL: 'syscall_filter' }, unfiltered);
    await expect(
      start({ ...PRODUCTION, DECODER_WALLS_OPTIONAL: 'landlock' }, unfiltered),
    ).rejects.toBeInstanceOf(StartError);
  });

  it('starts outside production, with a warning that names the wall', async () => {
    const warn = vi.spyOn(log, 'warn');
    await start({}, unfiltered);
    expect(warn.mock.calls).toEqual([
      [{ walls: unfiltered, missing: ['syscall_filter'] }, expect.stringContaining('fewer sandbox walls')],
    ]);
  });

  it('logs which walls hold when those that are missing are optional', async () => {
    const info = vi.spyOn(log, 'info');
    await start({ DECODER_WALLS_OPTIONAL: 'syscall_filter' }, unfiltered);
    expect(info.mock.calls).toEqual([[{ walls: unfiltered }, 'These sandbox walls of the decoder hold']]);
  });

  it('refuses the name of an unknown wall in the setting', async () => {
    expect(() => start({ DECODER_WALLS_OPTIONAL: 'moat' }, unfiltered)).toThrow(
      /DECODER_WALLS_OPTIONAL contains "moat"/,
    );
  });
});
