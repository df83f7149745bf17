import { expect, it } from 'vitest';
import { createNoiseFloorMeter, NOISE_FRAME_SAMPLES } from './noise-floor.ts';
import { STRETCH_SAMPLES } from './stretches.ts';

const FRAME_STRETCHES = NOISE_FRAME_SAMPLES / STRETCH_SAMPLES;
const CHANNELS = 2;

/** The noise floor of frames at these levels. */
function measureDbfs(levelsDbfs: readonly number[]): number | null {
  const meter = createNoiseFloorMeter(CHANNELS);
  for (const levelDbfs of levelsDbfs) {
    const squareSum = 10 ** (levelDbfs / 10) * STRETCH_SAMPLES * CHANNELS;
    meter.take(new Float64Array(FRAME_STRETCHES).fill(squareSum), FRAME_STRETCHES);
  }
  return meter.finish();
}
const frames = (count: number, levelDbfs: number) => new Array<number>(count).fill(levelDbfs);

it('is the level of the third quietest of 101 frames', () => {
  // Rank 0.02 · 100, counted from 0.
  expect(measureDbfs([...frames(98, -30), ...frames(3, -90)])).toBe(-90);
  expect(measureDbfs([...frames(99, -30), ...frames(2, -90)])).toBe(-30);
});

it('does not count digital silence', () => {
  const silence = Number.NEGATIVE_INFINITY;
  expect(measureDbfs([...frames(50, silence), ...frames(10, -60)])).toBe(-60);
  expect(measureDbfs(frames(50, silence))).toBeNull();
});

it('is unknown without a whole frame', () => {
  const meter = createNoiseFloorMeter(CHANNELS);
  meter.take(new Float64Array(FRAME_STRETCHES).fill(1), FRAME_STRETCHES - 1);
  expect(meter.finish()).toBeNull();
});
