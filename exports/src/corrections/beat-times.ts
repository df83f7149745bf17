/** Divides, thins, lays out and edits beats. The times of beats ascend. */

import { mod } from '../modulo.ts';
import { type BeatEdits, CorrectionContradicts } from './corrections.ts';

/** The music has `trueBeats` for every `heardBeats` that the engine heard. */
export type Level = { trueBeats: number; heardBeats: number };

/** Metrical levels that are mistaken for one another, the most likely first: true beats, heard beats. */
const LEVELS = [
  [1, 1],
  [2, 1],
  [1, 2],
  [3, 1],
  [1, 3],
  [4, 1],
  [1, 4],
  [3, 2],
  [2, 3],
  [4, 3],
  [3, 4],
] as const;
/** Rounding a tempo to whole BPM changes it by at most this, times the level. That close, tracked beats fit better than an even grid. */
const ROUNDING_BPM = 0.5;
/** How far from a beat a time may be and still refer to it: half the distance between two beats at 400 BPM. */
const REFERENCE_TOLERANCE_SECONDS = 0.075;
/** Beats closer than this are one beat; at 400 BPM, the fastest accepted tempo, they are 0.15 s apart. */
const BEAT_DISTANCE_SECONDS_MIN = 0.05;

/** The level at which the heard beats have the true tempo; null if none is near. */
export function findLevel(heardBpm: number, trueBpm: number): Level | null {
  const level = LEVELS.find(([beats, heard]) => isNear((heardBpm * beats) / heard, trueBpm, beats / heard));
  return level ? { trueBeats: level[0], heardBeats: level[1] } : null;
}

function isNear(levelBpm: number, trueBpm: number, factor: number): boolean {
  return Math.abs(levelBpm - trueBpm) <= ROUNDING_BPM * Math.max(1, factor);
}

/** At least two beats, at that level. The beat at `anchorIndex` remains a beat. */
export function changeLevel(
  timesSeconds: readonly number[],
  { trueBeats, heardBeats }: Level,
  anchorIndex: number,
  durationSeconds: number,
): number[] {
  const divided = divide(timesSeconds, trueBeats, durationSeconds);
  return divided.filter((_, index) => mod(index - anchorIndex * trueBeats, heardBeats) === 0);
}

function divide(timesSeconds: readonly number[], parts: number, durationSeconds: number): number[] {
  const divided = timesSeconds.flatMap((timeSeconds, index) => {
    // The last beat is taken to be as long as the one before it.
    const lengthSeconds =
      index + 1 < timesSeconds.length
        ? timesSeconds[index + 1]! - timeSeconds
        : timeSeconds - timesSeconds[index - 1]!;
    return Array.from({ length: parts }, (_, part) => timeSeconds + (lengthSeconds * part) / parts);
  });
  return divided.filter((timeSeconds) => timeSeconds < durationSeconds);
}

/** Far above the rounding of floats in a song of any length, far below anything audible. */
const ROUNDING_BEATS = 1e-9;

/** An even grid through `anchorSeconds` over the whole song. */
export function layEvenly(bpm: number, anchorSeconds: number, durationSeconds: number): number[] {
  const beatSeconds = 60 / bpm;
  // Rounding must not lose a beat at 0, or put it before the song.
  const beatsBefore = Math.floor(anchorSeconds / beatSeconds + ROUNDING_BEATS);
  const firstSeconds = Math.max(0, anchorSeconds - beatsBefore * beatSeconds);
  const count = Math.max(0, Math.ceil((durationSeconds - firstSeconds) / beatSeconds));
  return Array.from({ length: count }, (_, index) => firstSeconds + index * beatSeconds);
}

/** The index of the beat nearest to a time; null if none is within the tolerance. */
export function findBeatNear(
  timesSeconds: readonly number[],
  seconds: number,
  toleranceSeconds: number,
): number | null {
  let best: number | null = null;
  for (const [index, timeSeconds] of timesSeconds.entries()) {
    const distanceSeconds = Math.abs(timeSeconds - seconds);
    if (
      distanceSeconds <= toleranceSeconds &&
      (best === null || distanceSeconds < Math.abs(timesSeconds[best]! - seconds))
    )
      best = index;
  }
  return best;
}

type EditedBeats = { timesSeconds: number[]; kept: Map<number, number> };

const MOVED_PAST = 'a beat cannot be moved past its neighbours; remove it and add another';

/** Removes, moves and adds beats. `kept` maps the index of an edited beat to the index it had before; added beats are not in it. */
export function editBeats(
  timesSeconds: readonly number[],
  edits: BeatEdits,
  durationSeconds: number,
): EditedBeats {
  const beats = timesSeconds.map((timeSeconds, index): { timeSeconds: number; was: number | null } => ({
    timeSeconds,
    was: index,
  }));
  const touched = new Set<number>();
  const take = (seconds: number, path: (string | number)[]) => {
    const index = findBeatNear(timesSeconds, seconds, REFERENCE_TOLERANCE_SECONDS);
    if (index === null) throw new CorrectionContradicts(path, `there is no beat at ${seconds} s`);
    if (touched.has(index)) throw new CorrectionContradicts(path, `the beat at ${seconds} s is named twice`);
    touched.add(index);
    return index;
  };
  const inSong = (seconds: number, path: (string | number)[]) => {
    if (seconds >= 0 && seconds < durationSeconds) return;
    throw new CorrectionContradicts(path, `${seconds} s is outside of the song`);
  };
  const removed = new Set((edits.remove ?? []).map((at, n) => take(at, ['beats', 'remove', n])));
  for (const [n, { from_seconds, to_seconds }] of (edits.move ?? []).entries()) {
    inSong(to_seconds, ['beats', 'move', n, 'to_seconds']);
    const index = take(from_seconds, ['beats', 'move', n, 'from_seconds']);
    const beforeSeconds = timesSeconds[index - 1] ?? Number.NEGATIVE_INFINITY;
    const afterSeconds = timesSeconds[index + 1] ?? Number.POSITIVE_INFINITY;
    if (to_seconds <= beforeSeconds || to_seconds >= afterSeconds) {
      throw new CorrectionContradicts(['beats', 'move', n, 'to_seconds'], MOVED_PAST);
    }
    beats[index] = { timeSeconds: to_seconds, was: index };
  }
  const added = (edits.add ?? []).map((timeSeconds, n) => {
    inSong(timeSeconds, ['beats', 'add', n]);
    return { timeSeconds, was: null };
  });
  const edited = [...beats.filter((_, index) => !removed.has(index)), ...added].sort(
    (a, b) => a.timeSeconds - b.timeSeconds,
  );
  let lastWas: number | null = null;
  for (const [index, { timeSeconds, was }] of edited.entries()) {
    if (index > 0 && timeSeconds - edited[index - 1]!.timeSeconds < BEAT_DISTANCE_SECONDS_MIN) {
      throw new CorrectionContradicts(['beats'], `two beats would lie at ${timeSeconds} s`);
    }
    // Each moved beat is between its old neighbours, but two of them have changed places.
    if (was !== null && lastWas !== null && was < lastWas)
      throw new CorrectionContradicts(['beats', 'move'], MOVED_PAST);
    lastWas = was ?? lastWas;
  }
  return {
    timesSeconds: edited.map(({ timeSeconds }) => timeSeconds),
    kept: new Map(edited.flatMap(({ was }, index) => (was === null ? [] : [[index, was] as const]))),
  };
}
