import { expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { addSignals, cutRandomly, makeSine } from '../signal/test-signals.ts';
import { createChromaImage } from './chroma-image.ts';

// chromaprint.slow.test.ts compares whole fingerprints with those of fpcalc.

const RATE_HZ = 11_025;
const FRAME_SAMPLES = 4096;
const HOP_SAMPLES = 1365;
/** The samples of five frames, which make one column. */
const COLUMN_SAMPLES = FRAME_SAMPLES + 4 * HOP_SAMPLES;

function draw(...pieces: Float32Array[]): Float64Array[] {
  const image = createChromaImage(createKernels());
  for (const piece of pieces) image.push(piece);
  return image.finish();
}

/** In units of 16 bits, at half of full scale. */
const makeTone = (frequencyHz: number, sampleCount = COLUMN_SAMPLES) =>
  makeSine(sampleCount, frequencyHz, RATE_HZ, 16_384);

it.each([
  // Classes begin at A; each tone is in the middle between two notes.
  [27.5 * 2 ** (4 + 0.5 / 12), 0],
  [27.5 * 2 ** (4 + 3.5 / 12), 3],
  [27.5 * 2 ** (5 + 11.5 / 12), 11],
])('a tone of %d Hz fills pitch class %i', (frequencyHz, pitchClass) => {
  const [column] = draw(makeTone(frequencyHz));
  // The window leaks less than a thousandth of the power into the other classes.
  expect(column![pitchClass]).toBeGreaterThan(0.999);
  expect(Math.hypot(...column!)).toBeCloseTo(1, 9);
});

it.each([20, 5000])('a tone of %d Hz, outside 28 to 3520 Hz, does not count', (frequencyHz) => {
  const soft = makeTone(27.5 * 2 ** (4 + 3.5 / 12)).map((value) => value / 10);
  const [column] = draw(addSignals(makeTone(frequencyHz), soft));
  // The window leaks some of the louder tone, at less than a hundredth of the power of the softer one.
  expect(column![3]).toBeGreaterThan(0.99);
});

it('silence is an empty column', () => {
  expect([...draw(new Float32Array(COLUMN_SAMPLES))[0]!]).toEqual(new Array(12).fill(0));
});

it.each([
  [1.45, 0],
  [1.48, 1],
])('a tone of %d steps of 16 bits makes a column of norm %i', (amplitude, norm) => {
  // By Parseval's theorem its norm is 3 · 4096² / 4 · 0.397 · (amplitude / 32767)², where 3 is the sum of the smoothing and 0.397 the
  // mean square of the window; it reaches 0.01 at 1.465.
  const [column] = draw(makeTone(27.5 * 2 ** (4 + 3.5 / 12)).map((value) => (value / 16_384) * amplitude));
  expect(Math.hypot(...column!)).toBeCloseTo(norm, 9);
});

it('a column needs five frames, and each further one a hop', () => {
  expect(draw(makeTone(440, COLUMN_SAMPLES - 1))).toHaveLength(0);
  expect(draw(makeTone(440, COLUMN_SAMPLES + 2 * HOP_SAMPLES))).toHaveLength(3);
});

it('does not depend on how the samples were cut', () => {
  const tone = makeTone(440, 3 * FRAME_SAMPLES + 17);
  expect(draw(...cutRandomly(tone, 9000))).toEqual(draw(tone));
});
