import { describe, expect, it } from 'vitest';
import type { FrameMatrix } from './signal/frame-matrix.ts';
import { drawVisuals } from './visuals.ts';

function matrix(frameRateHz: number, binCount: number, frames: number[][]): FrameMatrix {
  return { frameRateHz, binCount, frameCount: frames.length, data: Float32Array.from(frames.flat()) };
}
const zeros = (count: number) => Array.from({ length: count }, () => 0);
const withOne = (count: number, at: number, value: number) =>
  zeros(count).map((_, index) => (index === at ? value : 0));

describe('visuals', () => {
  it('have no columns without frames, and are black in silence', () => {
    const empty = drawVisuals(matrix(50, 81, []), matrix(10, 144, []));
    expect(empty.spectrogram.columnCount).toBe(0);
    const silent = drawVisuals(matrix(50, 81, [zeros(81)]), matrix(10, 144, [zeros(144)]));
    expect(Math.max(...silent.spectrogram.values, ...silent.chromagram.values)).toBe(0);
  });

  it('show the peak white, 36 dB below it at half brightness, and 72 dB or more below it black', () => {
    const frame = zeros(81);
    frame[10] = 1;
    frame[20] = 10 ** (-36 / 20);
    frame[30] = 10 ** (-100 / 20);
    const { spectrogram } = drawVisuals(matrix(50, 81, [frame]), matrix(10, 144, [zeros(144)]));
    expect(spectrogram.values[10]).toBe(255);
    expect(spectrogram.values[20]).toBe(128);
    expect(spectrogram.values[30]).toBe(0);
  });

  it('fold the octaves of a pitch, and the band just below each, into its pitch class, white where it is the strongest', () => {
    // Band 18 is A2; 17 and 42 (A3) belong to the same class.
    const frames = [withOne(144, 18, 1), withOne(144, 17, 0.5), withOne(144, 42, 0.25)];
    const { chromagram } = drawVisuals(matrix(50, 81, []), matrix(10, 144, frames));
    for (let column = 0; column < 3; column++) expect(chromagram.values[9 * 3 + column]).toBe(255);
  });

  // 1,206 frames make columns of 1.005 frames, which a double cannot represent exactly.
  it.each([1_206, 1_218, 30_000])(
    'average %i frames into 1,200 columns that cover them all',
    (frameCount) => {
      const frames = Array.from({ length: frameCount }, (_, frame) => [frame === frameCount - 1 ? 1 : 0]);
      const { spectrogram } = drawVisuals(matrix(50, 1, frames), matrix(10, 144, []));
      expect(spectrogram.columnCount).toBe(1_200);
      expect(spectrogram.columnCount * spectrogram.secondsPerColumn).toBeCloseTo(frameCount / 50, 9);
      expect(spectrogram.values.at(-1)).toBe(255);
      // Columns of one frame and of two are equally bright if the frames are.
      const even = drawVisuals(matrix(50, 1, Array(frameCount).fill([1])), matrix(10, 144, []));
      expect(new Set(even.spectrogram.values)).toEqual(new Set([255]));
    },
  );
});
