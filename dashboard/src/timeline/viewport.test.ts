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
  it('goes closer around what lies under the pointer', () => {
    const closer = zoomAt(minute, 0.5, { anchorSeconds: 75, durationSeconds: DURATION_SECONDS });
    expect(closer).toEqual({ startSeconds: 67.5, endSeconds: 97.5 });
    expect(toPixels(closer, 75, 800)).toBeCloseTo(toPixels(minute, 75, 800), 9);
  });

  it('ends at a beat on the near side and at the whole song on the far side', () => {
    const near = zoomAt(minute, 1e-6, { anchorSeconds: 75, durationSeconds: DURATION_SECONDS });
    expect(spanOf(near)).toBeCloseTo(SPAN_SECONDS_MIN, 9);
    expect(zoomAt(minute, 1e6, { anchorSeconds: 75, durationSeconds: DURATION_SECONDS })).toEqual(
      wholeSong(DURATION_SECONDS),
    );
  });

  it('never leaves the song', () => {
    expect(panBy(minute, -1000, DURATION_SECONDS)).toEqual({ startSeconds: 0, endSeconds: 60 });
    expect(panBy(minute, 1000, DURATION_SECONDS)).toEqual({ startSeconds: 540, endSeconds: 600 });
    expect(clampView({ startSeconds: -5, endSeconds: 5000 }, DURATION_SECONDS)).toEqual(
      wholeSong(DURATION_SECONDS),
    );
  });

  it('turns the page when the playhead leaves it, and only then', () => {
    expect(follow(minute, 90, DURATION_SECONDS)).toBeNull();
    expect(follow(minute, 121, DURATION_SECONDS)).toEqual({ startSeconds: 118, endSeconds: 178 });
    expect(follow({ startSeconds: 540, endSeconds: 600 }, 600, DURATION_SECONDS)).toBeNull();
  });

  it('goes from pixels to seconds and back', () => {
    expect(toSeconds(minute, toPixels(minute, 77.25, 913), 913)).toBeCloseTo(77.25, 9);
  });

  it('has round times on its ruler', () => {
    // 800 pixels for a minute: a label every 100 pixels asks for 7.5 s, and 10 s is the next round step.
    expect(rulerTimes(minute, 800, 100)).toEqual([60, 70, 80, 90, 100, 110, 120]);
  });
});
