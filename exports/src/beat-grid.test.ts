import { describe, expect, it } from 'vitest';
import { barLengths, buildBeatGrid } from './beat-grid.ts';

function beatsAt(timesSeconds: number[], firstBeatInBar = 1) {
  return timesSeconds.map((time_seconds, index) => ({
    time_seconds,
    confidence: 1,
    beat_in_bar: ((index + firstBeatInBar - 1) % 4) + 1,
    bar: 0,
  }));
}
const gridSeconds = (timesSeconds: number[]) =>
  buildBeatGrid(beatsAt(timesSeconds)).map((beat) => beat.timeSeconds);

describe('buildBeatGrid', () => {
  it('divides the lead-in into beats of about the first tempo', () => {
    expect(gridSeconds([1.1, 1.6, 2.1])).toEqual([0, 0.55, 1.1, 1.6, 2.1]);
  });

  it('moves a beat in the first 5 ms to the start', () => {
    expect(gridSeconds([0.004, 0.5, 1])).toEqual([0, 0.5, 1]);
  });

  it('fills a pause, but not a slower tempo', () => {
    expect(gridSeconds([0, 0.5, 1, 3, 3.5])).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]);
    expect(gridSeconds([0, 0.5, 1, 2, 3, 4])).toEqual([0, 0.5, 1, 2, 3, 4]);
  });

  it('fills two pauses in a row at the tempo around them', () => {
    expect(gridSeconds([0, 0.5, 1, 3, 5, 5.5])).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5]);
  });

  it('keeps the positions of tracked beats; a filled one is neither tracked nor a downbeat', () => {
    const filled = { isDownbeat: false, isTracked: false };
    expect(buildBeatGrid(beatsAt([0.5, 1, 2.5], 4))).toEqual([
      { timeSeconds: 0, ...filled },
      { timeSeconds: 0.5, isDownbeat: false, isTracked: true },
      { timeSeconds: 1, isDownbeat: true, isTracked: true },
      { timeSeconds: 1.5, ...filled },
      { timeSeconds: 2, ...filled },
      { timeSeconds: 2.5, isDownbeat: false, isTracked: true },
    ]);
  });

  it('is empty without beats', () => {
    expect(buildBeatGrid([])).toEqual([]);
  });
});

describe('barLengths', () => {
  it('joins the lead-in and the pickup into one bar', () => {
    const grid = buildBeatGrid(beatsAt([0.5, 1, 1.5, 2, 2.5, 3], 4));
    expect(barLengths(grid)).toEqual([
      { beatIndex: 0, beatCount: 2 },
      { beatIndex: 2, beatCount: 4 },
      { beatIndex: 6, beatCount: 1 },
    ]);
  });
});
