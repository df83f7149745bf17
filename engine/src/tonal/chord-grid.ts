/**
 * Where may a chord change? At beats, because harmony moves with them; halfway between beats, at a higher cost, because syncopated chords come early
 * and because tracked beats may be half a beat off; between any two frames if there are no beats. The grid is our own.
 *
 * Half beats cost .001 of chord accuracy on the dev corpus when the beats are right, and save .10 when they are half a beat off.
 */

import type { Beat } from '../result.ts';

export type MetricalPosition = 'downbeat' | 'beat' | 'between';

export type ChordCell = {
  startSeconds: number;
  endSeconds: number;
  /** Of its start. */
  position: MetricalPosition;
};

/** Beats closer than this, above 171 BPM, are not halved, because chords do not change five times a second. */
const HALVED_BEAT_SECONDS_MIN = 0.35;
/** Half a frame at ten frames a second: an edge this close to the previous one, or to the end, is dropped. */
const CELL_SECONDS_MIN = 0.05;

/**
 * Cells that tile 0 to `durationSeconds`; none if that is 0. `soundEdgesSeconds`, where the sound starts and ends, delimit cells too, so that the first
 * and the last chord do not include the silence around them.
 */
export function createChordGrid(
  beats: readonly Beat[],
  frameRateHz: number,
  durationSeconds: number,
  soundEdgesSeconds: readonly number[],
): ChordCell[] {
  if (!(durationSeconds > 0)) return [];
  const edges = beats.length > 1 ? listBeatEdges(beats) : listFrameEdges(frameRateHz, durationSeconds);
  for (const seconds of soundEdgesSeconds) edges.push({ seconds, position: 'downbeat' });
  edges.sort((a, b) => a.seconds - b.seconds);
  const cells: ChordCell[] = [];
  let start: Edge = { seconds: 0, position: 'downbeat' };
  for (const edge of edges) {
    const roomSeconds = Math.min(edge.seconds - start.seconds, durationSeconds - edge.seconds);
    if (roomSeconds <= CELL_SECONDS_MIN) continue;
    cells.push({ startSeconds: start.seconds, endSeconds: edge.seconds, position: start.position });
    start = edge;
  }
  cells.push({ startSeconds: start.seconds, endSeconds: durationSeconds, position: start.position });
  return cells;
}

type Edge = { seconds: number; position: MetricalPosition };

function listBeatEdges(beats: readonly Beat[]): Edge[] {
  return beats.flatMap(({ timeSeconds, beatInBar }, index): Edge[] => {
    const nextSeconds = beats[index + 1]?.timeSeconds ?? timeSeconds;
    const beat: Edge = { seconds: timeSeconds, position: beatInBar === 1 ? 'downbeat' : 'beat' };
    if (nextSeconds - timeSeconds < HALVED_BEAT_SECONDS_MIN) return [beat];
    return [beat, { seconds: (timeSeconds + nextSeconds) / 2, position: 'between' }];
  });
}

function listFrameEdges(frameRateHz: number, durationSeconds: number): Edge[] {
  const edges: Edge[] = [];
  // A frame is centred at its time, so its cell reaches half a frame to each side.
  for (let frame = 1; (frame + 0.5) / frameRateHz < durationSeconds; frame++) {
    edges.push({ seconds: (frame - 0.5) / frameRateHz, position: 'beat' });
  }
  return edges;
}

/**
 * The frames of a cell, at least one. A frame centred up to half a frame before the cell belongs to it, because its window reaches well into the cell,
 * and a chord is louder at its start than the previous one at its end.
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
