/**
 * Where do the segments of a song lie?
 *
 * A segment is a stretch of steady sound from one onset to the next: Jehan, "Creating Music by Listening", PhD thesis, MIT, 2005. Segments cover
 * the audio without gaps: the sound before the first onset is a segment of its own, and so is a song without onsets.
 */

export type SegmentSpan = {
  startSeconds: number;
  endSeconds: number;
  /** Which onset it begins with; null for the beginning of the audio. */
  onsetIndex: number | null;
};

/** `onsetsSeconds` must ascend. Returns no segments only for audio of no length. */
export function listSegments(onsetsSeconds: readonly number[], durationSeconds: number): SegmentSpan[] {
  if (!(durationSeconds > 0)) return [];
  const starts: Omit<SegmentSpan, 'endSeconds'>[] = onsetsSeconds
    .map((startSeconds, onsetIndex) => ({ startSeconds, onsetIndex }))
    // The end of the audio may be found as an onset at its very last frame.
    .filter(({ startSeconds }) => startSeconds < durationSeconds);
  if (starts[0]?.startSeconds !== 0) starts.unshift({ startSeconds: 0, onsetIndex: null });
  return starts.map(({ startSeconds, onsetIndex }, index) => ({
    startSeconds,
    endSeconds: starts[index + 1]?.startSeconds ?? durationSeconds,
    onsetIndex,
  }));
}

/**
 * The frames whose window has its middle half, with 92 % of the energy under a Hann window, inside the segment: the others belong to its neighbours.
 * A segment too short for that gets the one frame nearest its middle.
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
