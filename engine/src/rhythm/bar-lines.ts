/**
 * Which of the beats begin bars? The tracker has found beats and bars from the beat activation; this step counts the bars again, knowing
 * the chords. The beats do not move.
 *
 * Chords change at bar lines more often than inside bars. That corrects the downbeat network where, say, a drummer accents the second beat
 * (Papadopoulos & Peeters, "Joint estimation of chords and downbeats from an audio signal", IEEE TASLP 2011).
 *
 * 1. for each beat, the log odds that a bar begins there: those of the activation, plus how much the chords around the beat differ
 * 2. the best path (Viterbi) through the places of a bar in every meter, at the tracker's costs of a change of meter and of a new count.
 */

import { CHORD_CLASS_COUNT, type ChordActivation } from '../tonal/chord-activation.ts';
import { REST_COST, type TrackedBeat } from './bar-tracker.ts';

/**
 * Log odds of a complete change of chord. Downbeat F on the dev corpus, composed music of unseen styles, 17 recordings with known and 41
 * with agreed bars: .935 .866 .712 .900 without, .948 .880 .771 .925 at 8 to 10, lower at 4 and at 30 (docs/algorithms.md).
 */
const CHORD_CHANGE_WEIGHT = 10;
/** The change that is evidence neither for nor against a bar line, since the chord estimate also wavers inside bars. Set by hand. */
const USUAL_CHANGE_SHARE = 0.25;
/** After a longer gap, a rest, the count may restart anywhere in the bar: half-way between no missing beat and one. */
const REST_BEATS = 1.5;

export type BarLineOptions = {
  frameRateHz: number;
  /** Beats in a bar. */
  meters: readonly number[];
  meterChangeCost: number;
};

/** `observations` are those of `observeBeats`. */
export function placeBarLines(
  beats: readonly TrackedBeat[],
  observations: Float32Array,
  chords: ChordActivation,
  options: BarLineOptions,
): TrackedBeat[] {
  if (beats.length < 2) return [...beats];
  const evidence = beats.map(({ frame }, index) => {
    const [before, after] = [beats[index - 1] ?? beats[0]!, beats[index + 1] ?? beats.at(-1)!];
    const changeShare = measureChange(
      chords,
      before.frame / options.frameRateHz,
      frame / options.frameRateHz,
      after.frame / options.frameRateHz,
    );
    return (
      observations[2 * frame + 1]! -
      observations[2 * frame]! +
      (changeShare === null ? 0 : CHORD_CHANGE_WEIGHT * (changeShare - USUAL_CHANGE_SHARE))
    );
  });
  return findBestBars(beats, evidence, options);
}

/** Total variation distance, 0..1, of the mean chord probabilities before and after a beat; null at the ends, where one side is empty. */
function measureChange(
  chords: ChordActivation,
  fromSeconds: number,
  atSeconds: number,
  toSeconds: number,
): number | null {
  const before = averageChords(chords, fromSeconds, atSeconds);
  const after = averageChords(chords, atSeconds, toSeconds);
  if (before === null || after === null) return null;
  return before.reduce((sum, value, chord) => sum + Math.abs(value - after[chord]!), 0) / 2;
}

/** Mean chord probabilities; null for an empty span. Frame n covers half a frame on either side of n / rate, and may count in part. */
function averageChords(chords: ChordActivation, fromSeconds: number, toSeconds: number): Float64Array | null {
  const { frameRateHz, frameCount, logProbabilities } = chords;
  const startFrame = Math.max(0, fromSeconds * frameRateHz + 0.5);
  const endFrame = Math.min(frameCount, toSeconds * frameRateHz + 0.5);
  if (!(endFrame > startFrame)) return null;
  const mean = new Float64Array(CHORD_CLASS_COUNT);
  for (let frame = Math.floor(startFrame); frame < endFrame; frame++) {
    const coveredFrames = Math.min(frame + 1, endFrame) - Math.max(frame, startFrame);
    const share = coveredFrames / (endFrame - startFrame);
    for (let chord = 0; chord < CHORD_CLASS_COUNT; chord++) {
      mean[chord]! += share * Math.exp(logProbabilities[frame * CHORD_CLASS_COUNT + chord]!);
    }
  }
  return mean;
}

/** The path through the states (meter, place in bar) that collects the most evidence on its downbeats. */
function findBestBars(
  beats: readonly TrackedBeat[],
  evidence: readonly number[],
  { meters, meterChangeCost }: BarLineOptions,
): TrackedBeat[] {
  const states = meters.flatMap((beatsPerBar) =>
    Array.from({ length: beatsPerBar }, (_, placeInBar) => ({ beatsPerBar, placeInBar })),
  );
  const barEnds = states.flatMap(({ beatsPerBar, placeInBar }, state) =>
    placeInBar === beatsPerBar - 1 ? [state] : [],
  );
  const gain = (state: number, beat: number): number =>
    states[state]!.placeInBar === 0 ? evidence[beat]! : 0;
  let scores = states.map((_, state) => gain(state, 0));
  const origins: number[][] = [];
  for (let beat = 1; beat < beats.length; beat++) {
    const last = beats[beat - 1]!;
    const hasRested = beats[beat]!.frame - last.frame > REST_BEATS * last.periodFrames;
    const highest = scores.indexOf(Math.max(...scores));
    const restarted = scores[highest]! - (hasRested ? 0 : REST_COST);
    const from = states.map(({ beatsPerBar, placeInBar }, state) => {
      const counted =
        placeInBar > 0
          ? [{ origin: state - 1, score: scores[state - 1]! }]
          : barEnds.map((end) => ({
              origin: end,
              score: scores[end]! - (states[end]!.beatsPerBar === beatsPerBar ? 0 : meterChangeCost),
            }));
      return counted.reduce((a, b) => (b.score > a.score ? b : a), { origin: highest, score: restarted });
    });
    origins.push(from.map(({ origin }) => origin));
    scores = from.map(({ score }, state) => score + gain(state, beat));
  }
  const path = [scores.indexOf(Math.max(...scores))];
  for (let beat = beats.length - 1; beat > 0; beat--) path.push(origins[beat - 1]![path.at(-1)!]!);
  path.reverse();
  return beats.map((beat, index) => ({ ...beat, ...states[path[index]!]! }));
}
