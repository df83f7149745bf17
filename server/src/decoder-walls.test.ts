import { SANDBOX_WALLS, type SandboxWall } from '@earshot/decode';
import { describe, expect, it } from 'vitest';
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
  it('does not start in production, and says which and how to do without', async () => {
    const refusal = await start(PRODUCTION, unfiltered).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect(String(refusal)).toContain('DECODER_WALLS_OPTIONAL=syscall_filter');
  });

  it('starts in production when the setting names it', async () => {
    await start({ ...PRODUCTION, DECODER_WALLS_OPTIONAL: 'syscall_filter' }, unfiltered);
    await expect(
      start({ ...PRODUCTION, DECODER_WALLS_OPTIONAL: 'landlock' }, unfiltered),
    ).rejects.toBeInstanceOf(StartError);
  });

  it('starts with a warning elsewhere', () => start({}, unfiltered));

  it('cannot be told to do without a wall that does not exist', async () => {
    expect(() => start({ DECODER_WALLS_OPTIONAL: 'moat' }, unfiltered)).toThrow(
      /DECODER_WALLS_OPTIONAL holds "moat"/,
    );
  });
});
