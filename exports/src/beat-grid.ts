import type { ResultDocument } from './result-document.ts';

type Beat = NonNullable<ResultDocument['rhythm']>['beats'][number];

/** A beat of the written grid: tracked by the engine, or filled in. */
export type GridBeat = { timeSeconds: number; isDownbeat: boolean; isTracked: boolean };

/** How far from a beat something may begin and still count as on it: the tolerance of beat evaluation, and of the engine for chords. */
export const BEAT_TOLERANCE_SECONDS = 0.07;
/** Chosen: a first beat this early is moved to the start of the file, because so short a lead-in could not be written as a tempo. */
const START_SECONDS = 0.005;
/** Chosen: a longer distance is a pause and not a slower tempo, but half the tempo is still a tempo. */
const PAUSE_BEATS = 2.5;

/**
 * Beats as a notation program needs them: from time 0 on and without pauses. The lead-in to the first tracked beat and every pause are
 * divided evenly into beats of about the tempo beside them.
 */
export function buildBeatGrid(beats: readonly Beat[]): GridBeat[] {
  const times = beats.map((beat) => beat.time_seconds);
  const distancesSeconds = times.slice(1).map((time, index) => time - times[index]!);
  const grid: GridBeat[] = [];
  for (const [index, beat] of beats.entries()) {
    if (index === 0 && beat.time_seconds < START_SECONDS) {
      grid.push({ timeSeconds: 0, isDownbeat: beat.beat_in_bar === 1, isTracked: true });
      continue;
    }
    const fromSeconds = times[index - 1] ?? 0;
    const distanceSeconds = beat.time_seconds - fromSeconds;
    const nearby = [distancesSeconds[index - 2], distancesSeconds[index]].filter(
      (value) => value !== undefined,
    );
    const inBeats = distanceSeconds / Math.min(...nearby);
    const isLeadIn = index === 0;
    const count = isLeadIn
      ? Math.max(1, Math.round(inBeats))
      : inBeats > PAUSE_BEATS
        ? Math.round(inBeats)
        : 1;
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

/** The bars of the grid with their lengths in beats. The lead-in to the first downbeat is a bar of its own. */
export function barLengths(grid: readonly GridBeat[]): { beatIndex: number; beats: number }[] {
  const starts = grid.flatMap((beat, index) => (beat.isDownbeat ? [index] : []));
  if (starts[0] !== 0) starts.unshift(0);
  return starts.map((start, index) => ({
    beatIndex: start,
    beats: (starts[index + 1] ?? grid.length) - start,
  }));
}
