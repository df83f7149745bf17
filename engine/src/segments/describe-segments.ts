/**
 * What does each segment sound like?
 *
 * Its pitch classes (segment-pitches.ts) and its timbre (segment-timbre.ts), which name their sources, quantised (segment-sounds.ts).
 */

import type { AnalysisResult } from '../result.ts';
import type { SpectralFrames } from '../signal/front-end.ts';
import type { Kernels } from '../signal/kernels.ts';
import { measurePitchesOfSegments } from './segment-pitches.ts';
import { quantise, type SegmentSounds } from './segment-sounds.ts';
import { listSegments } from './segment-spans.ts';
import { measureTimbreOfSegments } from './segment-timbre.ts';

/** Null if rhythm, whose onsets delimit the segments, or tonal, whose tuning the pitches need, was not requested. */
export function describeSegments(
  kernels: Kernels,
  frames: SpectralFrames,
  { durationSeconds, rhythm, tonal }: Pick<AnalysisResult, 'durationSeconds' | 'rhythm' | 'tonal'>,
): SegmentSounds | null {
  if (rhythm === null || tonal === null) return null;
  const onsetsSeconds = rhythm.onsets.map(({ timeSeconds }) => timeSeconds);
  const spans = listSegments(onsetsSeconds, durationSeconds);
  const pitches = measurePitchesOfSegments(kernels, frames.pitch, spans, tonal.tuningCents ?? 0);
  const timbre = measureTimbreOfSegments(kernels, frames.mel, frames.rms, spans);
  return quantise(pitches, timbre);
}
