/**
 * Where may a chord change? At beats, because harmony moves with them; halfway between them, at a higher cost, because pushed chords come early
 * and because the tracked beats may be half a beat off; at every frame when there are no beats.
 *
 * The half beats cost .001 of chord accuracy on the dev corpus when the beats are right, and save .10 when they are half a beat off.
 */

import type { Beat } from '../result.ts';

export type CellOpening = 'downbeat' | 'beat' | 'between';

export type ChordCell = {
  startSeconds: number;
  endSeconds: number;
  /** Where in the bar the cell starts. */
  opening: CellOpening;
};

/** Beats closer than this (171 a minute) are not halved: harmony does not move five times a second. */
const HALVED_BEAT_SECONDS_MIN = 0.35;
/** An edge this near to the one before it, or to the end of the recording, is left out. Chosen. */
const CELL_SECONDS_MIN = 0.05;

/**
 * Cells that tile 0 to `durationSeconds`; none when there is no duration. `soundSeconds`, where the sound begins and ends, are edges too, so
 * that the first and the last chord do not take in the silence beside them.
 */
export function createChordGrid(
  beats: readonly Beat[],
  frameRateHz: number,
  durationSeconds: number,
  soundSeconds: readonly number[] = [],
): ChordCell[] {
  if (!(durationSeconds > 0)) return [];
  const wanted = beats.length > 1 ? listBeatEdges(beats) : listFrameEdges(frameRateHz, durationSeconds);
  for (const seconds of soundSeconds) wanted.push({ seconds, opening: 'downbeat' });
  wanted.sort((a, b) => a.seconds - b.seconds);
  const cells: ChordCell[] = [];
  let start: Edge = { seconds: 0, opening: 'downbeat' };
  for (const edge of wanted) {
    const room = Math.min(edge.seconds - start.seconds, durationSeconds - edge.seconds);
    if (room <= CELL_SECONDS_MIN) continue;
    cells.push({ startSeconds: start.seconds, endSeconds: edge.seconds, opening: start.opening });
    start = edge;
  }
  cells.push({ startSeconds: start.seconds, endSeconds: durationSeconds, opening: start.opening });
  return cells;
}

type Edge = { seconds: number; opening: CellOpening };

function listBeatEdges(beats: readonly Beat[]): Edge[] {
  return beats.flatMap(({ timeSeconds, beatInBar }, index): Edge[] => {
    const next = beats[index + 1]?.timeSeconds ?? timeSeconds;
    const beat: Edge = { seconds: timeSeconds, opening: beatInBar === 1 ? 'downbeat' : 'beat' };
    if (next - timeSeconds < HALVED_BEAT_SECONDS_MIN) return [beat];
    return [beat, { seconds: (timeSeconds + next) / 2, opening: 'between' }];
  });
}

function listFrameEdges(frameRateHz: number, durationSeconds: number): Edge[] {
  const edges: Edge[] = [];
  // A frame is centred at its time, so cells reach half a frame to each side of it.
  for (let frame = 1; (frame + 0.5) / frameRateHz < durationSeconds; frame++) {
    edges.push({ seconds: (frame - 0.5) / frameRateHz, opening: 'beat' });
  }
  return edges;
}

/**
 * The frames of a cell; at least one. A frame centred up to half a frame before the cell belongs to it: its window reaches well into the cell, and
 * a chord is louder where it begins than where the one before it ends.
 */
export function framesOfCell(
  cell: Pick<ChordCell, 'startSeconds' | 'endSeconds'>,
  frameRateHz: number,
  frameCount: number,
): { from: number; to: number } {
  const first = Math.round(cell.startSeconds * frameRateHz);
  const end = Math.round(cell.endSeconds * frameRateHz);
  const from = Math.max(0, Math.min(first, frameCount - 1));
  return { from, to: Math.max(from + 1, Math.min(end, frameCount)) };
}
