import { describe, expect, it } from 'vitest';
import { createChordGrid, framesOfCell } from './chord-grid.ts';

const beat = (timeSeconds: number, beatInBar: number) => ({ timeSeconds, beatInBar, bar: 0, confidence: 1 });
const gridOf = (
  beats: Parameters<typeof createChordGrid>[0],
  durationSeconds: number,
  soundEdgesSeconds: readonly number[] = [],
) =>
  createChordGrid(beats, 10, durationSeconds, soundEdgesSeconds).map(
    ({ startSeconds, endSeconds, position }) => [startSeconds, endSeconds, position],
  );

describe('where a chord may change', () => {
  it('is at beats and halfway between them', () => {
    const beats = [beat(0.5, 4), beat(1, 1), beat(1.5, 2)];
    expect(gridOf(beats, 2.25)).toEqual([
      [0, 0.5, 'downbeat'],
      [0.5, 0.75, 'beat'],
      [0.75, 1, 'between'],
      [1, 1.25, 'downbeat'],
      [1.25, 1.5, 'between'],
      [1.5, 2.25, 'beat'],
    ]);
  });

  it('is not halfway between fast beats', () => {
    expect(gridOf([beat(0, 1), beat(0.34, 2), beat(0.68, 3)], 1)).toEqual([
      [0, 0.34, 'downbeat'],
      [0.34, 0.68, 'beat'],
      [0.68, 1, 'beat'],
    ]);
    expect(gridOf([beat(0, 1), beat(0.35, 2)], 1).map(([start]) => start)).toEqual([0, 0.175, 0.35]);
  });

  it('is also where the sound starts and ends', () => {
    expect(gridOf([beat(0.5, 4), beat(0.75, 1)], 2, [1.5, 0.25])).toEqual([
      [0, 0.25, 'downbeat'],
      [0.25, 0.5, 'downbeat'],
      [0.5, 0.75, 'beat'],
      [0.75, 1.5, 'downbeat'],
      [1.5, 2, 'downbeat'],
    ]);
  });

  it('is never within a twentieth of a second of the previous one or of the end', () => {
    const beats = [beat(0.05, 1), beat(0.5, 2), beat(1, 3)];
    expect(gridOf(beats, 1.04, [0.53]).map(([start]) => start)).toEqual([0, 0.275, 0.5, 0.75]);
    expect(gridOf(beats, 1.0625).map(([start]) => start)).toEqual([0, 0.275, 0.5, 0.75, 1]);
  });

  it('is between any two frames with fewer than two beats', () => {
    for (const beats of [[], [beat(0.2, 1)]]) {
      const grid = gridOf(beats, 0.5);
      expect(grid.map(([start]) => start)).toEqual([0, 0.15, 0.25, 0.35]);
      expect(grid.map(([, , position]) => position)).toEqual(['downbeat', 'beat', 'beat', 'beat']);
    }
    expect(gridOf([], 0.45).map(([start]) => start)).toEqual([0, 0.15, 0.25]);
  });

  it.each([0, -1, Number.NaN])('is nowhere in %d seconds', (durationSeconds) => {
    expect(gridOf([beat(0, 1), beat(1, 2)], durationSeconds)).toEqual([]);
  });
});

describe('the frames of a cell', () => {
  it.each([
    ['are those centred inside it', 0.5, 1, { from: 5, to: 10 }],
    ['include one centred up to half a frame before it', 0.54, 0.96, { from: 5, to: 10 }],
    ['leave out one centred up to half a frame before its end', 0.46, 0.94, { from: 5, to: 9 }],
    ['are at least one', 0.5, 0.51, { from: 5, to: 6 }],
    ['end with the last of the recording', 9.5, 12, { from: 95, to: 100 }],
    ['are the last one beyond the end', 20, 30, { from: 99, to: 100 }],
    ['start with the first of the recording', -1, 0.2, { from: 0, to: 2 }],
  ])('%s', (_name, startSeconds, endSeconds, expected) => {
    expect(framesOfCell({ startSeconds, endSeconds }, 10, 100)).toEqual(expected);
  });
});
