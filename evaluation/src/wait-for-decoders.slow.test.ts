import { createRequire } from 'node:module';
import { decodeFile } from '@earshot/decode';
import { afterAll, expect, it } from 'vitest';
import { childCpuSeconds } from './cpu-time.ts';
import { SAMPLE_SONG } from './repeat-song.ts';

/** Starting Node takes longer than this; of a decoder that is not counted only its launcher's 0 to 0.02 s remain. */
const COUNTED_SECONDS_MIN = 0.05;

// The module replaces process.kill for the whole process, which other test files share.
const kill = process.kill;
afterAll(() => {
  process.kill = kill;
});

it('counts the processor time of every decoder', async () => {
  createRequire(import.meta.url)('./wait-for-decoders.cjs');
  for (let song = 0; song < 5; song++) {
    const beforeSeconds = childCpuSeconds();
    const session = await decodeFile(SAMPLE_SONG);
    await session.finish();
    expect(childCpuSeconds() - beforeSeconds).toBeGreaterThan(COUNTED_SECONDS_MIN);
  }
});
