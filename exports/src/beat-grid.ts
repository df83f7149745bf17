import type { Beat } from './result-document.ts';

/** A beat of the written grid: tracked by the engine, or filled in. */
export type GridBeat = { timeSeconds: number; isDownbeat: boolean; isTracked: boolean };

/** Beats per bar if no meter was heard. */
export const COMMON_TIME_BEATS = 4;
/** An event this close to a beat is on it: the tolerance of beat evaluation (MIREX) and of the engine for chords. */
export const BEAT_TOLERANCE_SECONDS = 0.07;
/** A first beat earlier than this is moved to the start of the file: the lead-in would be one beat at more than 60 / 0.005 = 12,000 BPM. */
const START_SECONDS = 0.005;
/** A longer distance is a pause. A change to half the tempo, two beats, is still a tempo. */
const PAUSE_BEATS = 2.5;

/**
 * Beats as a notation program needs them: from time 0 and without pauses. The lead-in to the first tracked beat and every pause are
 * divided evenly into beats of about the adjacent tempo, of two the faster: the slower may be another pause.
 */
export function buildBeatGrid(beats: readonly Beat[]): GridBeat[] {
  const timesSeconds = beats.map((beat) => beat.time_seconds);
  const distancesSeconds = timesSeconds.slice(1).map((seconds, index) => seconds - timesSeconds[index]!);
  const grid: GridBeat[] = [];
  for (const [index, beat] of beats.entries()) {
    if (index === 0 && beat.time_seconds < START_SECONDS) {
      grid.push({ timeSeconds: 0, isDownbeat: beat.beat_in_bar === 1, isTracked: true });
      continue;
    }
    const fromSeconds = timesSeconds[index - 1] ?? 0;
    const distanceSeconds = beat.time_seconds - fromSeconds;
    const adjacentSeconds = [distancesSeconds[index - 2], distancesSeconds[index]].filter(
      (seconds) => seconds !== undefined,
    );
    const distanceBeats = distanceSeconds / Math.min(...adjacentSeconds);
    const isLeadIn = index === 0;
    const isFilled = isLeadIn || distanceBeats > PAUSE_BEATS;
    const count = isFilled ? Math.max(1, Math.round(distanceBeats)) : 1;
    for (let step = isLeadIn ? 0 : 1; step < count; step++) {
      grid.push({
        timeSeconds: fromSeconds + (distanceSeconds * step) / count,
        isDownbeat: false,
        isTracked: false,
      });
    }
    grid.push({ timeSeconds: beat.time_seconds, isDownbeat: beat.beat_in_bar === 1, isTracked: true });
  }
  return grid;
}

/** The bars of the grid. The lead-in to the first downbeat is a separate bar. */
export function barLengths(grid: readonly GridBeat[]): { beatIndex: number; beatCount: number }[] {
  const starts = grid.flatMap((beat, index) => (beat.isDownbeat ? [index] : []));
  if (starts[0] !== 0) starts.unshift(0);
  return starts.map((start, index) => ({
    beatIndex: start,
    beatCount: (starts[index + 1] ?? grid.length) - start,
  }));
}
