import { createRequire } from 'node:module';
import { decodeFile } from '@earshot/decode';
import { expect, it } from 'vitest';
import { childCpuSeconds } from './cpu-time.ts';
import { SAMPLE_SONG } from './repeat-song.ts';

/** Less than the start of a Node alone; a decoder that is not counted has nought to two hundredths. */
const LEAST_SECONDS = 0.05;

it('the processor time of every decoder is counted', async () => {
  createRequire(import.meta.url)('./let-decoders-end.cjs');
  for (let song = 0; song < 5; song++) {
    const before = childCpuSeconds();
    const session = await decodeFile(SAMPLE_SONG);
    await session.finish();
    expect(childCpuSeconds() - before).toBeGreaterThan(LEAST_SECONDS);
  }
});
