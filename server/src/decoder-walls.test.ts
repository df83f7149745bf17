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
  it('does not start in production, and names the setting that allows it', async () => {
    const refusal = await start(PRODUCTION, unfiltered).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect(String(refusal)).toContain('DECODER_WALLS_OPTIONAL=syscall_filter');
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

  it('refuses the name of an unknown wall in the setting', async () => {
    expect(() => start({ DECODER_WALLS_OPTIONAL: 'moat' }, unfiltered)).toThrow(
      /DECODER_WALLS_OPTIONAL contains "moat"/,
    );
  });
});
