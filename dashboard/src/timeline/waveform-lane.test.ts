import { describe, expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { recordDrawing } from './test-pen.ts';
import { drawWaveform, isTooCoarse, meanBeatPx } from './waveform-lane.ts';

/** A mono level of so many milliseconds per value; `data` has the lowest and highest sample of each. */
const level = (valueMs: number, data: readonly number[], channels = 1) => ({
  samples_per_pixel: valueMs,
  sample_rate: 1_000,
  length: data.length / 2 / channels,
  channels,
  data,
});
const song = (levels: object[], rest: object = {}) =>
  ({ waveform: { levels, bands: null }, rhythm: null, time_signature: 4, ...rest }) as unknown as Result;

/** Four pixels of a quarter of a second, 108 px high: 50 px above and below the middle are for the waveform. */
const PLACE = { view: { startSeconds: 0, endSeconds: 1 }, widthPx: 4, heightPx: 108 };

/** The top and bottom of the waveform at each pixel, upwards from the middle of the lane. */
function outline(levels: object[]): [topPx: number, bottomPx: number][] {
  const { context, drawn } = recordDrawing(PLACE);
  drawWaveform(context, song(levels));
  return drawn.rects.map(({ topPx, heightPx }) => [54 - topPx, 54 - topPx - heightPx]);
}

describe('the waveform', () => {
  it('has the extremes of each pixel, scaled by the largest of the song', () => {
    expect(outline([level(250, [-10, 20, 0, 10, -5, 5, -20, 0])])).toEqual([
      [50, -25],
      [25, 0],
      [12.5, -12.5],
      [0, -50],
    ]);
  });

  it('takes the extremes of all values and channels within a pixel', () => {
    const fine = level(125, [-1, 1, -2, 4, ...Array.from({ length: 12 }, () => 0)]);
    expect(outline([fine])[0]).toEqual([50, -25]);
    const stereo = level(250, [-1, 1, -2, 4, ...Array.from({ length: 12 }, () => 0)], 2);
    expect(outline([stereo])[0]).toEqual([50, -25]);
  });

  it('of silence is a line of one pixel', () => {
    expect(outline([level(250, [0, 0, 0, 0, 0, 0, 0, 0])])).toEqual(Array.from({ length: 4 }, () => [0, -1]));
  });

  it('has the colour of three pixels around each', () => {
    const { context, drawn } = recordDrawing({
      view: { startSeconds: 0, endSeconds: 8 },
      widthPx: 8,
      heightPx: 108,
    });
    // A column and a pixel are a second; lows everywhere but in the column from 4 s on, which has highs.
    const low = [9, 9, 9, 9, 0, 9, 9, 9];
    const bands = { hop_seconds: 1, low, mid: low.map(() => 0), high: low.map((value) => 9 - value) };
    const waveform = {
      levels: [
        level(
          1_000,
          low.flatMap(() => [0, 1]),
        ),
      ],
      bands,
    };
    const colours = { ...context.colours, low: '#ff0000', mid: '#00ff00', high: '#0000ff' };
    drawWaveform({ ...context, colours }, song([], { waveform }));
    const mixed = drawn.rects.filter(({ fill }) => fill !== 'rgb(255 0 0)').map(({ leftPx }) => leftPx);
    // The pixel at 2 s has the colour of 1 to 4 s, that at 5 s of 4 to 7 s.
    expect(mixed).toEqual([2, 3, 4, 5]);
  });

  it('is drawn from the coarsest level with a value for each pixel, or else from the finest', () => {
    const levels = [
      level(1_000, [-1, 1]),
      level(250, [-2, 2, 0, 0, 0, 0, 0, 0]),
      level(125, [-3, 0, ...Array.from({ length: 14 }, () => 0)]),
    ];
    expect(outline(levels)[0]).toEqual([50, -50]);
    expect(outline([levels[0]!, level(500, [-4, 0, 0, 0])])[0]).toEqual([0, -50]);
    expect(outline([])).toEqual([]);
  });

  it('is too coarse where no level has a value for each pixel', () => {
    const { view, widthPx } = PLACE;
    expect(isTooCoarse(song([level(1_000, []), level(251, [])]), view, widthPx)).toBe(true);
    expect(isTooCoarse(song([level(1_000, []), level(250, [])]), view, widthPx)).toBe(false);
    expect(isTooCoarse(song([]), view, widthPx)).toBe(false);
  });
});

describe('beats', () => {
  const beats = Array.from({ length: 401 }, (_, index) => ({
    time_seconds: index / 2,
    beat_in_bar: (index % 4) + 1,
  }));

  it('are as far apart as they are on average', () => {
    const view = { startSeconds: 0, endSeconds: 10 };
    expect(meanBeatPx(beats, view, 1_000)).toBe(50);
    expect(meanBeatPx(beats.slice(0, 1), view, 1_000)).toBeNull();
  });

  /** The lines in a view of so many seconds, on 100 px. */
  function lines(seconds: number) {
    const view = { startSeconds: 0, endSeconds: seconds };
    const { context, drawn } = recordDrawing({ view, widthPx: 100, heightPx: 100 });
    drawWaveform(context, song([], { rhythm: { beats } }));
    return drawn.rects;
  }

  it('are short lines between the full lines of the bars', () => {
    // A bar of two seconds is 80 px.
    expect(lines(2.5)).toEqual(
      [0, 20, 40, 60, 80, 100].map((leftPx) =>
        leftPx % 80 === 0
          ? { leftPx, topPx: 0, widthPx: 1, heightPx: 100, fill: 'ink', alpha: 0.7 }
          : { leftPx, topPx: 70, widthPx: 1, heightPx: 30, fill: 'soft', alpha: 0.35 },
      ),
    );
  });

  it('closer than 5 px are left out, and bars fade; bars closer than 10 px are left out too', () => {
    expect(lines(10)).toHaveLength(21);
    // A bar is 19.2 px, and a beat 4.8 px.
    const bars = lines(200 / 19.2);
    expect(bars).toHaveLength(6);
    expect(bars[0]?.alpha).toBeCloseTo((0.7 * 19.2) / 80, 9);
    // A bar is 10 px: those from 0 to 20 s.
    expect(lines(20)).toHaveLength(11);
    expect(lines(20.1)).toEqual([]);
  });
});
