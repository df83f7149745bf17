/**
 * Where may a chord change? At beats, because harmony moves with them; between beats only when they are so far apart that they may
 * be half as many as the music's; at every frame when there are no beats.
 */

import type { Beat } from '../result.ts';

export type ChordCell = {
  startSeconds: number;
  endSeconds: number;
  /** Whether the cell starts on a beat. */
  onBeat: boolean;
};

/** Slower beats than this (67 a minute) are halved. */
const BEAT_SECONDS_MAX = 0.9;
/** A piece of a beat at either end that is shorter than this is no cell of its own. */
const CELL_SECONDS_MIN = 0.05;

/**
 * Cells that tile 0 to `durationSeconds`. Empty when there is no duration. `soundSeconds`, where the sound begins and ends, are edges too, so
 * that silence before the first chord and after the last is not given to them.
 */
export function createChordGrid(
  beats: readonly Beat[],
  frameRateHz: number,
  durationSeconds: number,
  soundSeconds: readonly number[] = [],
): ChordCell[] {
  if (!(durationSeconds > 0)) return [];
  const wanted = beats.length > 1 ? listBeatEdges(beats) : listFrameEdges(frameRateHz, durationSeconds);
  for (const seconds of soundSeconds) wanted.push({ seconds, onBeat: true });
  wanted.sort((a, b) => a.seconds - b.seconds);
  const cells: ChordCell[] = [];
  let start: Edge = { seconds: 0, onBeat: true };
  for (const edge of wanted) {
    const room = Math.min(edge.seconds - start.seconds, durationSeconds - edge.seconds);
    if (room <= CELL_SECONDS_MIN) continue;
    cells.push({ startSeconds: start.seconds, endSeconds: edge.seconds, onBeat: start.onBeat });
    start = edge;
  }
  cells.push({ startSeconds: start.seconds, endSeconds: durationSeconds, onBeat: start.onBeat });
  return cells;
}

type Edge = { seconds: number; onBeat: boolean };

function listBeatEdges(beats: readonly Beat[]): Edge[] {
  return beats.flatMap(({ timeSeconds }, index) => {
    const next = beats[index + 1]?.timeSeconds ?? timeSeconds;
    const beat = { seconds: timeSeconds, onBeat: true };
    if (next - timeSeconds <= BEAT_SECONDS_MAX) return [beat];
    return [beat, { seconds: (timeSeconds + next) / 2, onBeat: false }];
  });
}

function listFrameEdges(frameRateHz: number, durationSeconds: number): Edge[] {
  const edges: Edge[] = [];
  // A frame is centred at its time, so cells reach half a frame to each side of it.
  for (let frame = 1; (frame + 0.5) / frameRateHz < durationSeconds; frame++) {
    edges.push({ seconds: (frame - 0.5) / frameRateHz, onBeat: true });
  }
  return edges;
}

/** The frames whose centres lie in a cell; at least one. */
export function framesOfCell(
  cell: Pick<ChordCell, 'startSeconds' | 'endSeconds'>,
  frameRateHz: number,
  frameCount: number,
): { from: number; to: number } {
  const roundOff = 1e-6;
  let from = Math.ceil(cell.startSeconds * frameRateHz - roundOff);
  const to = Math.ceil(cell.endSeconds * frameRateHz - roundOff);
  if (to <= from) from = Math.round(((cell.startSeconds + cell.endSeconds) / 2) * frameRateHz);
  from = Math.max(0, Math.min(from, frameCount - 1));
  return { from, to: Math.max(from + 1, Math.min(to, frameCount)) };
}
