/**
 * The pitches and timbre of every segment, quantised to 36 bytes a segment, where JSON would take about 150. Only the Spotify-compatible export needs
 * them, so they are stored in the supplement and not in the result.
 */

import { PITCH_CLASS_COUNT } from '../tonal/key-name.ts';
import { TIMBRE_VALUE_COUNT } from './segment-timbre.ts';

/** In the order of `listSegments` for the onsets of the result. */
export type SegmentSounds = {
  segmentCount: number;
  /** Twelve a segment from C, in 255ths of the strongest. */
  pitches: Uint8Array;
  /** Twelve a segment, in fiftieths of the units of segment-timbre.ts. */
  timbre: Int16Array;
};

const PITCH_STEPS = 255;
/** 16 bits hold values up to ±655; the coefficients of a spectrum with a range of 60 dB are within ±330. */
const TIMBRE_STEPS_PER_UNIT = 50;
const INT16_MAX = 32_767;

/** A silent segment, whose timbre is all 0, gets pitches of 0 too: their long window would pick up its neighbours. */
export function quantise(pitches: Float64Array, timbre: Float64Array): SegmentSounds {
  const segmentCount = timbre.length / TIMBRE_VALUE_COUNT;
  const quantised = { pitches: new Uint8Array(pitches.length), timbre: new Int16Array(timbre.length) };
  for (let segment = 0; segment < segmentCount; segment++) {
    let isSilent = true;
    for (let k = segment * TIMBRE_VALUE_COUNT; k < (segment + 1) * TIMBRE_VALUE_COUNT; k++) {
      if (timbre[k] !== 0) isSilent = false;
      const steps = Math.round(TIMBRE_STEPS_PER_UNIT * timbre[k]!);
      quantised.timbre[k] = Math.min(INT16_MAX, Math.max(-INT16_MAX, steps));
    }
    if (isSilent) continue;
    for (let i = segment * PITCH_CLASS_COUNT; i < (segment + 1) * PITCH_CLASS_COUNT; i++) {
      quantised.pitches[i] = Math.round(PITCH_STEPS * pitches[i]!);
    }
  }
  return { segmentCount, ...quantised };
}

/** One segment: pitches 0..1, timbre in the units of segment-timbre.ts. */
export function readSegmentSound(
  { pitches, timbre }: SegmentSounds,
  segment: number,
): { pitches: number[]; timbre: number[] } {
  const at = segment * PITCH_CLASS_COUNT;
  return {
    pitches: Array.from(pitches.subarray(at, at + PITCH_CLASS_COUNT), (steps) => steps / PITCH_STEPS),
    timbre: Array.from(
      timbre.subarray(segment * TIMBRE_VALUE_COUNT, (segment + 1) * TIMBRE_VALUE_COUNT),
      (steps) => steps / TIMBRE_STEPS_PER_UNIT,
    ),
  };
}
