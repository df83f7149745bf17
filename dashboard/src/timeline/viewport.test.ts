import { describe, expect, it } from 'vitest';
import {
  clampView,
  follow,
  panBy,
  rulerTimes,
  SPAN_SECONDS_MIN,
  spanOf,
  toPixels,
  toSeconds,
  wholeSong,
  zoomAt,
} from './viewport.ts';

const DURATION_SECONDS = 600;
const minute = { startSeconds: 60, endSeconds: 120 };

describe('the view of a song', () => {
  it('zooms around the time under the pointer', () => {
    const closer = zoomAt(minute, 0.5, { anchorSeconds: 75, durationSeconds: DURATION_SECONDS });
    expect(closer).toEqual({ startSeconds: 67.5, endSeconds: 97.5 });
    expect(toPixels(closer, 75, 800)).toBeCloseTo(toPixels(minute, 75, 800), 9);
  });

  it('zooms in to the shortest span and out to the whole song', () => {
    const near = zoomAt(minute, 1e-6, { anchorSeconds: 75, durationSeconds: DURATION_SECONDS });
    expect(spanOf(near)).toBeCloseTo(SPAN_SECONDS_MIN, 9);
    expect(zoomAt(minute, 1e6, { anchorSeconds: 75, durationSeconds: DURATION_SECONDS })).toEqual(
      wholeSong(DURATION_SECONDS),
    );
  });

  it('cannot be moved out of the song', () => {
    expect(panBy(minute, -1000, DURATION_SECONDS)).toEqual({ startSeconds: 0, endSeconds: 60 });
    expect(panBy(minute, 1000, DURATION_SECONDS)).toEqual({ startSeconds: 540, endSeconds: 600 });
    expect(clampView({ startSeconds: -5, endSeconds: 5000 }, DURATION_SECONDS)).toEqual(
      wholeSong(DURATION_SECONDS),
    );
  });

  it('turns the page when the playhead leaves it, but not past the end of the song', () => {
    expect(follow(minute, 90, DURATION_SECONDS)).toBeNull();
    // 2 % of a minute before its end, at 118.8 s; the next page starts 5 % of a minute earlier.
    expect(follow(minute, 118.7, DURATION_SECONDS)).toBeNull();
    expect(follow(minute, 118.9, DURATION_SECONDS)?.startSeconds).toBeCloseTo(115.9, 9);
    expect(follow(minute, 121, DURATION_SECONDS)).toEqual({ startSeconds: 118, endSeconds: 178 });
    expect(follow({ startSeconds: 540, endSeconds: 600 }, 600, DURATION_SECONDS)).toBeNull();
    expect(follow(wholeSong(DURATION_SECONDS), 600, DURATION_SECONDS)).toBeNull();
  });

  it('turns back to a playhead before it', () => {
    expect(follow(minute, 53, DURATION_SECONDS)).toEqual({ startSeconds: 50, endSeconds: 110 });
  });

  it('is the shortest span where the song is shorter', () => {
    const short = wholeSong(0.1);
    expect(short).toEqual({ startSeconds: 0, endSeconds: SPAN_SECONDS_MIN });
    expect(panBy(short, 1, 0.1)).toEqual(short);
  });

  it('converts pixels to seconds and back', () => {
    expect(toSeconds(minute, toPixels(minute, 77.25, 913), 913)).toBeCloseTo(77.25, 9);
  });

  it('has round times on its ruler', () => {
    // A minute on 800 pixels with a label every 100: 7.5 s, of which 10 s is the next round step.
    expect(rulerTimes(minute, 800, 100)).toEqual([60, 70, 80, 90, 100, 110, 120]);
    expect(rulerTimes({ startSeconds: 61, endSeconds: 119 }, 800, 100)).toEqual([70, 80, 90, 100, 110]);
    // Ten hours on 800 pixels: 75 minutes, more than the longest step of half an hour.
    expect(rulerTimes(wholeSong(36_000), 800, 100)).toEqual(
      Array.from({ length: 21 }, (_, index) => 1_800 * index),
    );
  });
});
