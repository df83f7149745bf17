import { expect, it } from 'vitest';
import { ParameterError } from '../parameter-error.ts';
import { copyFrames, type FrameMatrix, FrameMatrixBuilder } from './frame-matrix.ts';

const BINS = 3;
const rowOf = (frame: number) => [frame, frame + 0.5, 1 / (frame + 1)];

function build(frameCount: number, exactFramesMax?: number): FrameMatrix {
  const builder = new FrameMatrixBuilder(50, BINS, exactFramesMax);
  for (let frame = 0; frame < frameCount; frame++) builder.append(rowOf(frame));
  return builder.finish();
}
function read(matrix: FrameMatrix, first: number, end: number): Float32Array {
  const target = new Float32Array((end - first) * BINS);
  copyFrames(matrix, first, end, target);
  return target;
}
const expectedRows = (first: number, end: number) =>
  Float32Array.from(Array.from({ length: end - first }, (_, n) => rowOf(first + n)).flat());

it('keeps every row when its memory grows', () => {
  // Memory grows by 4 MiB at least, 349,525 rows of three floats.
  const frameCount = 400_000;
  const matrix = build(frameCount, Number.POSITIVE_INFINITY);
  expect(matrix).toMatchObject({ frameRateHz: 50, binCount: BINS, frameCount });
  for (const [first, end] of [
    [0, 5],
    [349_520, 349_530],
    [399_990, frameCount],
  ] as const) {
    expect(read(matrix, first, end)).toEqual(expectedRows(first, end));
  }
});

it('converts all rows to 16 bits when there are more than the limit', () => {
  expect(build(100, 100).data).toBeInstanceOf(Float32Array);
  const matrix = build(500, 100);
  expect(matrix.data).toBeInstanceOf(Uint16Array);
  expect(matrix.data).toHaveLength(500 * BINS);
  for (const [first, end] of [
    [0, 5],
    [97, 104],
    [480, 500],
  ] as const) {
    const expected = expectedRows(first, end);
    read(matrix, first, end).forEach((value, k) => {
      // Half a step of a ten-bit mantissa.
      expect(Math.abs(value - expected[k]!)).toBeLessThanOrEqual(expected[k]! * 2 ** -11);
    });
  }
});

it('keeps 45 minutes exactly', () => {
  const frameCount = 45 * 60 * 50;
  expect(build(frameCount).data).toBeInstanceOf(Float32Array);
  expect(build(frameCount + 1).data).toBeInstanceOf(Uint16Array);
});

it('is empty without rows', () => {
  expect(build(0)).toMatchObject({ frameCount: 0, data: new Float32Array(0) });
});

it.each([
  [0, 3],
  [Number.NaN, 3],
  [50, 0],
  [50, 1.5],
])('refuses a rate of %d Hz with %d bins', (frameRateHz, binCount) => {
  expect(() => new FrameMatrixBuilder(frameRateHz, binCount)).toThrow(ParameterError);
});
