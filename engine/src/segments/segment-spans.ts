/**
 * Where are the segments of a song?
 *
 * A segment is the sound from one onset to the next: Jehan, "Creating Music by Listening", PhD thesis, MIT, 2005. Segments cover the audio without
 * gaps: the sound before the first onset is a segment too, and a song without onsets is a single one.
 */

export type SegmentSpan = {
  startSeconds: number;
  endSeconds: number;
  /** The onset that starts it; null for what precedes the first onset. */
  onsetIndex: number | null;
};

/** `onsetsSeconds` must ascend. Only audio of no length has no segments. */
export function listSegments(onsetsSeconds: readonly number[], durationSeconds: number): SegmentSpan[] {
  if (!(durationSeconds > 0)) return [];
  const starts: Omit<SegmentSpan, 'endSeconds'>[] = onsetsSeconds
    .map((startSeconds, onsetIndex) => ({ startSeconds, onsetIndex }))
    // An abrupt end of the audio may be detected as an onset at its last frame.
    .filter(({ startSeconds }) => startSeconds < durationSeconds);
  if (starts[0]?.startSeconds !== 0) starts.unshift({ startSeconds: 0, onsetIndex: null });
  return starts.map(({ startSeconds, onsetIndex }, index) => ({
    startSeconds,
    endSeconds: starts[index + 1]?.startSeconds ?? durationSeconds,
    onsetIndex,
  }));
}

/**
 * The frames whose window has its middle half inside the segment, which is 92 % of the energy under a Hann window; other frames hear the neighbours.
 * A segment too short for any gets the frame nearest its middle.
 */
export function findFramesInside(
  { startSeconds, endSeconds }: Pick<SegmentSpan, 'startSeconds' | 'endSeconds'>,
  frames: { frameRateHz: number; frameCount: number },
  windowSeconds: number,
): { first: number; end: number } {
  const { frameRateHz, frameCount } = frames;
  if (frameCount === 0) return { first: 0, end: 0 };
  const reachSeconds = windowSeconds / 4;
  const first = Math.ceil((startSeconds + reachSeconds) * frameRateHz);
  const end = Math.min(frameCount, Math.floor((endSeconds - reachSeconds) * frameRateHz) + 1);
  if (first < end) return { first, end };
  const nearest = Math.min(frameCount - 1, Math.round(((startSeconds + endSeconds) / 2) * frameRateHz));
  return { first: nearest, end: nearest + 1 };
}
