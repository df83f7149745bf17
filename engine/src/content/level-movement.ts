/**
 * How does the level move within a window of three seconds: at the pace of syllables, or at that of beats?
 *
 * The power of the levels at 3 to 8 Hz (Scheirer and Slaney, ICASSP 1997, at 4 Hz), and their autocorrelation.
 */

import type { Kernels } from '../signal/kernels.ts';

export const WINDOW_SECONDS = 3;
/** Speech has three to seven syllables a second; the limits leave a margin above. */
const SYLLABLES_HZ = { low: 3, high: 8 };
/** 50 to 250 BPM. */
const BEAT_SECONDS = { min: 0.24, max: 1.2 };

export type LevelMovement = {
  /** The share of the power of a window's levels about their mean that is at the pace of syllables; 0 for constant levels. */
  measureModulation(levels: Float64Array): number;
  /** The highest autocorrelation of a window's levels at the distances of beats, at least 0: what repeats is played. */
  measurePeriodicity(levels: Float64Array): number;
};

export function createLevelMovement(kernels: Kernels, frameRateHz: number): LevelMovement {
  const windowFrames = Math.round(WINDOW_SECONDS * frameRateHz);
  const input = kernels.allocateDoubles(windowFrames);
  const turns = kernels.copyDoubles(listSyllableTurns(windowFrames, frameRateHz));
  const lagMinFrames = Math.round(BEAT_SECONDS.min * frameRateHz);
  const lagMaxFrames = Math.floor(BEAT_SECONDS.max * frameRateHz);
  return {
    measureModulation(levels) {
      const { mean, squares } = sumSquaresAboutMean(levels);
      if (squares === 0) return 0;
      input.view.set(levels);
      const syllables = kernels.exports.sumTurns(
        input.pointer,
        windowFrames,
        mean,
        turns.pointer,
        turns.length / 2,
      );
      // By Parseval the power at all frequencies, positive and negative, is the sum of squares times the number of frames.
      return (2 * syllables) / (windowFrames * squares);
    },
    measurePeriodicity(levels) {
      const { mean, squares } = sumSquaresAboutMean(levels);
      if (squares === 0) return 0;
      input.view.set(levels);
      return kernels.exports.findPeriodicity(
        input.pointer,
        windowFrames,
        mean,
        squares,
        lagMinFrames,
        lagMaxFrames,
      );
    },
  };
}

/** Cosine and sine of the angle per frame, for every syllable frequency with a whole number of cycles in a window. */
function listSyllableTurns(windowFrames: number, frameRateHz: number): number[] {
  const turns: number[] = [];
  const last = (SYLLABLES_HZ.high * windowFrames) / frameRateHz;
  for (let k = Math.ceil((SYLLABLES_HZ.low * windowFrames) / frameRateHz); k <= last; k++) {
    const turn = (2 * Math.PI * k) / windowFrames;
    turns.push(Math.cos(turn), Math.sin(turn));
  }
  return turns;
}

function sumSquaresAboutMean(levels: Float64Array): { mean: number; squares: number } {
  let sum = 0;
  for (let i = 0; i < levels.length; i++) sum += levels[i]!;
  const mean = sum / levels.length;
  let squares = 0;
  for (let i = 0; i < levels.length; i++) {
    const deviation = levels[i]! - mean;
    squares += deviation * deviation;
  }
  return { mean, squares };
}
