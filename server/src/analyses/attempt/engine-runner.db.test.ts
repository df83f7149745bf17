import type { AnalysisOptions, PcmBlock } from '@earshot/engine';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { runEngine } from './engine-runner.ts';
import { createEngineThreads } from './engine-threads.ts';

const SAMPLE_RATE_HZ = 22_050;
const BLOCK_SAMPLES = 11_025;

const threads = createEngineThreads();
let started = 0;
const countStart = () => {
  started += 1;
};
process.on('worker', countStart);
afterAll(() => void process.off('worker', countStart));
beforeEach(() => {
  started = 0;
});

/** Clicks at an even pace over a hum, so that there is something to find. */
async function* playClicks(tempoBpm: number, seconds: number): AsyncIterable<PcmBlock> {
  const periodSamples = Math.round((60 / tempoBpm) * SAMPLE_RATE_HZ);
  for (let start = 0; start < seconds * SAMPLE_RATE_HZ; start += BLOCK_SAMPLES) {
    const samples = Float32Array.from({ length: BLOCK_SAMPLES }, (_, index) => {
      const sinceClick = (start + index) % periodSamples;
      const hum = 0.05 * Math.sin((2 * Math.PI * 220 * (start + index)) / SAMPLE_RATE_HZ);
      return hum + (sinceClick < 200 ? 0.8 * (1 - sinceClick / 200) * (sinceClick % 2 ? 1 : -1) : 0);
    });
    yield { channels: [samples] };
  }
}

function analyse(
  tempoBpm: number,
  change: { options?: AnalysisOptions; signal?: AbortSignal; taggers?: boolean } = {},
) {
  return runEngine(threads, {
    format: { sampleRateHz: SAMPLE_RATE_HZ, channelCount: 1 },
    blocks: playClicks(tempoBpm, 12),
    options: change.options ?? {},
    taggers: change.taggers ?? true,
    signal: change.signal ?? new AbortController().signal,
    onProgress: () => {},
  });
}

it('says the same of a song in a thread that has heard others', async () => {
  const alone = await analyse(100);
  await analyse(150, { options: { features: ['loudness'] } });
  expect(await analyse(100)).toEqual(alone);
  expect(started).toBe(1);
});

it('leaves the taggers out where they are not wanted, and asks them again for the next song', async () => {
  const without = await analyse(100, { taggers: false });
  expect(without.unavailable.tags).toBe('no_model');
  expect(without.models.map(({ name }) => name)).not.toContain('tags-msd');
  const { models, unavailable } = await analyse(100);
  expect(unavailable.tags).not.toBe('no_model');
  expect(models.map(({ name }) => name)).toContain('tags-msd');
});

it('has a thread for each song at a time, and keeps them', async () => {
  await Promise.all([analyse(100), analyse(120), analyse(140)]);
  expect(started).toBeLessThanOrEqual(3);
  started = 0;
  await Promise.all([analyse(90), analyse(110), analyse(130)]);
  expect(started).toBe(0);
});

it('ends a thread whose song was given up, and one that broke, and goes on with another', async () => {
  const given = new AbortController();
  const reason = new Error('nobody wants it any more');
  const abandoned = analyse(100, { signal: given.signal });
  given.abort(reason);
  await expect(abandoned).rejects.toBe(reason);
  const impossible = { hints: { bpm: -1 } } as unknown as AnalysisOptions;
  await expect(analyse(100, { options: impossible })).rejects.toThrow();
  expect((await analyse(120)).durationSeconds).toBe(12);
});
