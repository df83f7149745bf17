import { describe, expect, it } from 'vitest';
import { findFramesInside, listSegments } from './segment-spans.ts';

describe('segments', () => {
  it('cover the audio from 0 to its end', () => {
    expect(listSegments([0.5, 1.25], 3)).toEqual([
      { startSeconds: 0, endSeconds: 0.5, onsetIndex: null },
      { startSeconds: 0.5, endSeconds: 1.25, onsetIndex: 0 },
      { startSeconds: 1.25, endSeconds: 3, onsetIndex: 1 },
    ]);
  });

  it('start with the first onset if that is at 0', () => {
    expect(listSegments([0, 1], 2).map(({ onsetIndex }) => onsetIndex)).toEqual([0, 1]);
  });

  it('are one without onsets, none without audio, and end with the audio', () => {
    expect(listSegments([], 2)).toEqual([{ startSeconds: 0, endSeconds: 2, onsetIndex: null }]);
    expect(listSegments([], 0)).toEqual([]);
    expect(listSegments([1, 2], 2).at(-1)).toEqual({ startSeconds: 1, endSeconds: 2, onsetIndex: 0 });
  });
});

describe('the frames of a segment', () => {
  const frames = { frameRateHz: 10, frameCount: 50 };

  it('have the middle half of their window inside it', () => {
    // In a window of 0.4 s, that is 0.1 s to either side of the centre.
    expect(findFramesInside({ startSeconds: 1.05, endSeconds: 2.05 }, frames, 0.4)).toEqual({
      first: 12,
      end: 20,
    });
  });

  it('are the one nearest its middle if none is inside', () => {
    expect(findFramesInside({ startSeconds: 1.02, endSeconds: 1.12 }, frames, 0.4)).toEqual({
      first: 11,
      end: 12,
    });
    expect(findFramesInside({ startSeconds: 6, endSeconds: 6.1 }, frames, 0.4)).toEqual({
      first: 49,
      end: 50,
    });
  });

  it('are none if the recording has no frames', () => {
    expect(
      findFramesInside({ startSeconds: 0, endSeconds: 1 }, { frameRateHz: 10, frameCount: 0 }, 0.4),
    ).toEqual({ first: 0, end: 0 });
  });
});
